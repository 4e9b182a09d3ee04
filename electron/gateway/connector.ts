/** Opens sockets to a gateway: TCP, a proxy tunnel (RFC 9110, 9.3.6; RFC 1928, 1929), then TLS. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { ProxyServer } from './proxy-route.ts';
import type { ConnectProbe } from './timing-recorder.ts';

export interface ConnectorOptions {
  target: URL;
  proxy: ProxyServer | null;
  connectSeconds: number;
  /** Includes the client certificate only for the gateway, not for the proxy. */
  secureContext: (of: 'gateway' | 'proxy') => Promise<SecureContext>;
  /**
   * The fingerprint of an untrusted certificate to accept. With `any`, the caller may only inspect
   * the certificate and must not send anything.
   */
  accepted: string | 'any' | null;
  probe?: () => ConnectProbe | null;
  opened?: (socket: Socket) => void;
  signal: AbortSignal;
}

/**
 * Resolves when the socket can send the request; with a proxy, the timings are those of the proxy.
 */
export async function openSocket(options: ConnectorOptions): Promise<Socket> {
  const { target, proxy, probe } = options;
  const hostname = target.hostname.replace(/^\[|\]$/g, '');
  const secure = target.protocol === 'https:';
  probe?.()?.connecting();
  const port = Number(target.port) || (secure ? 443 : 80);
  if (proxy === null) {
    const socket = await openTcp(hostname, port, options);
    return secure ? openTls(socket, hostname, 'gateway', options) : socket;
  }
  const plain = await openTcp(proxy.hostname, proxy.port, options);
  if (isSocks(proxy)) {
    await openSocksTunnel(plain, proxy, { host: hostname, port }, options.connectSeconds);
    return secure ? openTls(plain, hostname, 'gateway', options) : plain;
  }
  const { protocol } = proxy;
  const toProxy =
    protocol === 'https:' ? await openTls(plain, proxy.hostname, 'proxy', options) : plain;
  if (!secure) return toProxy;
  await openTunnel(toProxy, proxy, target);
  return openTls(toProxy, hostname, 'gateway', options);
}

async function openTcp(
  host: string,
  port: number,
  { probe, signal, opened }: ConnectorOptions,
): Promise<Socket> {
  let startedAt = performance.now();
  const socket = connectTcp({ host, port });
  socket.once('lookup', () => {
    probe?.()?.dns(performance.now() - startedAt);
    startedAt = performance.now();
  });
  await readiness(socket, 'connect', signal);
  probe?.()?.connect(performance.now() - startedAt);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 60_000);
  opened?.(socket);
  return socket;
}

async function openTls(
  socket: Socket,
  hostname: string,
  of: 'gateway' | 'proxy',
  { secureContext, accepted, probe, signal }: ConnectorOptions,
): Promise<Socket> {
  const isChecked = accepted === null || of === 'proxy';
  const context = await secureContext(of);
  if (socket.destroyed) throw createClosedError();
  const startedAt = performance.now();
  const secured = connectTls({
    socket,
    host: hostname,
    // TLS doesn't allow an IP address as the server name, but the certificate is still checked.
    servername: isIP(hostname) ? '' : hostname,
    secureContext: context,
    // Otherwise `checkAccepted` checks the certificate before anything is sent.
    rejectUnauthorized: isChecked,
    ALPNProtocols: ['http/1.1'],
  });
  await readiness(secured, 'secureConnect', signal);
  if (!isChecked && accepted !== 'any') checkAccepted(secured, accepted);
  probe?.()?.tls(performance.now() - startedAt);
  return secured;
}

/** The error code for a certificate that is neither trusted nor accepted by the user. */
export const CERTIFICATE_CHANGED = 'GATEHOUSE_CERTIFICATE_CHANGED';

/** Throws unless the certificate is trusted or is the accepted one. */
function checkAccepted(socket: TLSSocket, accepted: string): void {
  if (socket.authorized) return;
  const fingerprint = socket.getPeerX509Certificate()?.fingerprint256;
  if (fingerprint === accepted) return;
  socket.destroy();
  const message = `${socket.authorizationError}, SHA-256 ${fingerprint}`;
  throw Object.assign(new Error(message), { code: CERTIFICATE_CHANGED });
}

