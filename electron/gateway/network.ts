/** The connections of this process to gateways: kept alive between exchanges, one exchange at a time each. */
import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { Client } from 'undici';
import { openSocket } from './connector.ts';
import { type ProxyServer, type ProxySources, proxyFor } from './proxy-route.ts';
import { isSocks, proxyAuthorization } from './proxy-tunnel.ts';
import { type ContinueFilter, stripInterimResponses } from './skip-continue.ts';
import type { ConnectProbe } from './timing-recorder.ts';

/** A client for one exchange. */
export interface Lease {
  readonly client: Client;
  /** What is in the request line: the whole URL where a proxy forwards plain HTTP. */
  readonly target: string;
  /** For the proxy, not for the gateway. Names and values in turn. */
  readonly proxyHeaders: string[];
  /** Why the socket broke, where it says so itself: undici names what it saw last. */
  failure(): Error | null;
  /** Whether the computer has slept while it was held, so lately that a loss comes of it. */
  slept(): boolean;
  /** `reusable`: the reply was read to its end. Otherwise the socket is closed at once. */
  release(reusable: boolean): void;
}

export interface Network {
  /** Rejects where the network is closed. `connectSeconds`: the caller's own limit for a new socket; 0 for none. */
  lease(url: URL, probe: ConnectProbe, connectSeconds: number): Promise<Lease>;
  /**
   * After the computer slept: what is not in use is closed, and what is in use shows within seconds whether its
   * other end still is there, however long it is silent.
   */
  wake(): void;
  /** Closes every connection, those in use too, and opens no more. */
  close(): Promise<void>;
}

export interface NetworkOptions extends ProxySources {
  /** Trusted certificates (PEM): Node's own and the system's unless given. */
  certificates?: () => string[];
  /** Milliseconds, never going back; the process's own unless given. */
  clock?: () => number;
}

interface PooledClient {
  client: Client;
  /** Null until the socket is open. */
  filter: ContinueFilter | null;
  /** Below TLS and tunnels; null until it is open. */
  tcp: Socket | null;
  failure: Error | null;
  /** When the computer last woke, by the clock. */
  wokeAt: number | null;
  stop: AbortController;
  /** Of the exchange that has the client; null between two, for it leads to all that the last one brought. */
  probe: ConnectProbe | null;
}

/** Silence of a connection after which its other end is asked, once the computer has slept. */
const PROBE_AFTER_MS = 2_000;
/** By then the probes have shown whether it is lost: ten of them, a second apart, and as much again for a slow start. */
const PROBED_MS = 2 * (PROBE_AFTER_MS + 10_000);

/**
 * HTTP/1.1 only, one request at a time on a socket: a stop must close exactly one request's socket,
 * and the times are those of one request. A client here is undici's `Client`, so the socket that a
 * request goes over is known without asking.
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
    // After the parser that may be calling us has returned.
    return new Promise((resolve) => {
      setImmediate(() => connection.client.destroy().then(resolve, resolve));
    });
  }

  return {
    async lease(url, probe, connectSeconds) {
      const proxy = await proxyFor(url, options);
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
        // The other end's system answers these probes itself; ten of them, a second apart, go unanswered at most.
        connection.tcp?.setKeepAlive(true, PROBE_AFTER_MS);
      }
    },

    async close() {
      closed = true;
      await Promise.all([...all].map(drop));
    },
  };
}

/** Read at the first https request: the system's store takes a while. */
function trustedCertificates(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
