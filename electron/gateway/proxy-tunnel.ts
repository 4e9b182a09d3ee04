/** Opens a tunnel through an HTTP proxy to the gateway (RFC 9110, 9.3.6). */
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

export function openTunnel(socket: Socket, proxy: ProxyServer, target: URL): Promise<void> {
  const authority = `${target.hostname}:${target.port || 443}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (proxy.authorization !== null) lines.push(`Proxy-Authorization: ${proxy.authorization}`);
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
