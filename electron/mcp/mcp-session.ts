/** Connects to one MCP server on first use and after failures; only one connection is open. */
import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkHttpError,
  type Transport,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import type { z } from 'zod';
import { type AppError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { McpOffers, McpStatus } from '../../shared/mcp.ts';
import { type CallLimit, limitCall, NO_LIMIT_MS } from './call-limit.ts';
import { describeFailure } from './describe-failure.ts';
import { listOffers } from './list-offers.ts';
import { BadServerError } from './message-limits.ts';
import type { QuestionResult } from './server-questions.ts';
import { type NeededAccess, readNeededAccess } from './sign-in.ts';

interface SessionOptions {
  name: string;
  version: string;
  /** Doesn't connect yet; throws a `UserFacingError` if a secret value is missing. */
  openTransport: (onEnd: (reason: BadServerError | null) => void) => Promise<Transport>;
  onChange: () => void;
  onOffers: (offers: McpOffers) => void;
  log: (from: 'server' | 'gatehouse', text: string) => void;
  /** Asks the user; `requestId` is null if the server asks by an error of a call. */
  ask: (
    params: unknown,
    requestId: string | number | null,
    signal: AbortSignal,
  ) => Promise<QuestionResult>;
  /** Called when a request failed because the token doesn't cover it. */
  onAccessNeeded: (access: NeededAccess) => void;
  /** Removes secret values from an error. */
  redact: (text: string) => string;
}

interface Connected {
  client: Client;
  transport: Transport;
  /** Calls that are waiting for their response. */
  calls: number;
}

const CONNECT_MS = 30_000;
const REFRESH_MS = 500;

export interface McpSession {
  /** `error` is null unless the status is `failed` or `sign-in`. */
  state(): { status: McpStatus; error: AppError | null };
  /** Resolves when the server has listed its offers. Throws a `UserFacingError`. */
  connect(): Promise<void>;
  /**
   * Sends a request, once connected. Throws a `UserFacingError` if the server fails, and the
   * signal's reason if it aborts.
   */
  request<Output>(
    method: string,
    params: JsonObject,
    schema: z.ZodType<Output>,
    signal?: AbortSignal,
  ): Promise<Output>;
  /** Disconnects; the next request connects again. */
  close(): Promise<void>;
}

export function createMcpSession(options: SessionOptions): McpSession {
  const { log } = options;
  /** Calls that may be waiting for the user's answer to a question. */
  const limits = new Set<CallLimit>();
  let questions = 0;
  let closing = new AbortController();
  let status: McpStatus = 'stopped';
  let error: AppError | null = null;
  let connecting: Promise<Connected> | null = null;
  /** The latest connection's client, which can be closed even while it is connecting. */
  let current: Client | null = null;
  let refresh: NodeJS.Timeout | null = null;
  /** Connections whose session has expired, but which still have calls. */
  const expired = new Set<Connected>();
  /** Counts connections, so that late events of earlier ones are ignored. */
  let turn = 0;

  function describe(cause: unknown): AppError {
    const access = readNeededAccess(cause);
    if (access !== null) options.onAccessNeeded(access);
    return describeFailure(options.name, cause, options.redact);
  }

  function show(next: McpStatus, problem: AppError | null = null): void {
    status = next;
    error = problem;
    options.onChange();
  }

  async function connect(attempt: number): Promise<Connected> {
    show('starting');
    let ended: BadServerError | null = null;
    const client = new Client(
      { name: 'Gatehouse', version: options.version },
      { capabilities: { elicitation: { form: {}, url: {} } } },
    );
    current = client;
    // Limit the whole start, because a server could respond late to each of many requests.
    const deadline = setTimeout(() => {
      ended = new BadServerError('took too long to start.');
      void client.close();
    }, CONNECT_MS);
    client.onerror = (cause) => {
      // This also ends the connection, which logs the error with the server's name.
      if (cause instanceof BadServerError) return;
      log('gatehouse', options.redact(cause.message).slice(0, 2000));
    };
    try {
      const transport = await options.openTransport((reason) => {
        ended = reason;
      });
      if (turn !== attempt) throw new BadServerError('was stopped.');
      client.onclose = () => {
        if (turn !== attempt || status !== 'ready') return;
        connecting = null;
        cancelRefresh();
        const problem = describe(ended);
        log('gatehouse', problem.message);
        show('failed', problem);
      };
      answerServer(client);
      await client.connect(transport, { timeout: CONNECT_MS });
      followServer(client, attempt);
      const offers = await listOffers(client);
      if (turn !== attempt) throw new BadServerError('was stopped.');
      options.onOffers(offers);
      show('ready');
      return { client, transport, calls: 0 };
    } catch (cause) {
      await client.close().catch(() => undefined);
      const failure = new UserFacingError(describe(ended ?? cause));
      if (turn === attempt) {
        connecting = null;
        log('gatehouse', failure.error.message);
        show(failure.error.kind === 'unauthorized' ? 'sign-in' : 'failed', failure.error);
      }
      throw failure;
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Stops the clocks of all calls, because a server doesn't say which of them asks. */
  async function ask(...question: Parameters<SessionOptions['ask']>): Promise<QuestionResult> {
    questions += 1;
    for (const limit of limits) limit.pause();
    try {
      return await options.ask(...question);
    } finally {
      questions -= 1;
      if (questions === 0) for (const limit of limits) limit.resume();
    }
  }

  function answerServer(client: Client): void {
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
      ask(params, mcpReq.id, mcpReq.signal),
    );
    client.fallbackRequestHandler = async ({ method }) => {
      const feature = DECLINED[method];
      const message =
        feature === undefined ? 'Method not found' : `Gatehouse doesn’t offer ${feature}.`;
      if (feature !== undefined) log('gatehouse', `Declined a request for ${feature}.`);
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, message);
    };
  }

  function followServer(client: Client, attempt: number): void {
    client.setNotificationHandler('notifications/message', ({ params }) => {
      const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
      log('server', options.redact(`${params.level}: ${text}`.slice(0, 4096)));
    });
    const refreshSoon = () => {
      refresh ??= setTimeout(() => {
        refresh = null;
        listOffers(client)
          .then((offers) => {
            if (turn === attempt) options.onOffers(offers);
          })
          .catch((cause: unknown) => log('gatehouse', describe(cause).message));
      }, REFRESH_MS);
    };
    client.setNotificationHandler('notifications/tools/list_changed', refreshSoon);
    client.setNotificationHandler('notifications/prompts/list_changed', refreshSoon);
    client.setNotificationHandler('notifications/resources/list_changed', refreshSoon);
  }

  function cancelRefresh(): void {
    if (refresh !== null) clearTimeout(refresh);
    refresh = null;
  }

  function ready(): Promise<Connected> {
    if (connecting === null) {
      turn += 1;
      connecting = connect(turn);
      connecting.catch(() => undefined);
    }
    return connecting;
  }

  /** Starts a new session in place of an expired one, unless another call already has. */
  function replace(connected: Connected): Promise<Connected> {
    if (current === null) throw new BadServerError('was stopped.');
    if (current === connected.client) {
      expired.add(connected);
      closeIfUnused(connected);
      connecting = null;
      cancelRefresh();
    }
    return ready();
  }

  function closeIfUnused(connected: Connected): void {
    if (connected.calls > 0 || !expired.delete(connected)) return;
    connected.client.close().catch(() => undefined);
  }

  /**
   * Runs a call, and again in a new session if the server has forgotten this one. Repeating it is
   * safe, because a server rejects an unknown session with 404 instead of running the call.
   * See https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
   */
  async function callInSession<Output>(
    call: (client: Client) => Promise<Output>,
    connected: Connected,
    signal: AbortSignal | undefined,
  ): Promise<Output> {
    try {
      return await callOnce(call, connected);
    } catch (cause) {
      if (!hasExpired(connected, cause)) throw cause;
    }
    log('gatehouse', 'The session has expired. Starting a new one.');
    const renewed = await raceAbort(replace(connected), signal);
    try {
      return await callOnce(call, renewed);
    } catch (cause) {
      if (!hasExpired(renewed, cause)) throw cause;
      throw new BadServerError('ends each session at once (HTTP 404).');
    }
  }

  async function callOnce<Output>(
    call: (client: Client) => Promise<Output>,
    connected: Connected,
  ): Promise<Output> {
    connected.calls += 1;
    try {
      return await call(connected.client);
    } finally {
      connected.calls -= 1;
      closeIfUnused(connected);
    }
  }

  /** Asks the user to open each page that the server needs, until one is declined. */
  async function askInTurn(
    { elicitations }: UrlElicitationRequiredError,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const signals = signal === undefined ? [closing.signal] : [closing.signal, signal];
    for (const params of elicitations) {
      const { action } = await ask(params, null, AbortSignal.any(signals));
      if (action !== 'accept') return;
    }
  }

  async function close(): Promise<void> {
    turn += 1;
    closing.abort();
    closing = new AbortController();
    const clients = [...expired].map(({ client }) => client);
    if (current !== null) clients.push(current);
    expired.clear();
    current = null;
    connecting = null;
    cancelRefresh();
    if (status !== 'stopped') show('stopped');
    await Promise.all(clients.map((client) => client.close()));
  }

  return {
    state: () => ({ status, error }),

    async connect(): Promise<void> {
      await ready();
    },

    async request<Output>(
      method: string,
      params: JsonObject,
      schema: z.ZodType<Output>,
      signal?: AbortSignal,
    ): Promise<Output> {
      const connected = await raceAbort(ready(), signal);
      const limit = limitCall();
      limits.add(limit);
      if (questions > 0) limit.pause();
      const call = (client: Client) =>
        client.request({ method, params }, schema, {
          // The limit is exact: it excludes the time that the user takes to answer a question.
          timeout: NO_LIMIT_MS,
          // The server reports progress only if a handler asks for it.
          onprogress: limit.restart,
          signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
        });
      try {
        return await callInSession(call, connected, signal);
      } catch (cause) {
        if (cause instanceof UrlElicitationRequiredError) await askInTurn(cause, signal);
        if (signal?.aborted) throw signal.reason;
        const isLate = limit.signal.aborted;
        // The reason that the server ended is more helpful than a closed connection.
        const problem =
          status === 'failed' && error !== null
            ? error
            : describe(isLate ? limit.signal.reason : cause);
        if (problem.kind === 'unauthorized') {
          await close();
          show('sign-in', problem);
        }
        throw new UserFacingError(problem);
      } finally {
        limits.delete(limit);
        limit.end();
      }
    },

    close,
  };
}

/** Features that servers may ask for although Gatehouse doesn't declare them. */
const DECLINED: Readonly<Record<string, string | undefined>> = {
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Rejects with the signal's reason if it aborts first. */
function raceAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined) {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return Promise.race([promise, aborted]);
}

/** Returns true if the server no longer knows this session, which it reports as a 404. */
function hasExpired({ transport }: Connected, cause: unknown): boolean {
  return transport.sessionId !== undefined && cause instanceof SdkHttpError && cause.status === 404;
}
