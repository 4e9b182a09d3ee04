/** Runs the demo gateway: a real HTTP server on the loopback interface with simulated models. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerSpeech, answerTranscription } from './endpoints/audio.ts';
import { answerChat } from './endpoints/chat.ts';
import { answerCompletion } from './endpoints/completion.ts';
import { answerEmbeddings } from './endpoints/embeddings.ts';
import { answerImage } from './endpoints/image.ts';
import { editImages, generateImages, sendImage } from './endpoints/images.ts';
import { answerMessages } from './endpoints/messages.ts';
import { answerFineTunes, answerModelList } from './endpoints/model-list.ts';
import { answerRerank } from './endpoints/rerank.ts';
import { answerResponses } from './endpoints/responses.ts';
import { answerVideoStatus, sendVideo, submitVideo } from './endpoints/video.ts';
import {
  answerVideo,
  createVideo,
  deleteVideo,
  remixVideo,
  sendVideoContent,
} from './endpoints/videos.ts';
import {
  createCallLimit,
  createPace,
  type DemoState,
  type Endpoint,
  type Pace,
  sendJson,
} from './exchange.ts';
import { createSpeechTextIndex } from './media/spoken-texts.ts';
import { createVideoTasks } from './media/video-tasks.ts';
import { checkKey, DemoError } from './requests.ts';

const ROUTES: readonly [method: string, path: RegExp, answer: Endpoint][] = [
  ['POST', /^\/v1\/chat\/completions$/, answerChat],
  ['POST', /^\/v1\/messages$/, answerMessages],
  ['POST', /^\/v1\/responses$/, answerResponses],
  ['POST', /^\/v1\/completions$/, answerCompletion],
  ['GET', /^\/v1\/models$/, answerModelList],
  ['POST', /^\/v1beta\/models\/([^/]+):generateContent$/, answerImage],
  ['POST', /^\/v1\/images\/generations$/, generateImages],
  ['POST', /^\/v1\/images\/edits$/, editImages],
  ['GET', /^\/v1\/images\/files\/([^/]+)$/, sendImage],
  ['POST', /^\/v1\/video\/generations$/, submitVideo],
  ['GET', /^\/v1\/video\/generations\/([^/]+)$/, answerVideoStatus],
  ['GET', /^\/v1\/video\/generations\/([^/]+)\/content$/, sendVideo],
  ['POST', /^\/v1\/videos$/, createVideo],
  ['GET', /^\/v1\/videos\/([^/]+)$/, answerVideo],
  ['DELETE', /^\/v1\/videos\/([^/]+)$/, deleteVideo],
  ['GET', /^\/v1\/videos\/([^/]+)\/content$/, sendVideoContent],
  ['POST', /^\/v1\/videos\/([^/]+)\/remix$/, remixVideo],
  ['POST', /^\/v1\/rerank$/, answerRerank],
  ['POST', /^\/v1\/embeddings$/, answerEmbeddings],
  ['POST', /^\/v1\/audio\/speech$/, answerSpeech],
  ['POST', /^\/v1\/audio\/transcriptions$/, answerTranscription],
  ['POST', /^\/v1\/fine-tunes$/, answerFineTunes],
];

/** Longer than clients keep idle sockets, so the server never closes one as a request arrives. */
const KEEP_ALIVE_MS = 65_000;
const DEFAULT_VIDEO_SECONDS = 8;
const LISTEN_ERRORS = new Set<unknown>(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'EMFILE']);

export interface DemoEvent {
  kind: 'open' | 'finished' | 'closed-by-client' | 'cut';
  path: string;
  atMs: number;
}

export interface DemoGatewayOptions {
  port: number;
  key: string;
  log?: (line: string) => void;
  speed?: number;
  pace?: Pace;
  videoSeconds?: number;
  onEvent?: (event: DemoEvent) => void;
}

export interface DemoGateway {
  baseUrl: string;
  close: () => Promise<void>;
}

/** The built-in gateway uses a free port and a new key on each start. */
export interface Demo extends DemoGateway {
  key: string;
  /** Explains why the gateway isn't running (no free port); null while it runs. */
  unavailable: string | null;
}

/**
 * Resolves even if no port is free, because the app works without the demo gateway.
 * `GATEHOUSE_DEMO_VIDEO_SECONDS` sets how long a video task takes; `GATEHOUSE_DEMO_SPEED` is for
 * tests.
 */
