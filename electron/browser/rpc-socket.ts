/** The contract over WebSockets, for pages whose request the host has already checked. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';

/** A pasted document of some megabytes fits; JSON escapes can double it. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const CLOSE_GOING_AWAY = 1001;

/** Procedures that need no context, such as `createRouter` makes. */
export type RpcRouter = AnyRouter;

export interface RpcSocket {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

export function createRpcSocket(router: RpcRouter): RpcSocket {
  const handler = new RPCHandler(router, { customJsonSerializers: [exactNumberCodec] });
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  server.on('connection', (webSocket: WebSocket) => {
    // A broken frame closes this socket only; without a listener it would end the process.
    webSocket.on('error', () => webSocket.terminate());
    void handler.upgrade(webSocket);
  });

  return {
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        server.emit('connection', webSocket, request);
      });
    },

    close() {
      for (const webSocket of server.clients) {
        webSocket.close(CLOSE_GOING_AWAY);
        webSocket.terminate();
      }
      server.close();
    },
  };
}
