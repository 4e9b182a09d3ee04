/** Pools keep-alive sockets to gateways; each socket carries one exchange at a time. */
import { hash } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Client } from 'undici';
import type { CertificateFacts } from '../../shared/certificate.ts';
import { toCertificateFacts } from './certificates.ts';
import { forwardsRequests, getProxyAuthorization, openSocket, openTunnel } from './connector.ts';
import { findProxy, type ProxyServer, type ProxySources } from './proxy-route.ts';
import {
  createContextCache,
  defaultRoute,
  type GatewayRoute,
  readTrustedCertificates,
} from './route.ts';
import { type ContinueFilter, stripInterimResponses } from './skip-continue.ts';
import type { ConnectProbe } from './timing-recorder.ts';

export interface Lease {
  readonly client: Client;
  /** The full URL if a proxy forwards plain HTTP, or only the path otherwise. */
  readonly target: string;
  readonly proxyHeaders: string[];
  /** Returns the socket's own error, which undici may hide. */
  failure(): Error | null;
  /** Returns true if the computer slept recently, which explains a lost connection. */
  hasSlept(): boolean;
  /** Keeps the socket open only if the response was read to its end. */
  release(reusable: boolean): void;
}

export interface NetworkOptions extends ProxySources {
  /** PEM certificates; the default is those of Node and the system, read on a thread. */
  certificates?: () => string[];
  clock?: () => number;
}

interface PooledClient {
  client: Client;
  filter: ContinueFilter | null;
  /** The TCP socket under the tunnel and TLS; null until it is connected. */
  tcp: Socket | null;
  failure: Error | null;
  wokeAt: number | null;
  stop: AbortController;
  /** Null between exchanges, because a stale probe would keep the last exchange in memory. */
  probe: ConnectProbe | null;
}

const DIRECT_CONNECT_SECONDS = 30;

/** After sleep, a socket that has been silent for this long is probed. */
const PROBE_AFTER_MS = 2_000;
/** Ten probes take ten seconds; the factor of two allows for a slow wake-up. */
const PROBED_MS = 2 * (PROBE_AFTER_MS + 10_000);

export interface Network {
  /** Rejects if the network is closed; a `connectSeconds` of 0 means no connect timeout. */
  lease(
    url: URL,
    probe: ConnectProbe,
    connectSeconds: number,
    route?: GatewayRoute,
  ): Promise<Lease>;
  /** Starts to read the trusted certificates, so that the first HTTPS request needn't wait. */
  prepare(): void;
  /** Opens a socket by the default route, for a client that keeps its sockets itself. */
  connect(url: URL): Promise<Socket>;
  /**
   * Reads the gateway's certificate without checking it and without sending a request; null if the
   * gateway sent none. The client certificate is sent, because a gateway that requires one ends a
   * TLS 1.2 handshake without it.
   */
  readCertificate(
    url: URL,
    route: GatewayRoute,
    connectSeconds: number,
    signal: AbortSignal,
  ): Promise<CertificateFacts | null>;
  /**
   * Closes idle sockets after sleep and probes active ones, so that dead connections fail within
   * seconds.
   */
  wake(): void;
  /** Closes all sockets. */
  close(): Promise<void>;
}

/**
 * Uses HTTP/1.1 with one request per socket, so that a stop closes only that request's connection.
 */
export function createNetwork(options: NetworkOptions): Network {
  const idle = new Map<string, Set<PooledClient>>();
  const all = new Set<PooledClient>();
  const clock = options.clock ?? (() => performance.now());
  let trusted: Promise<string[]> | null = null;
  function readTrusted(): Promise<string[]> {
    trusted ??= (async () => options.certificates?.() ?? (await readTrustedCertificates()))().catch(
      (cause: unknown) => {
        // The next request tries again.
        trusted = null;
        throw cause;
      },
    );
    return trusted;
  }
  const getContext = createContextCache(readTrusted);
  let closed = false;

  function secureContext(route: GatewayRoute, of: 'gateway' | 'proxy') {
    return getContext(of === 'gateway' ? route : { ...route, clientCertificate: null });
  }

  const getProxy = async (url: URL, { proxy }: GatewayRoute): Promise<ProxyServer | null> =>
    proxy === 'default' ? findProxy(url, options) : proxy;

  function open(
    url: URL,
    proxy: ProxyServer | null,
    route: GatewayRoute,
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
          secureContext: (of) => secureContext(route, of),
          accepted: route.acceptedFingerprint,
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
    // undici's parser may be on the call stack, so destroy the client on a later tick.
    return new Promise((resolve) => {
      setImmediate(() => connection.client.destroy().then(resolve, resolve));
    });
  }

  return {
    async lease(url, probe, connectSeconds, route = defaultRoute) {
      const proxy = await getProxy(url, route);
      if (closed) throw new Error('Gatehouse is closing.');
      // Routes don't share sockets, because each socket was verified and authenticated for its own.
      const place = `${url.origin} ${hash('sha256', JSON.stringify({ ...route, proxy }))}`;
      const waiting = idle.get(place) ?? new Set();
      idle.set(place, waiting);
      const [kept] = waiting;
      if (kept) {
        waiting.delete(kept);
        kept.probe = probe;
        kept.wokeAt = null;
        kept.filter?.expectHead();
      }
      const connection = kept ?? open(url, proxy, route, probe, connectSeconds, place);
      const forwards = forwardsRequests(proxy, url);
      const authorization = forwards ? getProxyAuthorization(proxy) : null;
      return {
        client: connection.client,
        target: forwards ? `${url.origin}${url.pathname}${url.search}` : url.pathname + url.search,
        proxyHeaders: authorization === null ? [] : ['Proxy-Authorization', authorization],
        failure: () => connection.failure,
        hasSlept: () => connection.wokeAt !== null && clock() - connection.wokeAt < PROBED_MS,
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

    prepare() {
      // The first request reports a failure.
      readTrusted().catch(() => undefined);
    },

    async connect(url) {
      const proxy = await getProxy(url, defaultRoute);
      if (closed) throw new Error('Gatehouse is closing.');
      const socket = await openSocket({
        target: url,
        proxy,
        connectSeconds: DIRECT_CONNECT_SECONDS,
        accepted: null,
        secureContext: (of) => secureContext(defaultRoute, of),
        signal: AbortSignal.timeout(DIRECT_CONNECT_SECONDS * 1000),
      });
      if (forwardsRequests(proxy, url)) await openTunnel(socket, proxy, url);
      return socket;
    },

    async readCertificate(url, route, connectSeconds, signal) {
      const socket = await openSocket({
        target: url,
        proxy: await getProxy(url, route),
        connectSeconds,
        secureContext: (of) => secureContext(route, of),
        accepted: 'any',
        signal,
      });
      const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
      socket.destroy();
      return certificate === undefined ? null : toCertificateFacts(certificate);
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

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
