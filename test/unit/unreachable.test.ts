import { expect, test } from 'vitest';
import { createUnreachableError } from '../../electron/gateway/transport-errors.ts';

function noRoute(address: string, code = 'EHOSTUNREACH'): Error {
  return Object.assign(new Error(`connect ${code} ${address}:443`), { code, address });
}

test.each<[string, string, Error, NodeJS.Platform, boolean]>([
  [
    'an address of the local network',
    'http://192.168.1.7/',
    noRoute('192.168.1.7'),
    'darwin',
    true,
  ],
  ['a name that leads there', 'https://gateway.example/', noRoute('10.0.0.7'), 'darwin', true],
  [
    'a name with several addresses',
    'https://nas.example/',
    new AggregateError([noRoute('fd00::7')]),
    'darwin',
    true,
  ],
  ['a name of the local network', 'http://nas.local/', noRoute(''), 'darwin', true],
  [
    'an address of the Internet',
    'https://gateway.example/',
    noRoute('203.0.113.7'),
    'darwin',
    false,
  ],
  [
    'an address that refuses',
    'http://192.168.1.7/',
    noRoute('192.168.1.7', 'ECONNREFUSED'),
    'darwin',
    false,
  ],
  ['another system', 'http://192.168.1.7/', noRoute('192.168.1.7'), 'linux', false],
])('points to the local network permission of macOS: %s', (_what, url, cause, platform, hints) => {
  const { kind, nextStep } = createUnreachableError(new URL(url), cause, platform);
  expect(kind).toBe('unreachable');
  expect(nextStep.includes('Local Network')).toBe(hints);
});

test.each([
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'Gatehouse doesn’t support client certificates',
    'doesn’t require one',
  ],
  [
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    'refused the TLS connection',
    'Ask the gateway’s operator',
  ],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'refused the TLS connection', 'Ask the gateway’s operator'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'doesn’t support TLS', 'http://'],
])('says what %s means', (code, what, step) => {
  const cause = Object.assign(new Error('write EPROTO'), { code });
  const { message, nextStep } = createUnreachableError(
    new URL('https://gateway.example/'),
    cause,
    'linux',
  );
  expect(message).toContain(what);
  expect(nextStep).toContain(step);
});
