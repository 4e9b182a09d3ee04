/** Serves the browser version on the loopback interface and checks every request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { isMediaUrl, type MediaRoutes } from '../media/routes/media-routes.ts';
import { createBrowserSession, rejectReason, type Session } from './browser-session.ts';
import { createMediaHandler } from './media-handler.ts';
import {
  type RequestHandler,
  sendError,
  sendExpiredUrlPage,
  sendTokenRedirectPage,
} from './pages.ts';
import { createRpcSocket, type RpcRouter } from './rpc-socket.ts';

export interface HostPage {
  createPage: (server: Server) => RequestHandler | Promise<RequestHandler>;
  /** Vite's hot reload needs WebSocket upgrades on paths other than `/rpc`. */
  takesUpgrade?: (request: IncomingMessage) => boolean;
}

export interface BrowserHostOptions extends HostPage {
  router: RpcRouter;
  media?: MediaRoutes;
  /** A null port means the default port, or a free port if the default is in use. */
  port: number | null;
}

export interface BrowserHost {
  port: number;
  isSubstitutePort: boolean;
  /** Returns a new single-use sign-in URL. */
  createAddress(): string;
  close(): void;
}

/** Browsers send headers immediately, so an idle preconnected socket may be closed. */
const HEADER_LIMIT_MS = 5000;
const HEADER_LOOK_MS = 1000;

export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const server = createServer({
    headersTimeout: HEADER_LIMIT_MS,
    connectionsCheckingInterval: HEADER_LOOK_MS,
  });
  const { port, isSubstitute } = await listen(server, options.port);
  const session = createBrowserSession(port);
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
  /** True if the handler accepts methods other than GET and HEAD. */
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
  // Ignore HEAD requests from link previews, which must not use up a token.
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
  // Destroy the socket, because the client may never close the connection.
  socket.on('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

export const DEFAULT_PORT = 4680;

export interface Listening {
  port: number;
  isSubstitute: boolean;
}

/** A null port means the default or a free port; rejects if an explicit port is in use. */
export async function listen(server: Server, port: number | null): Promise<Listening> {
  if (port !== null) return { port: await bind(server, port), isSubstitute: false };
  try {
    return { port: await bind(server, DEFAULT_PORT), isSubstitute: false };
  } catch (error) {
    if (!isAddressInUse(error)) throw error;
    return { port: await bind(server, 0), isSubstitute: true };
  }
}

export function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
