/**
 * Connects to an MCP server over streamable HTTP through the system's proxies and certificates. Its
 * headers and token are sent only to the server's own origin.
 */
import {
  type AuthProvider,
  type FetchLike,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Agent, fetch } from 'undici';
import type { Network } from '../gateway/network.ts';
import { createUnreachableError } from '../gateway/transport-errors.ts';
import { BadServerError, limitRate, MAX_MESSAGE_BYTES, tooLargeError } from './message-limits.ts';

interface HttpOptions {
  url: string;
  headers: ReadonlyMap<string, string>;
  network: Pick<Network, 'connect'>;
  now: () => number;
  authProvider: AuthProvider | OAuthClientProvider;
  /** Called once, before `onclose`, if the server broke a limit. */
  onEnd: (reason: BadServerError) => void;
}

const NEWLINE = 10;
const RETURN = 13;

export function createHttpTransport(options: HttpOptions): StreamableHTTPClientTransport {
  let agent: Agent | null = null;
  const { origin } = new URL(options.url);
  const countMessage = limitRate(options.now);

  function fail(reason: BadServerError): void {
    options.onEnd(reason);
    void transport.close();
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
    // Sign-in sends its last requests after the connection has closed.
    agent ??= createAgent(options.network);
    const response = await fetch(url, {
      ...{ method, headers: [...headers], redirect: 'manual', dispatcher: agent },
      ...(typeof body === 'string' && { body }),
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      ...(signal && { signal }),
    }).catch((cause: unknown) => {
      throw describeUnreachable(url, cause);
    });
    const type = response.headers.get('content-type') ?? '';
    const limit = limitBody(type.startsWith('text/event-stream'), countMessage, fail);
    const isEmpty = response.body === null || [204, 205, 304].includes(response.status);
    return new Response(isEmpty ? null : toStream(response.body, limit), {
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
    });
  };

  const transport = new StreamableHTTPClientTransport(new URL(options.url), {
    fetch: fetchLimited,
    authProvider: options.authProvider,
    reconnectionOptions: {
      ...{ initialReconnectionDelay: 1000, maxReconnectionDelay: 30_000 },
      ...{ reconnectionDelayGrowFactor: 2, maxRetries: 3 },
    },
  });
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    await agent?.destroy();
    agent = null;
  };
  return transport;
}

function createAgent(network: Pick<Network, 'connect'>): Agent {
  return new Agent({
    allowH2: false,
    // Streams may be silent for long; the SDK limits how long a request takes.
    ...{ headersTimeout: 0, bodyTimeout: 0 },
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
function describeUnreachable(url: URL, cause: unknown): unknown {
  if (!(cause instanceof TypeError && cause.cause instanceof Error)) return cause;
  const { message } = createUnreachableError(url, cause.cause);
  return new BadServerError(`can’t be reached. ${message}`, 'Check its URL and your network.');
}

/** Returns a function that throws once a response, or an event of a stream, is too large. */
function limitBody(
  isStream: boolean,
  countMessage: (bytes: number) => void,
  fail: (reason: BadServerError) => void,
): (bytes: Uint8Array) => void {
  let size = 0;
  let isLineEmpty = false;
  return (bytes) => {
    try {
      size += bytes.length;
      if (size > MAX_MESSAGE_BYTES) throw tooLargeError();
      if (!isStream) {
        countMessage(bytes.length);
        return;
      }
      for (const [index, byte] of bytes.entries()) {
        if (byte === NEWLINE) {
          if (isLineEmpty) {
            const rest = bytes.length - index - 1;
            countMessage(size - rest);
            size = rest;
          }
          isLineEmpty = true;
        } else if (byte !== RETURN) isLineEmpty = false;
      }
    } catch (cause) {
      if (cause instanceof BadServerError) fail(cause);
      throw cause;
    }
  };
}

function toStream(
  body: AsyncIterable<Uint8Array> | null,
  check: (bytes: Uint8Array) => void,
): ReadableStream<Uint8Array> | null {
  if (body === null) return null;
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) {
        controller.close();
        return;
      }
      check(value);
      controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
