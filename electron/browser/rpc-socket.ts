/** The contract over WebSockets, for pages whose request the host has already checked. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnyRouter } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';

/** A pasted document of some megabytes fits; JSON escapes can double it. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** With more on its way to a page that does not read it, nothing further is made for it. */
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

/**
 * What oRPC uses of a socket. It waits for what it sends: what a page watches is joined until the page reads again, and
 * its further calls stay in the kernel until then.
 */
export function withBackpressure(
  webSocket: PageSocket,
): Pick<WebSocket, 'addEventListener' | 'send'> {
  const closed = new Promise<void>((resolve) => webSocket.once('close', () => resolve()));
  return {
    addEventListener: webSocket.addEventListener.bind(webSocket),
    async send(data: BufferLike) {
      // oRPC stops what it makes when it hears of the close, not of the failed send.
      if (webSocket.readyState !== webSocket.OPEN) await closed;
      else if (isBehind(webSocket)) await sendSlowly(webSocket, data);
      else webSocket.send(data);
    },
  };
}

/** While it is paused everything waits for its turn: whatever goes last is then what resumes it. */
const isBehind = ({ isPaused, bufferedAmount }: PageSocket): boolean =>
  isPaused || bufferedAmount >= MUCH_WAITING_BYTES;

function sendSlowly(webSocket: PageSocket, data: BufferLike): Promise<void> {
  webSocket.pause();
  return new Promise((resolve) => {
    // Also called where the page has gone away.
    webSocket.send(data, () => {
      if (webSocket.bufferedAmount < MUCH_WAITING_BYTES) webSocket.resume();
      resolve();
    });
  });
}
