/** Tunnels to the gateway: through an HTTP proxy (RFC 9110, 9.3.6) or a SOCKS proxy (RFC 1928, 1929). */
import type { Socket } from 'node:net';
import type { ProxyServer } from './proxy-route.ts';

/** The proxy itself is what failed; `reason` continues the sentence "… cannot be used: ". */
export class ProxyFailure extends Error {
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

const LONGEST_HEAD = 64 * 1024;

/** The value of Proxy-Authorization; null where no user is named. */
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
      reject(new ProxyFailure(proxy, reason));
    };
    const onData = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) {
        if (head.length > LONGEST_HEAD) fail('its response is not HTTP');
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

/** Over a socket to the proxy that is connected already. */
export async function openSocksTunnel(
  socket: Socket,
  proxy: ProxyServer,
  destination: { host: string; port: number },
): Promise<void> {
  const { SocksClient } = await import('socks');
  const { hostname: host, port, protocol, login } = proxy;
  await SocksClient.createConnection({
    proxy: {
      ...{ host, port, type: protocol === 'socks4:' ? 4 : 5 },
      ...(login !== null && { userId: login.user, password: login.password }),
    },
    command: 'connect',
    destination,
    existing_socket: socket,
  }).catch((cause: Error) => {
    throw new ProxyFailure(proxy, socksReason(cause.message, proxy, destination));
  });
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
