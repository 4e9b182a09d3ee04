/** Covers faults before a request is sent: unknown hosts, closed ports and broken TLS. */
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { createAuthority } from '../fixtures/certificates.ts';
import { type Fault, type FaultGroup, isFirst, NEVER_CONNECTS, only } from './fault.ts';

const trusted = createAuthority('Gatehouse Test Authority');
const unknown = createAuthority('Unknown Authority');

/** The PEM certificate that clients of these servers trust. */
export const trustedCertificate = trusted.cert;

/** Returns the base URL of a server that starts on first use and stops with the process. */
function once(create: () => Server): () => Promise<string> {
  let url: Promise<string> | null = null;
  return () => {
    url ??= urlOf(create().unref());
    return url;
  };
}

async function urlOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return `https://127.0.0.1:${address.port}`;
}

/** Builds a TLS server that never answers, because no client should complete the handshake. */
function tls(name: string, make: () => TlsOptions, more: Partial<Fault> = {}): Fault {
  return {
    name,
    on: isFirst,
    baseUrl: once(() => {
      const server = createTlsServer(make(), (socket) => socket.on('error', () => undefined));
      return server.on('tlsClientError', () => undefined);
    }),
    ...more,
  };
}

function tcp(name: string, connected: (socket: Socket) => void, more: Partial<Fault> = {}): Fault {
  return {
    name,
    on: isFirst,
    baseUrl: once(() =>
      createServer((socket) => {
        socket.on('error', () => undefined);
        connected(socket);
      }),
    ),
    ...more,
  };
}

const names: Fault[] = [
  { name: 'A name that is not found', on: isFirst, baseUrl: () => 'http://gateway.invalid' },
  {
    name: 'A name that is not found, HTTPS',
    on: isFirst,
    baseUrl: () => 'https://gateway.invalid',
  },
  { name: 'A port that is closed', on: isFirst, baseUrl: () => 'http://127.0.0.1:9' },
];

const certificates: Fault[] = [
  tls('A certificate that signs itself', () => unknown),
  tls('A certificate of an unknown authority', () => unknown.issue('127.0.0.1')),
  tls('A certificate that has expired', () =>
    trusted.issue('127.0.0.1', { fromDay: -20, toDay: -1 }),
  ),
  tls('A certificate that is not valid yet', () =>
    trusted.issue('127.0.0.1', { fromDay: 1, toDay: 20 }),
  ),
  tls('A certificate for another address', () => trusted.issue('127.0.0.2')),
  tls('A certificate for a host name', () => trusted.issue('gateway.example')),
];

const handshakes: Fault[] = [
  tcp('Plain HTTP on the TLS port', (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
  ),
  tcp('Closed in the handshake', (socket) => socket.once('data', () => socket.end())),
  tcp('Reset in the handshake', (socket) => socket.once('data', () => socket.resetAndDestroy())),
  tcp('A handshake that is never answered', (socket) => socket.resume(), NEVER_CONNECTS),
  tls('TLS 1.1 alone', () => ({
    ...trusted.issue('127.0.0.1'),
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })),
  tls('No cipher in common', () => ({
    ...trusted.issue('127.0.0.1'),
    maxVersion: 'TLSv1.2',
    ciphers: 'PSK',
  })),
  tls('A client certificate is required', () => ({
    ...trusted.issue('127.0.0.1'),
    requestCert: true,
    rejectUnauthorized: true,
  })),
  tls('A client certificate is required, TLS 1.2', () => ({
    ...trusted.issue('127.0.0.1'),
    maxVersion: 'TLSv1.2',
    requestCert: true,
    rejectUnauthorized: true,
  })),
];

/** Tries few requests, because these connections fail before the operation matters. */
const tries = only('chat', 'transcription');

export const secure: FaultGroup[] = [
  { title: 'Names and ports', tries, faults: names },
  { title: 'Certificates', tries, faults: certificates },
  { title: 'Handshakes', tries, faults: handshakes },
];
