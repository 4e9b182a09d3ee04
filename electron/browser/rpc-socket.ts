/** Serves RPC over WebSockets whose upgrade requests passed the checks. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';

/** Fits a pasted document of several megabytes even if JSON escaping doubles its size. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Sending pauses while the page has this many unread bytes. */
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

/** A router from `createRouter`; its context has the page's `link`, if it needs one. */
export type RpcRouter = AnyRouter;

export interface RpcSocket {
  /** Upgrades a request that passed the checks. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Disconnects all pages. */
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
    // Without a listener, a malformed frame would crash the process.
    webSocket.on('error', () => webSocket.terminate());
    void handler.upgrade(withBackpressure(webSocket), { context: { link: webSocket } });
  });

  return {
    accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        server.emit('connection', webSocket, request);
      });
    },

    close(): void {
      for (const webSocket of server.clients) {
        webSocket.close(CLOSE_GOING_AWAY);
        webSocket.terminate();
      }
      server.close();
    },
  };
}

/** Returns a socket that waits before sending until the page has read earlier messages. */
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

/** Also true while paused, so that every message waits and the last one resumes reading. */
const isBehind = ({ isPaused, bufferedAmount }: PageSocket): boolean =>
  isPaused || bufferedAmount >= MUCH_WAITING_BYTES;

function sendSlowly(webSocket: PageSocket, data: BufferLike): Promise<void> {
  webSocket.pause();
  return new Promise((resolve) => {
    // `ws` calls back even if the page has disconnected.
    webSocket.send(data, () => {
      if (webSocket.bufferedAmount < MUCH_WAITING_BYTES) webSocket.resume();
      resolve();
    });
  });
}
