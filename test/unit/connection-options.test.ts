import { describe, expect, it } from 'vitest';
import { connectionInputSchema } from '../../shared/connection.ts';
import {
  connectionOptionsInputSchema,
  escapeVariables,
  listVariables,
  replaceVariables,
  splitProxyUrl,
} from '../../shared/connection-options.ts';

const braced = (name: string) => `\${${name}}`;
const variables: Record<string, string> = { HOST: 'h', A_1: 'one' };

it.each([
  [`Bearer ${braced('HOST')}`, 'Bearer h', ['HOST']],
  [`$HOST-${braced('A_1')}`, 'h-one', ['HOST', 'A_1']],
  [`${braced('HOST')}${braced('HOST')}`, 'hh', ['HOST']],
  ['cost $5 and $$HOST', 'cost $5 and $HOST', []],
  [braced(''), braced(''), []],
  ['$', '$', []],
])('replaces the variables of %s', (text, replaced, names) => {
  expect(listVariables(text)).toEqual(names);
  expect(replaceVariables(text, (name) => variables[name] ?? '?')).toBe(replaced);
});

it('doesn’t read a variable in the value of another', () => {
  expect(replaceVariables('$A', () => '$B')).toBe('$B');
});

it.each(['$HOST', '$$', `${braced('A')}$B$`])('keeps an escaped %s', (text) => {
  expect(listVariables(escapeVariables(text))).toEqual([]);
  expect(replaceVariables(escapeVariables(text), () => 'x')).toBe(text);
});

it.each([
  ['http://proxy.example:3128', 'http://proxy.example:3128', null],
  ['proxy.example:3128', 'http://proxy.example:3128', null],
  ['SOCKS5://127.0.0.1:1080/', 'socks5://127.0.0.1:1080', null],
  ['https://u:p@proxy.example', 'https://proxy.example', 'u:p'],
  ['http://u:p@ss@[::1]:8080', 'http://[::1]:8080', 'u:p@ss'],
])('splits the proxy %s', (text, url, login) => {
  expect(splitProxyUrl(text)).toEqual({ url, login });
});

it.each([
  '',
  'ftp://x',
  'http://',
  'http://a b',
  'http://proxy/path',
  'javascript:alert(1)',
  'a:b:c',
])('rejects the proxy %j', (text) => {
  expect(splitProxyUrl(text)).toBeNull();
});

describe('the options', () => {
  const header = (name: string, value: string | null = 'v', id = name) => ({ id, name, value });

  function getProblems(input: unknown): string[] {
    const { error } = connectionOptionsInputSchema.safeParse(input);
    return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  }

  it('uses defaults', () => {
    expect(connectionOptionsInputSchema.parse({})).toEqual({
      keyHeader: { name: 'Authorization', scheme: 'Bearer' },
      headers: [],
      endpoints: [],
      query: [],
      caCertificate: null,
      clientCertificate: null,
      acceptedFingerprint: null,
      timeouts: { connectSeconds: null, firstByteSeconds: null, stallSeconds: null },
      proxy: { kind: 'default' },
    });
  });

  it('hides header values and shows query values by default', () => {
    const { headers, query } = connectionOptionsInputSchema.parse({
      headers: [header('X-Team')],
      query: [header('api-version')],
    });
    expect([headers[0]?.isSecret, query[0]?.isSecret]).toEqual([true, false]);
  });

  const apiKey = { name: 'x-api-key', scheme: '' };
  const nothing = { path: null, taskPath: null, keyHeader: null };
  const messages = { operation: 'chat', format: 'messages', ...nothing };
  it.each<[string, unknown, string]>([
    ['a space in a name', { headers: [header('X Y', 'v', 'a')] }, 'Enter a header name'],
    ['a header of the framing', { headers: [header('Host')] }, 'Gatehouse sets this header.'],
    ['a header twice', { headers: [header('X-A'), header('x-a', 'v', 'b')] }, 'already listed'],
    ['the key’s header', { headers: [header('authorization')] }, 'The key is sent in this header.'],
    [
      'the key’s header of a format',
      { headers: [header('X-Api-Key')], endpoints: [{ ...messages, keyHeader: apiKey }] },
      'The key is sent in this header.',
    ],
    ['a format twice', { endpoints: [messages, messages] }, 'This format is already listed.'],
    ['a path without a slash', { endpoints: [{ ...messages, path: 'v1/x' }] }, 'Enter a path'],
    ['a URL as path', { endpoints: [{ ...messages, path: 'https://a.example' }] }, 'Enter a path'],
    ['a task path without {id}', { endpoints: [{ ...messages, taskPath: '/v1/x' }] }, 'Write {id}'],
    ['a value with a line break', { headers: [header('X-A', 'a\r\nb')] }, 'line breaks'],
    ['a value beyond Latin-1', { headers: [header('X-A', '密钥')] }, 'Latin-1'],
    ['one ID twice', { headers: [header('X-A')], query: [header('q', 'v', 'X-A')] }, 'one ID'],
    ['an ID like __proto__', { query: [header('q', 'v', '__proto__')] }, 'isn’t an ID'],
    ['a scheme of two words', { keyHeader: { name: 'A', scheme: 'a b' } }, 'one word'],
    ['another fingerprint', { acceptedFingerprint: 'AA:BB' }, 'SHA-256'],
    ['a proxy that is a script', { proxy: { kind: 'url', url: 'javascript:x' } }, 'Enter a proxy'],
    [
      'a negative timeout',
      { timeouts: { connectSeconds: -1, firstByteSeconds: null, stallSeconds: null } },
      'Enter 0 or more seconds.',
    ],
  ])('rejects %s', (_name, input, problem) => {
    expect(getProblems(input).join('\n')).toContain(problem);
  });
});

it.each(['https://ann:secret@gateway.example/v1', 'https://gateway.example/v1?api-version=1'])(
  'accepts the base URL %s, whose parts are stored separately',
  (baseUrl) => {
    expect(connectionInputSchema.parse({ name: 'Own', baseUrl }).baseUrl).toBe(baseUrl);
  },
);

it.each([
  'gateway.example',
  'javascript:alert(1)',
  'https://',
  'https://a b',
  'file:///etc/passwd',
])('rejects the base URL %s', (baseUrl) => {
  expect(connectionInputSchema.safeParse({ name: 'Own', baseUrl }).success).toBe(false);
});
