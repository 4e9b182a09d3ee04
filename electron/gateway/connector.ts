/** Opens sockets to a gateway: TCP, through a proxy where there is one, then TLS; timed. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { ProxyServer } from './proxy-route.ts';
import { isSocks, openSocksTunnel, openTunnel } from './proxy-tunnel.ts';
import type { ConnectProbe } from './timing-recorder.ts';

export interface ConnectorOptions {
  target: URL;
  proxy: ProxyServer | null;
  /** How long the request may wait for the socket; 0 for no limit. Whoever waits aborts `signal` then. */
  connectSeconds: number;
  secureContext: () => SecureContext;
  /** Null if nobody waits for the socket any longer. */
  probe: () => ConnectProbe | null;
  /** Called with the TCP socket below all others, once it is open. */
  opened: (socket: Socket) => void;
  /** Destroys the socket, whatever stage it is at. */
  signal: AbortSignal;
}

/** A socket that is ready for the request. Over a proxy, the times are those of the proxy. */
export async function openSocket(options: ConnectorOptions): Promise<Socket> {
  const { target, proxy, probe } = options;
  const hostname = target.hostname.replace(/^\[|\]$/g, '');
  const secure = target.protocol === 'https:';
  probe()?.connecting();
  const port = Number(target.port) || (secure ? 443 : 80);
  if (proxy === null) {
    const socket = await openTcp(hostname, port, options);
    return secure ? openTls(socket, hostname, options) : socket;
  }
  const plain = await openTcp(proxy.hostname, proxy.port, options);
  if (isSocks(proxy)) {
    await openSocksTunnel(plain, proxy, { host: hostname, port }, options.connectSeconds);
    return secure ? openTls(plain, hostname, options) : plain;
  }
  const { protocol } = proxy;
  const toProxy = protocol === 'https:' ? await openTls(plain, proxy.hostname, options) : plain;
  if (!secure) return toProxy;
  await openTunnel(toProxy, proxy, target);
  return openTls(toProxy, hostname, options);
}

async function openTcp(
  host: string,
  port: number,
  { probe, signal, opened }: ConnectorOptions,
): Promise<Socket> {
  let startedAt = performance.now();
  const socket = connectTcp({ host, port });
  socket.once('lookup', () => {
    probe()?.dns(performance.now() - startedAt);
    startedAt = performance.now();
  });
  await readiness(socket, 'connect', signal);
  probe()?.connect(performance.now() - startedAt);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 60_000);
  opened(socket);
  return socket;
}

async function openTls(
  socket: Socket,
  hostname: string,
  { secureContext, probe, signal }: ConnectorOptions,
): Promise<Socket> {
  const startedAt = performance.now();
  const secured = connectTls({
    socket,
    host: hostname,
    // An IP address is not allowed as the server name, but the certificate is checked against it.
    servername: isIP(hostname) ? '' : hostname,
    secureContext: secureContext(),
    ALPNProtocols: ['http/1.1'],
  });
  await readiness(secured, 'secureConnect', signal);
  probe()?.tls(performance.now() - startedAt);
  return secured;
}

function readiness(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(new Error('The request was stopped.'));
    socket.once(event, resolve);
    // It stays: an error between here and undici's own listener would end the process.
    socket.on('error', reject);
    socket.once('close', () => {
      signal.removeEventListener('abort', abort);
      reject(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }));
    });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
