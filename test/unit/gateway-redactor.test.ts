import { describe, expect, it } from 'vitest';
import { createRedactor, redactAll } from '../../electron/gateway/redactor.ts';

const KEY = 'sk-a+b/c"d\\e=1234567890';
const redactor = createRedactor(KEY);

describe('text', () => {
  it.each([
    ['the key', KEY],
    ['the URL-encoded key', encodeURIComponent(KEY)],
    ['the key inside JSON', JSON.stringify(KEY).slice(1, -1)],
    ['the key without its prefix', KEY.slice(3)],
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

  it('redacts two secrets that a stream splits one after the other', () => {
    const stream = redactor.stream();
    const pieces = ['a tok-9x8', 'c7v6b5n b q2w3', 'e4r5t6y7 c', ' d'];
    const frames = pieces.flatMap((text) => [
      ...stream.take([{ data: JSON.stringify({ text }), event: null, comment: false }]),
    ]);
    const all = [...frames, ...stream.rest()].map(({ data }) => JSON.parse(data).text).join('');
    expect(all).toBe('a [redacted] b [redacted] c d');
  });

  it('forwards incomplete secrets in order at the end', () => {
    const stream = redactor.stream();
    const datas = ['x tok-9x8', 'y q2w3e4r5', 'z'].map((text) => JSON.stringify({ text }));
    const frames = stream.take(datas.map((data) => ({ data, event: null, comment: false })));
    expect([...frames, ...stream.rest()].map(({ data }) => data)).toEqual(datas);
  });

  it('shares a redactor between equal secrets', () => {
    expect(redactAll([KEY, KEY])).toBe(createRedactor(KEY));
  });
});

it('redacts names and values of headers', () => {
  const echoed = redactor.headers([['X-Echo', `Bearer ${KEY}`]]);
  expect(echoed).toEqual([['X-Echo', 'Bearer [redacted]']]);
});

describe('stream', () => {
  function run(datas: string[], key = 'sk-canary-123456') {
    const out: string[] = [];
    const counts: number[] = [];
    const stream = createRedactor(key).stream();
    for (const data of datas) {
      const frames = stream.take([{ data, event: null, comment: false }]);
      out.push(...frames.map((frame) => frame.data));
      counts.push(out.length);
    }
    out.push(...stream.rest().map(({ data }) => data));
    return { out, counts };
  }

  function joinTexts(texts: string[], key: string): string {
    const sent = texts.map((text) => JSON.stringify({ a: text }));
    return run(sent, key)
      .out.map((data) => JSON.parse(data).a)
      .join('');
  }

  it('forwards frames at once unless one ends in over three characters of the key', () => {
    expect(run(['{"a":"x"}', '{"a":"yes"}', '{"a":"sk-"}']).counts).toEqual([1, 2, 3]);
  });

  it('holds a frame that ends in the beginning of the key until the rest arrives', () => {
    const { out, counts } = run(['{"a":"x sk-canary"}', '{"a":"-123456 y"}', '{"a":"z"}']);
    expect(counts).toEqual([0, 2, 3]);
    expect(out.join('')).toBe('{"a":"x "}{"a":"[redacted] y"}{"a":"z"}');
  });

  it('redacts two fields that hold the same text', () => {
    const sent = ['sk-can', 'ary-1', '23456'].map((text) => JSON.stringify({ a: text, b: text }));
    const shown = ['', '', '[redacted]'].map((text) => JSON.stringify({ a: text, b: text }));
    expect(run(sent).out).toEqual(shown);
  });

  it('redacts a key in three texts, wherever it is split', () => {
    const key = 'sk-canary-123456';
    for (let first = 1; first < key.length - 1; first++) {
      for (let second = first + 1; second < key.length; second++) {
        const [start, end] = [key.slice(0, first), key.slice(second)];
        const text = joinTexts([`is ${start}`, key.slice(first, second), end], key);
        expect(text.replace(/^is (?:sk-|sk|s)?/, ''), `${first}, ${second}`).toBe('[redacted]');
      }
    }
  });

  it.each([
    ['sk-proj-a8Zk29QmT4xW', 'or a8Zk29QmT4xW alone', 'or [redacted] alone'],
    ['sk-holdout', 'A holdout set.', 'A holdout set.'],
  ])('redacts %s wherever it is split, and %j', (key, after, shown) => {
    for (let at = 1; at < key.length; at++) {
      const text = joinTexts([`is ${key.slice(0, at)}`, `${key.slice(at)}!`, after], key);
      expect(text.replace(/^is (?:sk-|sk|s)?/, ''), `${at}`).toBe(`[redacted]!${shown}`);
    }
  });

  it('redacts pieces that spell the key with escapes, and keeps other escapes', () => {
    const { out } = run([
      String.raw`{"a":"sk\u002dcan"}`,
      String.raw`{"a":"ary\u002D1234"}`,
      '{"a":"56"}',
      String.raw`{"a":"\u002d, sk\u002dcan"}`,
      '{"a":"teen"}',
    ]);
    expect(out.slice(0, 3).join('')).toBe('{"a":""}{"a":""}{"a":"[redacted]"}');
    expect(out[3]).toBe(String.raw`{"a":"\u002d, sk\u002dcan"}`);
  });

  it('follows the key across frames of many megabytes', () => {
    const sound = String.raw`AAA\/`.repeat(3_000_000);
    const { out } = run([`{"a":"${sound}sk-can"}`, '{"a":"ary-123456"}']);
    const ends = [`${sound}"}`.slice(-20), '{"a":"[redacted]"}'];
    expect(out.map((data) => data.slice(-20))).toEqual(ends);
  });

  it('forwards old frames even if each ends like the beginning of the key', () => {
    const frames = Array.from({ length: 40 }, () => '{"a":"sk-canary"}');
    const { out, counts } = run(frames);
    expect(out).toEqual(frames);
    expect(counts[39]).toBeGreaterThan(25);
  });

  it('redacts data that is not JSON', () => {
    expect(run(['the sk-canary', '-123456.']).out).toEqual(['the ', '[redacted].']);
  });

  it('redacts a whole key whose end equals its beginning', () => {
    const key = 'ab-12345678-ab';
    expect(joinTexts([`is ${key}`, '-12345678-ab'], key)).toBe('is [redacted]-[redacted]');
  });
});

describe('a key of 8,000 characters', () => {
  const long = Array.from({ length: 800 }, (_, at) => `k${String(at).padStart(9, '0')}`).join('');

  it('redacts it in a text and across the frames of a stream', () => {
    const { text, stream } = createRedactor(long);
    expect(text(`<${long}>`)).toBe('<[redacted]>');
    const redaction = stream();
    const data = [long.slice(0, 5000), long.slice(5000)].map((piece) => JSON.stringify({ piece }));
    const frames = [
      ...data.flatMap((each) => redaction.take([{ data: each, event: null, comment: false }])),
      ...redaction.rest(),
    ];
    expect(frames.map((frame) => JSON.parse(frame.data).piece).join('')).toBe('[redacted]');
  });
});
