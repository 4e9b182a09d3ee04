import { expect, it } from 'vitest';
import {
  getKeyParts,
  getLoginParts,
  getValueParts,
  readSecrets,
  writeSecrets,
} from '../../electron/connections/connection-secrets.ts';

it.each<[string, string[]]>([
  ['tok-9x8c7v6b5n', ['tok-9x8c7v6b5n']],
  ['Bearer tok-9x8c7v6b5n', ['tok-9x8c7v6b5n']],
  ['session=abc123def456; theme=dark', ['abc123def456']],
  ['application/json', []],
  ['team-a; administrator', []],
])('finds the secrets in the header value %s', (value, parts) => {
  expect(getValueParts(value)).toEqual([value, ...parts]);
});

it('finds the password in a key of Basic authentication and in a proxy’s login', () => {
  expect(getKeyParts('ann:pa:ss')).toEqual(['ann:pa:ss', 'pa:ss']);
  expect(getKeyParts('sk-1234')).toEqual(['sk-1234']);
  expect(getLoginParts('ann:p%40ss')).toEqual(['ann:p%40ss', 'ann:p@ss', 'p@ss', btoa('ann:p@ss')]);
  expect(getLoginParts(null)).toEqual([]);
});

it('reads what it writes, and nothing else', () => {
  const secrets = {
    values: new Map([['constructor', 'v']]),
    clientCertificate: { kind: 'pfx' as const, data: 'AAAA', passphrase: null },
    proxyLogin: 'ann:secret',
  };
  expect(readSecrets(writeSecrets(secrets))).toEqual(secrets);
  for (const text of [null, '', '{}', '[]', '{"values":[["a"]]}']) {
    expect(readSecrets(text)).toBeNull();
  }
});
