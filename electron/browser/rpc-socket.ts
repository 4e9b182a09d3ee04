/** Serves the contract over WebSockets whose request was checked. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';

/** Fits a pasted document of some megabytes, whose size JSON escapes can double. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** A page with more unread data gets no new data. */
const MUCH_WAITING_BYTES = 1024 * 1024;
const CLOSE_GOING_AWAY = 1001;

type BufferLike = Parameters<WebSocket['send']>[0];

interface PageSocket
  extends Pick<
    WebSocket,
    'OPEN' | 'addEventListener' | 'bufferedAmount' | 'isPaused' | 'pause' | 'readyState' | 'resume'
  > {
  once(event: 'close', listener: () => void): unknown;
  send(data: BufferLike, taken?: () => void): void;
}

/** Procedures without a context, as `createRouter` returns. */
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
    // Without a listener, a malformed frame would end the process.
    webSocket.on('error', () => webSocket.terminate());
    void handler.upgrade(withBackpressure(webSocket));
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

/** The socket for oRPC: sending waits until the page reads, and its calls wait meanwhile. */
export function withBackpressure(
  webSocket: PageSocket,
): Pick<WebSocket, 'addEventListener' | 'send'> {
  const closed = new Promise<void>((resolve) => webSocket.once('close', () => resolve()));
  return {
    addEventListener: webSocket.addEventListener.bind(webSocket),
    async send(data: BufferLike) {
      // oRPC stops on the close event, not on a failed send.
      if (webSocket.readyState !== webSocket.OPEN) await closed;
      else if (isBehind(webSocket)) await sendSlowly(webSocket, data);
      else webSocket.send(data);
    },
  };
}

/** While paused, all messages wait, so that the last one resumes it. */
const isBehind = ({ isPaused, bufferedAmount }: PageSocket): boolean =>
  isPaused || bufferedAmount >= MUCH_WAITING_BYTES;

function sendSlowly(webSocket: PageSocket, data: BufferLike): Promise<void> {
  webSocket.pause();
  return new Promise((resolve) => {
    // Also called if the page is gone.
    webSocket.send(data, () => {
      if (webSocket.bufferedAmount < MUCH_WAITING_BYTES) webSocket.resume();
      resolve();
    });
  });
}
