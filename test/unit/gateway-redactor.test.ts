import { describe, expect, it } from 'vitest';
import { createRedactor, redactAll } from '../../electron/redaction/redactor.ts';

const KEY = 'sk-a+b/c"d\\e=1234567890';
const redactor = createRedactor(KEY);

function escapeAll(text: string, mark: string): string {
  return [...text].map((char) => mark + char.charCodeAt(0).toString(16)).join('');
}

describe('text', () => {
  it.each([
    ['the key', KEY],
    ['the URL-encoded key', encodeURIComponent(KEY)],
    ['the key inside JSON', JSON.stringify(KEY).slice(1, -1)],
    ['the key without its prefix', KEY.slice(3)],
    ['the key in JSON inside JSON', JSON.stringify(JSON.stringify(KEY)).slice(3, -3)],
    ['the key with escaped slashes', JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/')],
    ['the key with numeric escapes', escapeAll(KEY, '\\u00')],
    [
      'the key with numeric escapes in uppercase',
      escapeAll(KEY, '\\u00').toUpperCase().replaceAll('U', 'u'),
    ],
    [
      'the URL-encoded key in lowercase',
      encodeURIComponent(KEY).replaceAll(/%../g, (code) => code.toLowerCase()),
    ],
    ['the key with every character URL-encoded', escapeAll(KEY, '%')],
  ])('redacts %s', (_name, form) => {
    expect(redactor.text(`<${form}> and <${form}>`)).toBe('<[redacted]> and <[redacted]>');
  });

  it.each(['', 'u', 'us', 'Bearer ', 'user:'])('redacts base64 of the key after %j', (before) => {
    const encoded = Buffer.from(`${before}${KEY}`);
    const shown = redactor.text(encoded.toString('base64'));
    expect(shown).toContain('[redacted]');
    expect(shown.replace('[redacted]', '').length).toBeLessThan(before.length * 2 + 8);
    expect(redactor.text(encoded.toString('base64url'))).toContain('[redacted]');
  });

  it.each(['', 'u', 'us'])('redacts base64 with escaped slashes of a key after %j', (before) => {
    const key = 'k7??Q~z?93??xK??dlm';
    const { text } = createRedactor(key);
    const encoded = btoa(before + key);
    expect(encoded).toContain('/');
    expect(text(`"${encoded.replaceAll('/', String.raw`\/`)}"`)).toMatch(
      /^".{0,4}\[redacted\].{0,4}"$/,
    );
  });

  it.each(['pass word-7Qz93xKd', 'pass+word-7Qz93xKd', 'pass%20word-7Qz93xKd'])(
    'redacts a secret with a space as %j',
    (form) => expect(createRedactor('pass word-7Qz93xKd').text(`<${form}>`)).toBe('<[redacted]>'),
  );

  it('redacts a secret with letters outside ASCII, URL-encoded', () => {
    const { text } = createRedactor('pässwört-7Qz93xKd');
    const form = encodeURIComponent('pässwört-7Qz93xKd');
    expect([text(form), text(form.toLowerCase().replace('qz93xkd', 'Qz93xKd'))]).toEqual([
      '[redacted]',
      '[redacted]',
    ]);
  });

  it('keeps escapes around the key', () => {
    const text = String.raw`{"a":"\u0041\n%41 ${KEY.slice(0, 4)} \u0042"}`;
    expect(redactor.text(text)).toBe(text);
    expect(
      createRedactor('sk-canary-123456').text(String.raw`\u0041 sk\u002dcanary-123456 %41`),
    ).toBe(String.raw`\u0041 [redacted] %41`);
  });

  it('keeps text without the key, and keys that are too short to be secret', () => {
    expect(redactor.text('sk-a is no key')).toBe('sk-a is no key');
    expect(createRedactor('demo').text('a demo')).toBe('a demo');
    expect(createRedactor(null).text(KEY)).toBe(KEY);
  });

  it.each(['ollama', 'openai'])('keeps words inside the key %j', (key) => {
    const text = `llama3.2, penai and ${key}`;
    expect(createRedactor(key).text(text)).toBe(text.replace(key, '[redacted]'));
  });

  it.each([
    ['sk-holdout', ['holdout', 'the holdout set', '-holdout', 'sk-hold']],
    ['sk-My-Secret-Phrase', ['My-Secret-Phrase', 'Secret-Phrase', 'my secret phrase']],
    ['opensesame', ['sesame', 'open']],
    ['proj-transcription', ['transcription', 'of transcriptions', 'TRANSCRIPTION']],
    ['gateway-test-2026', ['2026', 'test-2026', 'gateway-test']],
  ])('redacts %s, but never a part of it', (key, words) => {
    const { text } = createRedactor(key);
    for (const word of words) expect(text(`{"is":"${word}"}`)).toBe(`{"is":"${word}"}`);
    expect(text(`Bearer ${key}, ${key}s and a${key}`)).toBe(
      'Bearer [redacted], [redacted]s and a[redacted]',
    );
    expect(text(Buffer.from(`Bearer ${key}`).toString('base64'))).toContain('[redacted]');
  });

  it.each([
    ['sk-proj-AbCdEfGh12-xyz9', 'AbCdEfGh12-xyz9'],
    ['sk-holdout', 'k-holdout'],
    ['sk-holdout7', 'holdout7'],
    ['sk-qwertyuiopasdfghjkl', 'qwertyuiopasdfghjkl'],
    ['gateway-7f3c91d2a4', '7f3c91d2a4'],
    ['sk-ant-api03-Zk29QmT4xW', 'Zk29QmT4xW'],
    ['team.key_a8Zk29QmT4xW', 'a8Zk29QmT4xW'],
  ])('redacts only the secret part of %s: %s', (key, part) => {
    expect(createRedactor(key).text(`{"is":"${part}"}`)).toBe('{"is":"[redacted]"}');
    expect(createRedactor(key).text(part)).toBe('[redacted]');
  });

  it('keeps a long run of backslashes', () => {
    const backslashes = '\\'.repeat(300_000);
    expect(redactor.text(backslashes)).toBe(backslashes);
  });
});

describe('several secrets', () => {
  const secrets = ['Bearer tok-9x8c7v6b5n', 'tok-9x8c7v6b5n', 'q2w3e4r5t6y7', 'short'];
  const redactor = redactAll(secrets);

  it('redacts the longest secret first', () => {
    const text = 'Bearer tok-9x8c7v6b5n, tok-9x8c7v6b5n, q2w3e4r5t6y7, short';
    expect(redactor.text(text)).toBe('[redacted], [redacted], [redacted], short');
    expect(redactor.headers([['X-Q', 'q2w3e4r5t6y7']])).toEqual([['X-Q', '[redacted]']]);
  });

  it('shares a redactor between equal secrets', () => {
    expect(redactAll([KEY, KEY])).toBe(createRedactor(KEY));
  });
});

it('redacts names and values of headers', () => {
  const echoed = redactor.headers([['X-Echo', `Bearer ${KEY}`]]);
  expect(echoed).toEqual([['X-Echo', 'Bearer [redacted]']]);
});

describe('a key of 8,000 characters', () => {
  const long = Array.from({ length: 800 }, (_, at) => `k${String(at).padStart(9, '0')}`).join('');

  it('redacts it', () => {
    expect(createRedactor(long).text(`<${long}>`)).toBe('<[redacted]>');
  });
});
