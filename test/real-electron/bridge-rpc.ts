/** Replaces oRPC's handler in an old Electron, and forwards the page's messages. */
import type { MessagePortMain } from 'electron';
import { bridge } from './bridge-services.ts';

let count = 0;

export class RPCHandler {
  #open = new Map<number, MessagePortMain>();

  upgrade(port: MessagePortMain): void {
    const id = count++;
    this.#open.set(id, port);
    if (bridge === null) return;
    bridge.onPort = (message) => {
      const target = this.#open.get(message.port);
      if (message.kind === 'port message') target?.postMessage(message.text);
      else target?.close();
    };
    bridge.send({ kind: 'port opened', port: id });
    port.on('message', ({ data }) => bridge?.send({ kind: 'port message', port: id, text: data }));
    port.on('close', () => {
      this.#open.delete(id);
      bridge?.send({ kind: 'port closed', port: id });
    });
  }
}
