/** The demo gateway: a real HTTP server on loopback with simulated models behind the interface. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { checkKey } from './http/check-request.ts';
import {
  createCallLimit,
  createPace,
  type DemoState,
  type Pace,
  sendJson,
} from './http/exchange.ts';
import { DemoError } from './http/failure.ts';
import { findRoute } from './http/routes.ts';
import { createSpokenSounds } from './media/spoken-sounds.ts';
import { createTaskList } from './media/task-list.ts';
import { createVideoCache } from './media/video-cache.ts';

/** Longer than clients keep idle sockets, so that none is closed under a request. */
const KEEP_ALIVE_MS = 65_000;
const DEFAULT_VIDEO_SECONDS = 8;

/** For tests: what became of each request. `atMs` is Unix time with fractions. */
export interface DemoEvent {
  kind: 'open' | 'finished' | 'closed-by-client' | 'cut';
  path: string;
  atMs: number;
}

export interface DemoGatewayOptions {
  /** 0 takes a free one. */
  port: number;
  /** What `Authorization: Bearer` must carry. */
  key: string;
  /** A line for each request; never a header or a body. */
  log?: (line: string) => void;
  /** 1 streams in real time; 100 makes tests a hundred times shorter. */
  speed?: number;
  /** What passes the time of answers, in place of a clock that `speed` makes faster. */
  pace?: Pace;
  /** How long a video task takes at least; 8 unless given. */
  videoSeconds?: number;
  onEvent?: (event: DemoEvent) => void;
}

export interface DemoGateway {
  baseUrl: string;
  /** Breaks off what is still running. */
  close: () => Promise<void>;
}

/** Rejects with the system's error where the port cannot be had. */
export async function startDemoGateway(options: DemoGatewayOptions): Promise<DemoGateway> {
  const speed = options.speed ?? 1;
  const pace = options.pace ?? createPace(speed);
  const tasks = createTaskList({
    now: Date.now,
    videoSeconds: (options.videoSeconds ?? DEFAULT_VIDEO_SECONDS) / speed,
    shelf: createVideoCache(),
  });
  const state: DemoState = {
    pace,
    callLimit: createCallLimit(),
    tasks,
    spoken: createSpokenSounds(),
    baseUrl: () => baseUrl,
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void answer(request, response, state, options);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    close: async () => {
      tasks.close();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  state: DemoState,
  { key, log, onEvent }: DemoGatewayOptions,
): Promise<void> {
  const method = request.method ?? 'GET';
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const gone = new AbortController();
  let wasCut = false;
  const report = (kind: DemoEvent['kind']) => {
    onEvent?.({ kind, path, atMs: performance.timeOrigin + performance.now() });
  };
  response.on('close', () => {
    const kind = response.writableFinished ? 'finished' : wasCut ? 'cut' : 'closed-by-client';
    if (kind === 'closed-by-client') gone.abort();
    log?.(`${method} ${path} ${response.statusCode} ${kind}`);
    report(kind);
  });
  response.setHeader('x-request-id', `req_${randomUUID()}`);
  report('open');
  const cut = (lastBytes: string | Buffer) => {
    wasCut = true;
    response.write(lastBytes, () => response.destroy());
  };
  try {
    checkKey(request.headers.authorization, key);
    const route = findRoute(method, path);
    const { parameter } = route;
    await route.answer({ request, response, parameter, signal: gone.signal, state, cut });
  } catch (error) {
    if (gone.signal.aborted || response.destroyed) return;
    refuse(request, response, error, log);
  }
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  log: DemoGatewayOptions['log'],
): void {
  const failure =
    error instanceof DemoError
      ? error
      : new DemoError(500, 'The demo gateway failed.', { type: 'server_error' });
  if (failure !== error) log?.(`failed: ${error instanceof Error ? error.stack : String(error)}`);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const [name, value] of Object.entries(failure.details.headers ?? {})) {
    response.setHeader(name, value);
  }
  sendJson(response, failure.status, failure.toErrorObject());
  // What the client is still sending is read away, so that it gets to see the reply.
  request.resume();
}
