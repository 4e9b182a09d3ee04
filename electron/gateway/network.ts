/** Pools sockets to gateways: kept alive between exchanges, one exchange at a time on each. */
import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { Client } from 'undici';
import { isSocks, openSocket, proxyAuthorization } from './connector.ts';
import { findProxy, type ProxyServer, type ProxySources } from './proxy-route.ts';
import { type ContinueFilter, stripInterimResponses } from './skip-continue.ts';
import type { ConnectProbe } from './timing-recorder.ts';

/** A client for one exchange. */
export interface Lease {
  readonly client: Client;
  /** For the request line: the whole URL if a proxy forwards plain HTTP. */
  readonly target: string;
  /** Names and values in turn, for the proxy only. */
  readonly proxyHeaders: string[];
  /** The socket's own error, which undici may hide. */
  failure(): Error | null;
  /** Returns true if the computer slept so recently that a loss comes from it. */
  slept(): boolean;
  /** Closes the socket unless the response was read to its end. */
  release(reusable: boolean): void;
}

export interface Network {
  /** Rejects if the network is closed. `connectSeconds` is the limit for a new socket; 0 for none. */
  lease(url: URL, probe: ConnectProbe, connectSeconds: number): Promise<Lease>;
  /** Call it after sleep: closes idle sockets, and probes those in use so that a lost one fails within seconds. */
  wake(): void;
  close(): Promise<void>;
}

export interface NetworkOptions extends ProxySources {
  /** Trusted certificates (PEM). Defaults to Node's own and the system's. */
  certificates?: () => string[];
  /** Monotonic milliseconds. */
  clock?: () => number;
}

interface PooledClient {
  client: Client;
  filter: ContinueFilter | null;
  /** The socket below tunnel and TLS; null until it is open. */
  tcp: Socket | null;
  failure: Error | null;
  wokeAt: number | null;
  stop: AbortController;
  /** Null between exchanges, because it keeps the last one in memory. */
  probe: ConnectProbe | null;
}

/** The silence after which a socket is probed once the computer has slept. */
const PROBE_AFTER_MS = 2_000;
/** Ten probes, a second apart, and as long again for a slow start. */
const PROBED_MS = 2 * (PROBE_AFTER_MS + 10_000);

/**
 * Uses HTTP/1.1 with one request at a time per socket, so a stop closes exactly one request and timings belong to one
 * request. Each undici `Client` has one socket.
 */
export function createNetwork(options: NetworkOptions): Network {
  const idle = new Map<string, Set<PooledClient>>();
  const all = new Set<PooledClient>();
  const clock = options.clock ?? (() => performance.now());
  let context: SecureContext | null = null;
  let closed = false;

  function secureContext(): SecureContext {
    context ??= createSecureContext({ ca: (options.certificates ?? trustedCertificates)() });
    return context;
  }

  function open(
    url: URL,
    proxy: ProxyServer | null,
    probe: ConnectProbe,
    connectSeconds: number,
    place: string,
  ): PooledClient {
    const stop = new AbortController();
    const client = new Client(url.origin, {
      allowH2: false,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 256 * 1024,
      connect(_options, callback) {
        openSocket({
          target: url,
          proxy,
          connectSeconds,
          secureContext,
          probe: () => connection.probe,
          signal: stop.signal,
          opened: (socket) => {
            connection.tcp = socket;
          },
        })
          .then((socket) => {
            connection.filter = stripInterimResponses(socket);
            socket.once('error', (cause) => {
              connection.failure = cause;
            });
            callback(null, socket);
          })
          .catch((cause: unknown) => callback(toError(cause), null));
      },
    });
    const opened = { client, filter: null, tcp: null, failure: null, wokeAt: null };
    const connection: PooledClient = { ...opened, stop, probe };
    client.on('disconnect', () => {
      if (idle.get(place)?.delete(connection)) drop(connection);
    });
    all.add(connection);
    return connection;
  }

  function drop(connection: PooledClient): Promise<void> {
    all.delete(connection);
    connection.stop.abort();
    // undici's parser may be calling, so destroy after it has returned.
    return new Promise((resolve) => {
      setImmediate(() => connection.client.destroy().then(resolve, resolve));
    });
  }

  return {
    async lease(url, probe, connectSeconds) {
      const proxy = await findProxy(url, options);
      if (closed) throw new Error('Gatehouse is closing.');
      const place = `${url.origin} ${JSON.stringify(proxy)}`;
      const waiting = idle.get(place) ?? new Set();
      idle.set(place, waiting);
      const [kept] = waiting;
      if (kept) {
        waiting.delete(kept);
        kept.probe = probe;
        kept.wokeAt = null;
        kept.filter?.expectHead();
      }
      const connection = kept ?? open(url, proxy, probe, connectSeconds, place);
      const forwards = proxy !== null && !isSocks(proxy) && url.protocol === 'http:';
      const authorization = forwards ? proxyAuthorization(proxy) : null;
      return {
        client: connection.client,
        target: forwards ? `${url.origin}${url.pathname}${url.search}` : url.pathname + url.search,
        proxyHeaders: authorization === null ? [] : ['Proxy-Authorization', authorization],
        failure: () => connection.failure,
        slept: () => connection.wokeAt !== null && clock() - connection.wokeAt < PROBED_MS,
        release(reusable) {
          connection.probe = null;
          if (reusable && all.has(connection) && connection.client.stats.connected) {
            waiting.add(connection);
          } else {
            void drop(connection);
          }
        },
      };
    },

    wake() {
      for (const waiting of idle.values()) {
        for (const connection of waiting) void drop(connection);
        waiting.clear();
      }
      for (const connection of all) {
        connection.wokeAt = clock();
        connection.tcp?.setKeepAlive(true, PROBE_AFTER_MS);
      }
    },

    async close() {
      closed = true;
      await Promise.all([...all].map(drop));
    },
  };
}

/** Called at the first https request, because the system's store is slow. */
function trustedCertificates(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