export async function startDemo(
  environment: NodeJS.ProcessEnv,
  log: (line: string) => void = () => undefined,
): Promise<Demo> {
  const key = createKey();
  const videoSeconds = readVideoSeconds(environment.GATEHOUSE_DEMO_VIDEO_SECONDS ?? '');
  const speed = readSpeed(environment.GATEHOUSE_DEMO_SPEED ?? '');
  try {
    const gateway = await startDemoGateway({
      port: 0,
      key,
      ...(videoSeconds !== null && { videoSeconds }),
      ...(speed !== null && { speed }),
    });
    return { key, unavailable: null, ...gateway };
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && LISTEN_ERRORS.has(cause.code))) throw cause;
    const unavailable = `Couldn’t open a port on 127.0.0.1 (${cause.message}).`;
    log(`Demo is unavailable. ${unavailable}`);
    return { key, unavailable, baseUrl: '', close: async () => undefined };
  }
}

export function createKey(): string {
  return `demo-${randomBytes(18).toString('base64url')}`;
}

export function readVideoSeconds(text: string): number | null {
  return /^\d{1,4}(\.\d{1,3})?$/.test(text) && Number(text) <= 3600 ? Number(text) : null;
}

function readSpeed(text: string): number | null {
  return /^([1-9]\d{0,2}|1000)$/.test(text) ? Number(text) : null;
}

/** Rejects with the system error if the port isn't available. */
export async function startDemoGateway(options: DemoGatewayOptions): Promise<DemoGateway> {
  const speed = options.speed ?? 1;
  const pace = options.pace ?? createPace(speed);
  const tasks = createVideoTasks({
    now: Date.now,
    videoSeconds: (options.videoSeconds ?? DEFAULT_VIDEO_SECONDS) / speed,
  });
  const state: DemoState = {
    pace,
    countLimitedCall: createCallLimit(),
    tasks,
    spoken: createSpeechTextIndex(),
    images: new Map(),
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
    async close() {
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
  let isCut = false;
  const report = (kind: DemoEvent['kind']) => {
    onEvent?.({ kind, path, atMs: performance.timeOrigin + performance.now() });
  };
  response.on('close', () => {
    const kind = response.writableFinished ? 'finished' : isCut ? 'cut' : 'closed-by-client';
    if (kind === 'closed-by-client') gone.abort();
    log?.(`${method} ${path} ${response.statusCode} ${kind}`);
    report(kind);
  });
  response.setHeader('x-request-id', `req_${randomUUID()}`);
  report('open');
  const cut = (lastBytes: string | Buffer) => {
    isCut = true;
    response.write(lastBytes, () => response.destroy());
  };
  try {
    checkKey(request, key);
    const { endpoint, parameter } = findRoute(method, path);
    await endpoint({ request, response, parameter, signal: gone.signal, state, cut });
  } catch (error) {
    if (gone.signal.aborted || response.destroyed) return;
    if (!(error instanceof DemoError)) {
      log?.(`failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
    sendError(request, response, error);
  }
}

function findRoute(method: string, path: string): { endpoint: Endpoint; parameter: string } {
  const type = 'invalid_request_error';
  const routes = ROUTES.filter(([, pattern]) => pattern.test(path));
  const methods = routes.map(([allowed]) => allowed).join(', ');
  if (methods === '') {
    const message = `Unknown endpoint: ${method} ${path.slice(0, 200)}.`;
    throw new DemoError(404, message, { type, code: 'not_found' });
  }
  const route = routes.find(([allowed]) => allowed === method);
  if (route === undefined) {
    throw new DemoError(405, `${path} supports ${methods}, not ${method}.`, {
      type,
      code: 'method_not_allowed',
      headers: { allow: methods },
    });
  }
  const [, pattern, endpoint] = route;
  const text = pattern.exec(path)?.[1] ?? '';
  try {
    return { endpoint, parameter: decodeURIComponent(text) };
  } catch {
    return { endpoint, parameter: text };
  }
}

function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const failure =
    error instanceof DemoError
      ? error
      : new DemoError(500, 'The demo gateway failed.', { type: 'server_error' });
  const { type, param = null, code = null, headers = {} } = failure.details;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const isMessages = request.url?.startsWith('/v1/messages') ?? false;
  sendJson(response, failure.status, {
    ...(isMessages && { type: 'error' }),
    error: { message: failure.message, type, param, code },
  });
  // Read the whole body, because clients don't read the response until they have sent it.
  request.resume();
}
