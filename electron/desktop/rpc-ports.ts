/** Serves RPC over the page's message ports. */
import { RPCHandler } from '@orpc/server/message-port';
import type { IpcMain, MessagePortMain } from 'electron';
import { CONNECT_CHANNEL } from '../../shared/connect-channel.ts';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';
import type { AppRouter } from '../router.ts';
import { PAGE_ORIGIN } from './page-protocol.ts';

export interface PortListeners {
  onConnected: () => void;
  /**
   * Called before the page's requests are aborted; `isLast` is false if a reloaded page has already
   * reconnected.
   */
  onClosed?: (isLast: boolean) => void;
}

export function servePorts(
  ipc: Pick<IpcMain, 'on' | 'removeAllListeners'>,
  router: AppRouter,
  log: (line: string) => void,
  { onConnected, onClosed }: PortListeners,
): () => void {
  const handler = new RPCHandler(router, { customJsonSerializers: [exactNumberCodec] });
  const open = new Set<MessagePortMain>();

  ipc.on(CONNECT_CHANNEL, (event) => {
    // The frame is null after a navigation.
    const frame = event.senderFrame;
    const [port, ...more] = event.ports;
    if (!port) return;
    if (frame?.origin !== PAGE_ORIGIN || frame.parent !== null || more.length > 0) {
      log(`rejected a port from ${frame?.origin ?? 'a closed frame'}`);
      for (const refused of event.ports) refused.close();
      return;
    }
    open.add(port);
    port.on('close', () => {
      open.delete(port);
      onClosed?.(open.size === 0);
    });
    handler.upgrade(port, { context: { link: port } });
    // oRPC doesn't start the port, and an unstarted port may be garbage collected.
    port.start();
    onConnected();
  });

  return () => {
    ipc.removeAllListeners(CONNECT_CHANNEL);
    for (const port of open) port.close();
  };
}
