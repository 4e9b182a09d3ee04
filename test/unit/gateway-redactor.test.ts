import { describe, expect, it } from 'vitest';
import type { Frame } from '../../electron/gateway/exchange-types.ts';
import { createFrameRedaction, mayContainKey } from '../../electron/gateway/frame-redaction.ts';
import { createRedactor } from '../../electron/gateway/redactor.ts';

const KEY = 'sk-a+b/c"d\\e=1234567890';
const redactor = createRedactor(KEY);

describe('the redactor', () => {
  it.each([
    ['the key', KEY],
    ['the URL-encoded key', encodeURIComponent(KEY)],
    ['the key inside JSON', JSON.stringify(KEY).slice(1, -1)],
    ['the key without its first characters', KEY.slice(3)],
  ])('takes out %s', (_name, form) => {
    expect(redactor.text(`<${form}> and <${form}>`)).toBe('<[redacted]> and <[redacted]>');
  });

  it.each(['', 'u', 'us', 'Bearer ', 'user:'])(
    'takes out base64 of the key behind %j',
    (before) => {
      const form = Buffer.from(`${before}${KEY}`).toString('base64');
      const shown = redactor.text(form);
      expect(shown).toContain('[redacted]');
      expect(shown.replace('[redacted]', '').length).toBeLessThan(before.length * 2 + 8);
      expect(redactor.text(Buffer.from(`${before}${KEY}`).toString('base64url'))).toContain(
        '[redacted]',
      );
    },
  );

  it('leaves text without it as it is, and words that are too short to be secret', () => {
    expect(redactor.text('sk-a is no key')).toBe('sk-a is no key');
    expect(createRedactor('demo').text('a demo')).toBe('a demo');
    expect(createRedactor(null).text(KEY)).toBe(KEY);
  });

  describe.each([
    [
      'sk-holdout',
      ['holdout', 'the holdout set', '-holdout', 'pre-holdout', 'talk-holdout', 'sk-hold'],
    ],
    ['sk-My-Secret-Phrase', ['My-Secret-Phrase', 'Secret-Phrase', 'my secret phrase']],
    ['opensesame', ['pensesame', 'sesame', 'open']],
    ['key_holdout', ['holdout', 'the holdout set', '_holdout']],
    ['proj-transcription', ['transcription', 'of transcriptions', 'TRANSCRIPTION']],
    ['sk-live-authentication', ['authentication failed', 'live-authentication', 'live']],
    ['gateway-test-2026', ['2026', 'test-2026', 'gateway-test']],
  ])('with a key of words, %s', (key, words) => {
    const ofWords = createRedactor(key);

    it.each(words)('leaves %j alone', (text) => {
      expect(ofWords.text(`{"is":"${text}"}`)).toBe(`{"is":"${text}"}`);
    });

    it('redacts the whole key, whatever surrounds it', () => {
      expect(ofWords.text(`Bearer ${key}, ${key}s and a${key}`)).toBe(
        'Bearer [redacted], [redacted]s and a[redacted]',
      );
      expect(ofWords.text(`{"is":${JSON.stringify(key)}}`)).toBe('{"is":"[redacted]"}');
      const form = Buffer.from(`Bearer ${key}`).toString('base64');
      expect(ofWords.text(form)).toContain('[redacted]');
    });
  });

  it.each([
    ['sk-holdout', 'k-holdout'],
    ['sk-holdout7', 'holdout7'],
    ['sk-hoLDoutX', 'hoLDoutX'],
    ['sk-4-holdout', '4-holdout'],
    ['sk-qwertyuiopasdfghjkl', 'qwertyuiopasdfghjkl'],
    ['gw-qhzkxvwpmbtnrdcl', 'qhzkxvwpmbtnrdcl'],
    ['gw_QHZKXVWPMBTN', 'QHZKXVWPMBTN'],
    ['sk-eutaxonimalero', 'eutaxonimalero'],
    ['sk-zvkqrmw', 'zvkqrmw'],
    ['key_QHZKXVWPMBTN', 'QHZKXVWPMBTN'],
    ['proj-qhzkxvwpmbtnrdcl', 'qhzkxvwpmbtnrdcl'],
    ['gateway-7f3c91d2a4', '7f3c91d2a4'],
    ['sk-proj-a8Zk29QmT4xW', 'proj-a8Zk29QmT4xW'],
    ['sk-proj-a8Zk29QmT4xW', 'a8Zk29QmT4xW'],
    ['sk-ant-api03-Zk29QmT4xW', 'Zk29QmT4xW'],
    ['team.key_a8Zk29QmT4xW', 'key_a8Zk29QmT4xW'],
  ])('takes out of %s its secret part alone: %s', (key, part) => {
    expect(createRedactor(key).text(`{"is":"${part}"}`)).toBe('{"is":"[redacted]"}');
    expect(createRedactor(key).text(part)).toBe('[redacted]');
  });

  it('leaves many backslashes as they are', () => {
    const backslashes = '\\'.repeat(300_000);
    expect(redactor.text(backslashes)).toBe(backslashes);
  });

  it('cleans names and values of headers', () => {
    expect(redactor.headers([['X-Echo', `Bearer ${KEY}`]])).toEqual([
      ['X-Echo', 'Bearer [redacted]'],
    ]);
  });
});