function readiness(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => socket.destroy(new Error('The request was stopped.'));
    socket.once(event, resolve);
    // Keep this listener: an error emitted before undici attaches its own would crash the process.
    socket.on('error', reject);
    socket.once('close', () => {
      signal.removeEventListener('abort', abort);
      reject(createClosedError());
    });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function createClosedError(): Error {
  return Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' });
}

export class ProxyError extends Error {
  readonly code = 'PROXY_FAILURE';
  readonly proxy: string;
  readonly reason: string;

  constructor(proxy: ProxyServer, reason: string) {
    super(`Proxy ${proxy.hostname}:${proxy.port} failed: ${reason}.`);
    this.name = 'ProxyError';
    this.proxy = `${proxy.hostname}:${proxy.port}`;
    this.reason = reason;
  }
}

const MAX_HEAD = 64 * 1024;

export function getProxyAuthorization({ login }: ProxyServer): string | null {
  if (login === null) return null;
  return `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
}

export function openTunnel(socket: Socket, proxy: ProxyServer, target: URL): Promise<void> {
  const authority = `${target.hostname}:${target.port || (target.protocol === 'http:' ? 80 : 443)}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  const authorization = getProxyAuthorization(proxy);
  if (authorization !== null) lines.push(`Proxy-Authorization: ${authorization}`);
  return new Promise((resolve, reject) => {
    let head = '';
    const fail = (reason: string) => {
      socket.destroy();
      reject(new ProxyError(proxy, reason));
    };
    const onData = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) {
        if (head.length > MAX_HEAD) fail('its response isn’t HTTP');
        return;
      }
      socket.off('data', onData);
      socket.pause();
      const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1]);
      if (status === 407) return fail('it requires a user name and password');
      if (!(status >= 200 && status < 300))
        return fail(`it returned ${status || 'no HTTP status'}`);
      if (head.length > end + 4) socket.unshift(Buffer.from(head.slice(end + 4), 'latin1'));
      resolve();
    };
    socket.on('data', onData);
    socket.once('close', () => fail('it closed the connection'));
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}

function isSocks({ protocol }: ProxyServer): boolean {
  return protocol === 'socks4:' || protocol === 'socks5:';
}

/** Returns true if the proxy forwards requests to the URL, instead of tunneling their bytes. */
export function forwardsRequests(proxy: ProxyServer | null, url: URL): proxy is ProxyServer {
  return proxy !== null && !isSocks(proxy) && url.protocol === 'http:';
}

/** SOCKS encodes the length of a user name, password or host name in one byte. */
const MAX_FIELD = 255;
const ONE_DAY_SECONDS = 86_400;

/** Destroys the socket if the tunnel fails. */
export async function openSocksTunnel(
  socket: Socket,
  proxy: ProxyServer,
  destination: { host: string; port: number },
  timeoutSeconds: number,
): Promise<void> {
  const fail = (reason: string): never => {
    socket.destroy();
    throw new ProxyError(proxy, reason);
  };
  const tooLong = findSocksProblem(proxy, destination.host);
  if (tooLong !== null) fail(`${tooLong} is longer than the ${MAX_FIELD} bytes that SOCKS allows`);
  const { SocksClient } = await import('socks');
  // `socks` would wait forever on a socket that is already destroyed.
  if (socket.destroyed) fail('it closed the connection');
  const { hostname: host, port, protocol, login } = proxy;
  await SocksClient.createConnection({
    proxy: {
      host,
      port,
      type: protocol === 'socks4:' ? 4 : 5,
      ...(login !== null && { userId: login.user, password: login.password }),
    },
    command: 'connect',
    destination,
    existing_socket: socket,
    // The timer of `socks` can't be disabled and keeps a reference to the socket.
    timeout: (timeoutSeconds || ONE_DAY_SECONDS) * 1000,
  }).catch((cause: Error) => fail(describeSocksError(cause.message, proxy, destination)));
}

/** Returns the name of a field that is too long, for which `socks` throws an uncatchable error. */
function findSocksProblem({ protocol, login }: ProxyServer, host: string): string | null {
  const fields = {
    'the host name of the gateway': host,
    // SOCKS 4 terminates these fields with NUL, so their length isn't limited.
    ...(protocol === 'socks5:' && {
      'the user name': login?.user,
      'the password': login?.password,
    }),
  };
  const found = Object.entries(fields).find(([, text = '']) => Buffer.byteLength(text) > MAX_FIELD);
  return found?.[0] ?? null;
}

/** Parses an error message of `socks`, such as `… rejected connection - HostUnreachable`. */
function describeSocksError(
  message: string,
  { login }: ProxyServer,
  { host, port }: { host: string; port: number },
): string {
  if (message.includes('Authentication failed')) return 'it rejected the user name and password';
  if (message.includes('no accepted authentication')) {
    return login === null
      ? 'it requires a user name and password'
      : 'it doesn’t accept a user name and password';
  }
  const [, replyCode] = /rejected connection - \(?(\w+)/.exec(message) ?? [];
  if (replyCode !== undefined) return `it couldn’t connect to ${host}:${port} (${replyCode})`;
  if (message.includes('timed out')) return 'it didn’t respond';
  if (message.includes('handshake')) return 'its response isn’t SOCKS';
  return 'it closed the connection';
}
