import { expect, it } from 'vitest';
import { cleanPastedKey, readPastedUrl } from '../../shared/pasted-connection.ts';

const key = 'sk-AbC123_xyz.789-0';

it.each<[string, string, string[]]>([
  ['nothing to cut', key, []],
  ['spaces', `  ${key} `, ['spaces']],
  ['a line end', `${key}\r\n`, ['a line break']],
  ['double quotes', `"${key}"`, ['quotes']],
  ['single quotes', `'${key}'`, ['quotes']],
  ['backticks', `\`${key}\``, ['quotes']],
  ['curly quotes', `“${key}”`, ['quotes']],
  ['German quotes', `„${key}“`, ['quotes']],
  ['Bearer', `Bearer ${key}`, ['“Bearer”']],
  ['bearer in lower case', `bearer  ${key}`, ['“bearer”']],
  ['a header', `Authorization: Bearer ${key}`, ['“Authorization:”', '“Bearer”']],
  ['another header', `x-api-key: ${key}`, ['“x-api-key:”']],
  ['a header of curl', `-H "Authorization: Bearer ${key}"`, ['“-H "Authorization:”', '“Bearer”']],
  ['export', `export OPENAI_API_KEY=${key}`, ['“export OPENAI_API_KEY=”']],
  ['export with quotes', `export A_KEY="${key}"\n`, ['a line break', '“export A_KEY=”', 'quotes']],
  ['a line of .env', `OPENAI_API_KEY = '${key}'`, ['“OPENAI_API_KEY =”', 'quotes']],
  ['PowerShell', `$env:OPENAI_API_KEY = "${key}"`, ['“$env:OPENAI_API_KEY =”', 'quotes']],
  ['set', `set KEY=${key}`, ['“set KEY=”']],
  ['JSON', `"api_key": "${key}",`, ['“"api_key":”', '“,”', 'quotes']],
  ['YAML', `api_key: ${key}`, ['“api_key:”']],
  ['a semicolon', `export A=${key};`, ['“export A=”', '“;”']],
  ['a zero-width space', `\u200b${key}`, ['an invisible character']],
  ['a zero-width space inside', `sk-AbC\u200b123_xyz.789-0`, ['an invisible character']],
  ['a byte order mark', `\ufeff${key}`, ['an invisible character']],
  ['a word joiner', `${key}\u2060`, ['an invisible character']],
  ['a non-breaking space', `\u00a0${key}\u00a0`, ['a non-breaking space']],
  ['a narrow one', `${key}\u202f`, ['a non-breaking space']],
  [
    'everything at once',
    `\ufeffexport KEY="Bearer ${key}"\u00a0\n`,
    [
      ...['an invisible character', 'a line break', 'a non-breaking space'],
      ...['“export KEY=”', 'quotes', '“Bearer”'],
    ],
  ],
])('cleans a pasted key with %s', (_name, pasted, removed) => {
  expect(cleanPastedKey(pasted)).toEqual({ text: key, removed });
});

it.each([
  ['base64 that ends in =', 'QWxhZGRpbjpvcGVu='],
  ['base64 that ends in ==', 'QWxhZGRpbg=='],
  ['one quote', `"${key}`],
  ['a colon', 'user:password-1234'],
  ['spaces inside', 'two words'],
  ['nothing', ''],
])('keeps %s in a key', (_name, text) => {
  expect(cleanPastedKey(text)).toEqual({ text, removed: [] });
});

it('leaves a cleaned key unchanged', () => {
  const { text } = cleanPastedKey(`export A="${key}"`);
  expect(cleanPastedKey(text)).toEqual({ text: key, removed: [] });
});

const base = 'https://gateway.example/v1';
const plain = { baseUrl: base, login: null, query: [], removed: [] };

it.each<[string, string, Partial<ReturnType<typeof readPastedUrl>>]>([
  ['a plain URL', base, {}],
  ['quotes and a line end', `"${base}"\n`, { removed: ['a line break', 'quotes'] }],
  ['a zero-width space', `${base}\u200b`, { removed: ['an invisible character'] }],
  ['an endpoint', `${base}/chat/completions`, { removed: ['/chat/completions'] }],
  ['a fragment', `${base}#models`, { removed: ['“#models”'] }],
  [
    'a login',
    'https://ann:p%40ss%3Aword@gateway.example/v1',
    { login: { user: 'ann', password: 'p@ss:word' } },
  ],
  [
    'a password with a colon and an at sign',
    'https://ann:a:b@c@gateway.example/v1',
    { login: { user: 'ann', password: 'a:b@c' } },
  ],
  ['a user', 'https://sk-1234@gateway.example/v1', { login: { user: 'sk-1234', password: '' } }],
  ['an empty login', 'https://@gateway.example/v1', {}],
  ['a percent sign', 'https://a:5%@gateway.example/v1', { login: { user: 'a', password: '5%' } }],
  [
    'an API version and an endpoint',
    `${base}/chat/completions?api-version=2024-10-21`,
    {
      query: [{ name: 'api-version', value: '2024-10-21', isSecret: false }],
      removed: ['/chat/completions'],
    },
  ],
  [
    'a key in the query',
    `${base}?key=AIza%2B1&alt=sse&flag`,
    {
      query: [
        { name: 'key', value: 'AIza+1', isSecret: true },
        { name: 'alt', value: 'sse', isSecret: false },
        { name: 'flag', value: '', isSecret: false },
      ],
    },
  ],
])('reads a pasted URL with %s', (_name, pasted, expected) => {
  expect(readPastedUrl(pasted)).toEqual({ ...plain, ...expected });
});

it('keeps text that isn’t a URL', () => {
  expect(readPastedUrl(' gateway.example/v1 ').baseUrl).toBe('gateway.example/v1');
  expect(readPastedUrl('javascript:alert(1)').baseUrl).toBe('javascript:alert(1)');
});
