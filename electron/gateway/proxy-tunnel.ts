/** Tunnels to the gateway: through an HTTP proxy (RFC 9110, 9.3.6) or a SOCKS proxy (RFC 1928, 1929). */
import type { Socket } from 'node:net';
import type { ProxyServer } from './proxy-route.ts';

/** The proxy itself is what failed; `reason` continues the sentence "… cannot be used: ". */
export class ProxyError extends Error {
  readonly code = 'PROXY_FAILURE';
  readonly proxy: string;
  readonly reason: string;

  constructor(proxy: ProxyServer, reason: string) {
    super(`The proxy ${proxy.hostname}:${proxy.port} cannot be used: ${reason}.`);
    this.name = 'ProxyFailure';
    this.proxy = `${proxy.hostname}:${proxy.port}`;
    this.reason = reason;
  }
}

const MAX_HEAD = 64 * 1024;

/** The value of Proxy-Authorization; null if no user is named. */
export function proxyAuthorization({ login }: ProxyServer): string | null {
  if (login === null) return null;
  return `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
}

export function openTunnel(socket: Socket, proxy: ProxyServer, target: URL): Promise<void> {
  const authority = `${target.hostname}:${target.port || 443}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  const authorization = proxyAuthorization(proxy);
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
        if (head.length > MAX_HEAD) fail('its response is not HTTP');
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

export function isSocks({ protocol }: ProxyServer): boolean {
  return protocol === 'socks4:' || protocol === 'socks5:';
}

/** Bytes of a user name, a password (RFC 1929) and a host name (RFC 1928): their length is one byte. */
const MAX_FIELD = 255;
/** The longest connect timeout that there is. */
const ONE_DAY_SECONDS = 86_400;

/** Over a socket to the proxy that is connected already; destroyed where it fails. `timeoutSeconds`: 0 for none. */
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
  const tooLong = tooLongForSocks(proxy, destination.host);
  if (tooLong !== null) fail(`${tooLong} is longer than the ${MAX_FIELD} bytes that SOCKS allows`);
  const { SocksClient } = await import('socks');
  // The library would wait for a socket that says so no more.
  if (socket.destroyed) fail('it closed the connection');
  const { hostname: host, port, protocol, login } = proxy;
  await SocksClient.createConnection({
    proxy: {
      ...{ host, port, type: protocol === 'socks4:' ? 4 : 5 },
      ...(login !== null && { userId: login.user, password: login.password }),
    },
    command: 'connect',
    destination,
    existing_socket: socket,
    // It cannot be turned off, and keeps the socket in memory until then.
    timeout: (timeoutSeconds || ONE_DAY_SECONDS) * 1000,
  }).catch((cause: Error) => fail(socksReason(cause.message, proxy, destination)));
}

/** The library throws where nobody can catch it. */
function tooLongForSocks({ protocol, login }: ProxyServer, host: string): string | null {
  const fields = {
    'the host name of the gateway': host,
    // Version 4 ends them with a zero.
    ...(protocol === 'socks5:' && {
      'the user name': login?.user,
      'the password': login?.password,
    }),
  };
  const found = Object.entries(fields).find(([, text = '']) => Buffer.byteLength(text) > MAX_FIELD);
  return found?.[0] ?? null;
}

/** From the library's own words, which end in the proxy's reply: `… rejected connection - HostUnreachable`. */
function socksReason(
  words: string,
  { login }: ProxyServer,
  { host, port }: { host: string; port: number },
): string {
  if (words.includes('Authentication failed')) return 'it rejected the user name and password';
  if (words.includes('no accepted authentication')) {
    return login === null
      ? 'it requires a user name and password'
      : 'it does not accept a user name and password';
  }
  const [, reply] = /rejected connection - \(?(\w+)/.exec(words) ?? [];
  if (reply !== undefined) return `it could not connect to ${host}:${port} (${reply})`;
  if (words.includes('timed out')) return 'it did not respond';
  if (words.includes('handshake')) return 'its response is not SOCKS';
  return 'it closed the connection';
}