describe('redaction of frames', () => {
  function run(datas: string[], key = 'sk-canary-123456', suspect = (_data: string) => true) {
    const out: string[] = [];
    const stages: number[] = [];
    const redaction = createFrameRedaction(createRedactor(key));
    const pass = (frames: readonly Frame[]) => out.push(...frames.map(({ data }) => data));
    for (const data of datas) {
      pass(redaction.take([{ data, event: null, comment: false }], suspect(data)));
      stages.push(out.length);
    }
    pass(redaction.rest());
    return { out, stages };
  }

  it('passes frames on at once while none ends like the key', () => {
    expect(run(['{"a":"x"}', '{"a":"yes"}', '{"a":"sk-"}']).stages).toEqual([1, 2, 3]);
  });

  it('holds a frame that ends in the beginning of the key until the rest came', () => {
    const { out, stages } = run(['{"a":"x sk-canary"}', '{"a":"-123456 y"}', '{"a":"z"}']);
    expect(stages).toEqual([0, 2, 3]);
    expect(out.join('')).toBe('{"a":"x "}{"a":"[redacted] y"}{"a":"z"}');
  });

  it('takes it out of two fields with the same text', () => {
    const { out } = run([
      '{"a":"sk-can","b":"sk-can"}',
      '{"a":"ary-1","b":"ary-1"}',
      '{"a":"23456","b":"23456"}',
    ]);
    expect(out).toEqual([
      '{"a":"","b":""}',
      '{"a":"","b":""}',
      '{"a":"[redacted]","b":"[redacted]"}',
    ]);
  });

  it('takes it out of three texts, wherever it is split', () => {
    const key = 'sk-canary-123456';
    for (let first = 1; first < key.length - 1; first++) {
      for (let second = first + 1; second < key.length; second++) {
        const pieces = [`is ${key.slice(0, first)}`, key.slice(first, second), key.slice(second)];
        const { out } = run(pieces.map((piece) => JSON.stringify({ a: piece })));
        const text = out.map((data) => JSON.parse(data).a).join('');
        expect(text.replace(/^is (?:sk-|sk|s)?/, ''), `${first}, ${second}`).toBe('[redacted]');
      }
    }
  });

  it('takes a key with a longer prefix out of frames, wherever it is split, and its secret part alone', () => {
    const key = 'sk-proj-a8Zk29QmT4xW';
    for (let at = 1; at < key.length; at++) {
      const pieces = [`is ${key.slice(0, at)}`, `${key.slice(at)}!`, 'or a8Zk29QmT4xW alone'];
      const { out } = run(
        pieces.map((piece) => JSON.stringify({ a: piece })),
        key,
      );
      const text = out.map((data) => JSON.parse(data).a).join('');
      expect(text.replace(/^is (?:sk-|sk|s)?/, ''), `${at}`).toBe('[redacted]!or [redacted] alone');
    }
  });

  it('takes a key of words out of frames, wherever it is split, and leaves its words', () => {
    const key = 'sk-holdout';
    for (let at = 1; at < key.length; at++) {
      const pieces = [`is ${key.slice(0, at)}`, `${key.slice(at)}! A holdout set.`];
      const { out } = run(
        pieces.map((piece) => JSON.stringify({ a: piece })),
        key,
      );
      const text = out.map((data) => JSON.parse(data).a).join('');
      expect(text.replace(/^is (?:sk-|sk|s)?/, ''), `${at}`).toBe('[redacted]! A holdout set.');
    }
    expect(run(['{"a":"the"}', '{"a":"holdout"}'], key).out.join('')).toContain('holdout');
  });

  it('takes a key of words out where only the beginning of its trail looked suspect', () => {
    const key = 'sk-holdout';
    const { screen } = createRedactor(key);
    const suspect = mayContainKey(key, screen ? [screen] : []);
    for (let at = 1; at < key.length; at++) {
      const datas = [`is ${key.slice(0, at)}`, key.slice(at), '! A holdout set.'];
      const { out } = run(
        datas.map((piece) => JSON.stringify({ a: piece })),
        key,
        suspect,
      );
      const text = out.map((data) => JSON.parse(data).a).join('');
      expect(text.replace(/^is (?:sk-|sk|s)?/, ''), `${at}`).toBe('[redacted]! A holdout set.');
    }
    expect(suspect('{"a":"! A holdout set."}')).toBe(false);
  });

  it.each(['sk-canary-1234', 'x+y.z*(1)[2]^|$', String.raw`k/\w+9876`])(
    'suspects every spelling of %s, and nothing else',
    (key) => {
      const { screen } = createRedactor(key);
      const suspect = mayContainKey(key, [
        ...(screen ? [screen] : []),
        { pattern: String.raw`\[DONE\]`, hints: ['NE]'] },
      ]);
      const first = key.charCodeAt(0).toString(16).padStart(4, '0');
      for (const spelled of [
        key,
        Buffer.from(key).toString('base64'),
        `\\u${first}${key.slice(1)}`,
        '[DONE]',
      ]) {
        expect(suspect(`data: {"a":"! ${spelled} !"}`), spelled).toBe(true);
      }
      expect(suspect('data: {"a":"! [MORE] !"}')).toBe(false);
    },
  );

  it('takes it out of pieces that spell it with escapes, and leaves other escapes as they came', () => {
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

  it('follows it through frames of many megabytes', () => {
    const sound = String.raw`AAA\/`.repeat(3_000_000);
    const { out } = run([`{"a":"${sound}sk-can"}`, '{"a":"ary-123456"}']);
    expect(out.map((data) => data.slice(-20))).toEqual([
      `{"a":"${sound}"}`.slice(-20),
      '{"a":"[redacted]"}',
    ]);
  });

  it('does not hold back without end when every frame ends like the key', () => {
    const frames = Array.from({ length: 40 }, () => '{"a":"sk-canary"}');
    const { out, stages } = run(frames);
    expect(out).toEqual(frames);
    expect(stages[39]).toBeGreaterThan(25);
  });

  it('works on data that is not JSON', () => {
    expect(run(['the sk-canary', '-123456.']).out).toEqual(['the ', '[redacted].']);
  });
});
