/** Connects to one MCP server on first use and after failures; only one connection is open. */
import {
  Client,
  type RequestOptions,
  SdkHttpError,
  type Transport,
} from '@modelcontextprotocol/client';
import type { z } from 'zod';
import { type AppError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { McpOffers, McpStatus } from '../../shared/mcp.ts';
import { describeFailure } from './describe-failure.ts';
import { BadServerError } from './message-limits.ts';
import {
  limitOffers,
  MAX_LISTED_ITEMS,
  promptPageSchema,
  readPrompts,
  readResources,
  readTools,
  resourcePageSchema,
  toolPageSchema,
} from './read-offers.ts';

interface SessionOptions {
  name: string;
  version: string;
  /** Doesn't connect yet; throws a `UserFacingError` if a secret value is missing. */
  openTransport: (onEnd: (reason: BadServerError | null) => void) => Promise<Transport>;
  onChange: () => void;
  onOffers: (offers: McpOffers) => void;
  log: (from: 'server' | 'gatehouse', text: string) => void;
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
const CALL_MS = 60_000;
/** A call that reports progress may take longer. */
const MAX_CALL_MS = 600_000;
const REFRESH_MS = 500;
const MAX_PAGES = 20;

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
  const describe = (cause: unknown) => describeFailure(options.name, cause, options.redact);
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

  function show(next: McpStatus, problem: AppError | null = null): void {
    status = next;
    error = problem;
    options.onChange();
  }

  async function connect(attempt: number): Promise<Connected> {
    show('starting');
    let ended: BadServerError | null = null;
    const client = new Client({ name: 'Gatehouse', version: options.version });
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
      await client.connect(transport, { timeout: CONNECT_MS });
      followServer(client, attempt);
      const offers = await list(client);
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

  function followServer(client: Client, attempt: number): void {
    client.setNotificationHandler('notifications/message', ({ params }) => {
      const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
      log('server', options.redact(`${params.level}: ${text}`.slice(0, 4096)));
    });
    const refreshSoon = () => {
      refresh ??= setTimeout(() => {
        refresh = null;
        list(client)
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

  async function list(client: Client): Promise<McpOffers> {
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const listed = {
      tools: tools
        ? await listAll(client, 'tools/list', toolPageSchema, (page) => page.tools)
        : noItems,
      prompts: prompts
        ? await listAll(client, 'prompts/list', promptPageSchema, (page) => page.prompts)
        : noItems,
      resources: resources
        ? await listAll(client, 'resources/list', resourcePageSchema, (page) => page.resources)
        : noItems,
    };
    return limitOffers({
      tools: readTools(listed.tools.items),
      prompts: readPrompts(listed.prompts.items),
      resources: readResources(listed.resources.items),
      cut: offerKinds.filter((kind) => listed[kind].isCut),
    });
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

  async function close(): Promise<void> {
    turn += 1;
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
      const call = (client: Client) =>
        send(client, method, params, schema, {
          timeout: CALL_MS,
          maxTotalTimeout: MAX_CALL_MS,
          resetTimeoutOnProgress: true,
          // The server reports progress only if a handler asks for it.
          onprogress: () => undefined,
          ...(signal && { signal }),
        });
      try {
        return await callInSession(call, connected, signal);
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        // The reason that the server ended is more helpful than a closed connection.
        const problem = status === 'failed' && error !== null ? error : describe(cause);
        if (problem.kind === 'unauthorized') {
          await close();
          show('sign-in', problem);
        }
        throw new UserFacingError(problem);
      }
    },

    close,
  };
}

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

interface Listed {
  items: unknown[];
  isCut: boolean;
}

const noItems: Listed = { items: [], isCut: false };
const offerKinds = ['tools', 'prompts', 'resources'] as const;

async function listAll<Page extends { nextCursor?: string | null | undefined }>(
  client: Client,
  method: string,
  schema: z.ZodType<Page>,
  getItems: (page: Page) => unknown[],
): Promise<Listed> {
  const items: unknown[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES && items.length < MAX_LISTED_ITEMS; page += 1) {
    const params: JsonObject = cursor === null ? {} : { cursor };
    const result: Page = await send(client, method, params, schema, {
      timeout: CONNECT_MS,
    });
    items.push(...getItems(result));
    cursor = result.nextCursor ?? null;
    if (cursor === null) break;
  }
  const isCut = cursor !== null || items.length > MAX_LISTED_ITEMS;
  return { items: items.slice(0, MAX_LISTED_ITEMS), isCut };
}

function send<Output>(
  client: Client,
  method: string,
  params: JsonObject,
  schema: z.ZodType<Output>,
  options: RequestOptions,
): Promise<Output> {
  return client.request({ method, params }, schema, options);
}
