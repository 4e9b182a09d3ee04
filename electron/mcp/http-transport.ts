/**
 * Connects to an MCP server over streamable HTTP through the system's proxies and certificates. Its
 * headers and token are sent only to the server's own origin.
 */
import {
  type AuthProvider,
  type FetchLike,
  isJSONRPCRequest,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { createParser } from 'eventsource-parser';
import { Agent, fetch } from 'undici';
import { parseJson } from '../../shared/parse-json.ts';
import type { Network } from '../gateway/network.ts';
import { createUnreachableError } from '../gateway/transport-errors.ts';
import {
  BadServerError,
  createOversizedMessageError,
  limitRate,
  limitValues,
  MAX_MESSAGE_BYTES,
  type RateLimit,
} from './message-limits.ts';
import type { MessageLog } from './message-log.ts';
import { rejectUnreadableResponse } from './unreadable-response.ts';

interface HttpOptions {
  url: string;
  headers: ReadonlyMap<string, string>;
  network: Pick<Network, 'connect'>;
  now: () => number;
  authProvider: AuthProvider | OAuthClientProvider;
  messages: Pick<MessageLog, 'addSent' | 'addReceived'>;
  /** Called once, before `onclose`, if the server broke a limit. */
  onEnd: (reason: BadServerError) => void;
}

const NEWLINE = 10;
const RETURN = 13;

interface HttpTransport {
  transport: StreamableHTTPClientTransport;
  /** Sends requests as the transport does, such as those of a sign-in. */
  fetch: FetchLike;
}

export function createHttpTransport(options: HttpOptions): HttpTransport {
  let agent: Agent | null = null;
  const { origin, href } = new URL(options.url);
  const rate = limitRate(options.now);
  let failure: BadServerError | null = null;

  /** Ends the connection if a check throws a `BadServerError`. */
  function checked(check: () => void): void {
    // The SDK may still read what arrived before the connection ended.
    if (failure !== null) throw failure;
    try {
      check();
    } catch (cause) {
      if (cause instanceof BadServerError) {
        failure = cause;
        options.onEnd(cause);
        void transport.close();
      }
      throw cause;
    }
  }

  const fetchLimited: FetchLike = async (target, init = {}) => {
    const url = new URL(target);
    const headers = new Headers(init.headers);
    // The SDK also calls authorization servers, which must not receive the server's headers.
    if (url.origin === origin) {
      for (const [name, value] of options.headers) {
        if (!headers.has(name)) headers.set(name, value);
      }
    }
    const { method = 'GET', body, signal } = init;
    // Other addresses belong to the sign-in.
    const isServer = url.href === href;
    const sent =
      isServer && typeof body === 'string' ? options.messages.addSent(body, [...headers]) : null;
    // Sign-in sends its last requests after the connection has closed.
    agent ??= createAgent(options.network);
    const response = await fetch(url, {
      method,
      headers: [...headers],
      redirect: 'manual',
      dispatcher: agent,
      ...(typeof body === 'string' && { body }),
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      ...(signal && { signal }),
    }).catch((cause: unknown) => {
      throw toServerError(url, cause);
    });
    sent?.setStatus(response.status);
    const carrier = {
      status: response.status,
      headers: [...response.headers],
      callId: sent?.callId ?? null,
    };
    const onMessage = (text: string) => {
      if (isServer) options.messages.addReceived(text, carrier);
    };
    const type = response.headers.get('content-type') ?? '';
    const isStream = type.startsWith('text/event-stream');
    const filter = isStream
      ? createEventFilter(rate, onMessage)
      : createBodyFilter(rate, onMessage);
    const isEmpty = response.body === null || [204, 205, 304].includes(response.status);
    return new Response(isEmpty ? null : toStream(response.body, filter, checked), {
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
    });
  };

  const transport = new StreamableHTTPClientTransport(new URL(options.url), {
    fetch: fetchLimited,
    authProvider: options.authProvider,
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
  // The client adds its own handler and still calls this one first.
  transport.onmessage = (message) => {
    if (isJSONRPCRequest(message)) checked(rate.countRequest);
  };
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    await agent?.destroy();
    agent = null;
  };
  return { transport, fetch: fetchLimited };
}

function createAgent(network: Pick<Network, 'connect'>): Agent {
  return new Agent({
    allowH2: false,
    // Streams may be silent for long; the SDK limits how long a request takes.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect({ protocol, host, hostname, port }, callback) {
      const url = new URL(`${protocol}//${host ?? `${hostname}:${port}`}`);
      network.connect(url).then(
        (socket) => callback(null, socket),
        (cause: unknown) =>
          callback(cause instanceof Error ? cause : new Error(String(cause)), null),
      );
    },
  });
}

/** Returns the cause itself unless the network failed. */
function toServerError(url: URL, cause: unknown): unknown {
  if (!(cause instanceof TypeError && cause.cause instanceof Error)) return cause;
  const { message } = createUnreachableError(url, cause.cause);
  return new BadServerError(`can’t be reached. ${message}`, 'Check its URL and your network.');
}

/** Receives a body's bytes as they arrive. Throws a `BadServerError` if they break a limit. */
interface BodyFilter {
  check(bytes: Uint8Array): void;
  /** Returns events to add after the bytes that were checked; null if there are none. */
  takeAdded(): Uint8Array | null;
  end(): void;
}

function createBodyFilter(rate: RateLimit, onMessage: (text: string) => void): BodyFilter {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const checkValues = limitValues();
  return {
    check(bytes) {
      size += bytes.length;
      if (size > MAX_MESSAGE_BYTES) throw createOversizedMessageError();
      rate.countMessage(bytes.length);
      checkValues(bytes);
      pieces.push(bytes);
    },
    takeAdded: () => null,
    end() {
      const text = Buffer.concat(pieces).toString('utf8');
      if (text !== '') onMessage(text);
    },
  };
}

/** Adds an error after each response that can't be read, so that its call ends at once. */
function createEventFilter(rate: RateLimit, onMessage: (text: string) => void): BodyFilter {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let isLineEmpty = false;
  let added = '';

  function endEvent(): void {
    const bytes = Buffer.concat(pieces);
    rate.countMessage(size);
    limitValues()(bytes);
    const data = readEventData(bytes.toString('utf8'));
    pieces = [];
    size = 0;
    if (data === '') return;
    onMessage(data);
    const rejection = UNREADABLE.test(data) ? rejectUnreadableResponse(parseJson(data)) : null;
    if (rejection !== null) added += `data: ${JSON.stringify(rejection)}\n\n`;
  }

  return {
    check(bytes) {
      let start = 0;
      let lineStart = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, lineStart)) {
        const isBlank = end === lineStart || (end === lineStart + 1 && bytes[lineStart] === RETURN);
        if (isBlank && (lineStart > 0 || isLineEmpty)) {
          pieces.push(bytes.subarray(start, end + 1));
          size += end + 1 - start;
          start = end + 1;
          endEvent();
        }
        lineStart = end + 1;
        isLineEmpty = true;
      }
      const rest = bytes.subarray(start);
      pieces.push(rest);
      size += rest.length;
      if (lineStart < bytes.length) {
        const isReturn = lineStart === bytes.length - 1 && bytes[lineStart] === RETURN;
        isLineEmpty = isReturn && (lineStart > 0 || isLineEmpty);
      }
      if (size > MAX_MESSAGE_BYTES) throw createOversizedMessageError();
    },
    takeAdded() {
      if (added === '') return null;
      const bytes = Buffer.from(added);
      added = '';
      return bytes;
    },
    end: () => undefined,
  };
}

/** Matches events to check: a result that isn't an object, or any error. Others are parsed once. */
const UNREADABLE = /"result"\s*:\s*[^{\s]|"error"\s*:/;

/** Returns an empty text for an event without data, such as a comment. */
function readEventData(event: string): string {
  let data = '';
  const parser = createParser({
    onEvent(parsed) {
      data = parsed.data;
    },
  });
  parser.feed(event);
  return data;
}

function toStream(
  body: AsyncIterable<Uint8Array> | null,
  filter: BodyFilter,
  checked: (check: () => void) => void,
): ReadableStream<Uint8Array> | null {
  if (body === null) return null;
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) {
        filter.end();
        controller.close();
        return;
      }
      checked(() => filter.check(value));
      controller.enqueue(value);
      const added = filter.takeAdded();
      if (added !== null) controller.enqueue(added);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
