/** Gives the contract to a page that hands in a message port, and to no one else. */
import { RPCHandler } from '@orpc/server/message-port';
import type { IpcMain, MessagePortMain } from 'electron';
import { CONNECT_CHANNEL } from '../../shared/connect-channel.ts';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';
import type { AppRouter } from '../router.ts';
import { PAGE_ORIGIN } from './page-address.ts';

export interface PortListeners {
  /** Called for each port that is accepted. */
  onConnected: () => void;
  /** Called when one has closed, the last one or not: a page that is reloaded may be there again by then. */
  onClosed?: (isLast: boolean) => void;
}

/** Returns a function that stops listening and closes the ports that are open. */
export function servePorts(
  ipc: Pick<IpcMain, 'on' | 'removeAllListeners'>,
  router: AppRouter,
  log: (line: string) => void,
  { onConnected, onClosed }: PortListeners,
): () => void {
  const handler = new RPCHandler(router, { customJsonSerializers: [exactNumberCodec] });
  const open = new Set<MessagePortMain>();

  ipc.on(CONNECT_CHANNEL, (event) => {
    // Read at once: it is null as soon as the frame has navigated.
    const frame = event.senderFrame;
    const [port, ...more] = event.ports;
    if (!port) return;
    if (frame?.origin !== PAGE_ORIGIN || frame.parent !== null || more.length > 0) {
      log(`refused a port from ${frame?.origin ?? 'a frame that is gone'}`);
      for (const refused of event.ports) refused.close();
      return;
    }
    open.add(port);
    port.on('close', () => {
      open.delete(port);
      onClosed?.(open.size === 0);
    });
    handler.upgrade(port);
    // oRPC does not start the port, and one that is not started may be collected.
    port.start();
    onConnected();
  });

  return () => {
    ipc.removeAllListeners(CONNECT_CHANNEL);
    for (const port of open) port.close();
  };
}
