import { expect, test } from 'vitest';
import { createUnreachableError } from '../../electron/gateway/transport-errors.ts';

function noRoute(address: string, code = 'EHOSTUNREACH'): Error {
  return Object.assign(new Error(`connect ${code} ${address}:443`), { code, address });
}

const macOs = 'darwin';
const lan = 'http://192.168.1.7/';
const internet = 'https://gateway.example/';
test.each<[string, string, Error, NodeJS.Platform, boolean]>([
  ['a local address', lan, noRoute('192.168.1.7'), macOs, true],
  ['a name of a local address', internet, noRoute('10.0.0.7'), macOs, true],
  ['two addresses', 'https://nas.example/', new AggregateError([noRoute('fd00::7')]), macOs, true],
  ['a local name', 'http://nas.local/', noRoute(''), macOs, true],
  ['an Internet address', internet, noRoute('203.0.113.7'), macOs, false],
  ['a refused connection', lan, noRoute('192.168.1.7', 'ECONNREFUSED'), macOs, false],
  ['another system', lan, noRoute('192.168.1.7'), 'linux', false],
])('points to the local network permission of macOS: %s', (_what, url, cause, platform, hints) => {
  const { kind, nextStep } = createUnreachableError(new URL(url), cause, platform);
  expect(kind).toBe('unreachable');
  expect(nextStep.includes('Local Network')).toBe(hints);
});

test.each([
  [
    'SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'requires a client certificate, or rejected the one',
    'client certificate in the connection’s settings',
  ],
  [
    'SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    'refused the TLS connection',
    'Ask the gateway’s operator',
  ],
  ['SSL_UNSUPPORTED_PROTOCOL', 'refused the TLS connection', 'Ask the gateway’s operator'],
  ['SSL_WRONG_VERSION_NUMBER', 'doesn’t support TLS', 'http://'],
])('explains ERR_%s', (code, what, step) => {
  const cause = Object.assign(new Error('write EPROTO'), { code: `ERR_${code}` });
  const { message, nextStep } = createUnreachableError(new URL(internet), cause, 'linux');
  expect(message).toContain(what);
  expect(nextStep).toContain(step);
});
