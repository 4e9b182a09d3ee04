/** The loopback server: checks every request, then hands it to the page's files or the socket. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isMediaUrl, type MediaRoutes } from '../media/routes/media-routes.ts';
import { listen } from './listen.ts';
import { createMediaHandler } from './media-handler.ts';
import {
  type RequestHandler,
  sendError,
  sendExpiredUrlPage,
  sendTokenRedirectPage,
} from './pages.ts';
import { createRpcSocket, type RpcRouter } from './rpc-socket.ts';
import { createSession, rejectReason, type Session } from './session.ts';

/** Where the page comes from: the build, or Vite. */
export interface HostPage {
  /** Serves the page to requests that have passed the checks. */
  createPage: (server: Server) => RequestHandler | Promise<RequestHandler>;
  /** Upgrades other than `/rpc` that the page's server takes itself (Vite's hot reload). */
  takesUpgrade?: (request: IncomingMessage) => boolean;
}

export interface BrowserHostOptions extends HostPage {
  router: RpcRouter;
  /** Everything below `/media`; without them there is nothing there. */
  media?: MediaRoutes;
  /** Null: the default port, or a free one. */
  port: number | null;
}

export interface BrowserHost {
  port: number;
  /** The default port was taken. */
  isSubstitutePort: boolean;
  /** A fresh address; it works once. */
  createAddress(): string;
  close(): void;
}

/** A browser sends a header at once; one that opens a connection ahead of its need opens another later. */
const HEADER_LIMIT_MS = 5000;
const HEADER_LOOK_MS = 1000;

export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const server = createServer({
    headersTimeout: HEADER_LIMIT_MS,
    connectionsCheckingInterval: HEADER_LOOK_MS,
  });
  const { port, isSubstitute } = await listen(server, options.port);
  const session = createSession(port);
  const rpc = createRpcSocket(options.router);
  const page = await options.createPage(server);
  const media = options.media && createMediaHandler(options.media);

  server.on('request', (request, response) => {
    const isMedia = media !== undefined && isMediaUrl(request.url ?? '/');
    answer(request, response, session, isMedia ? { handler: media, writes: true } : readOnly(page));
  });
  server.on('upgrade', (request, socket, head) => {
    if (rejectReason(request.headers, 'socket') !== null) {
      refuseUpgrade(socket, '403 Forbidden');
    } else if (!session.accepts(request.headers.cookie)) {
      refuseUpgrade(socket, '401 Unauthorized');
    } else if (request.url === '/rpc') {
      rpc.accept(request, socket, head);
    } else if (!options.takesUpgrade?.(request)) {
      refuseUpgrade(socket, '404 Not Found');
    }
  });

  return {
    port,
    isSubstitutePort: isSubstitute,
    createAddress: () => `http://127.0.0.1:${port}/?token=${session.createToken()}`,
    close() {
      rpc.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Target {
  handler: RequestHandler;
  /** Takes more than GET and HEAD, and answers the other methods itself. */
  writes: boolean;
}

function readOnly(handler: RequestHandler): Target {
  return { handler, writes: false };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  session: Session,
  { handler, writes }: Target,
): void {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const refusal = rejectReason(request.headers, !reads && writes ? 'write' : 'http');
  if (refusal !== null) {
    sendError(response, 403, refusal);
    return;
  }
  if (!reads && !writes) {
    response.setHeader('allow', 'GET, HEAD');
    sendError(response, 405, 'Only GET and HEAD are supported.');
    return;
  }
  // HEAD comes from link checkers and previews, which must not use a token up.
  const token = request.method === 'GET' ? getToken(request.url) : null;
  const cookie = token === null ? null : session.redeem(token);
  if (cookie !== null) sendTokenRedirectPage(response, cookie);
  else if (session.accepts(request.headers.cookie)) handler(request, response);
  else sendExpiredUrlPage(response);
}

function getToken(url = '/'): string | null {
  const [path, query = ''] = url.split('?', 2);
  return path === '/' ? new URLSearchParams(query).get('token') : null;
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  // Its other end may never close.
  socket.on('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
