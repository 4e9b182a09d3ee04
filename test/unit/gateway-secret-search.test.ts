import { describe, expect, it } from 'vitest';
import { createRedactor, redactAll } from '../../electron/redaction/redactor.ts';
import { createSecretSearch, maskRanges } from '../../electron/redaction/secret-search.ts';

const KEY = 'sk-canary-7Qz/93+xKd=lmP';

/** Returns the texts as the search masks them. */
function mask(texts: readonly string[], redactor = createRedactor(KEY)): string[] {
  const search = createSecretSearch(redactor);
  for (const [seq, text] of texts.entries()) search.add(seq, text);
  const cuts = search.takeCuts();
  return texts.map((text, seq) => maskRanges(text, cuts.get(seq) ?? []));
}

const delta = (content: string, index = 0) =>
  JSON.stringify({ id: 'c-1', choices: [{ index, delta: { content } }], usage: null });

function readDeltas(events: readonly string[]): string {
  return events.map((event) => JSON.parse(event).choices[0].delta.content).join('');
}

function escapeAll(text: string, mark: string): string {
  return [...text].map((char) => mark + char.charCodeAt(0).toString(16)).join('');
}

const forms: [name: string, form: string][] = [
  ['plain', KEY],
  ['with escaped slashes', KEY.replaceAll('/', String.raw`\/`)],
  ['with numeric escapes', escapeAll(KEY, String.raw`\u00`)],
  ['URL-encoded', encodeURIComponent(KEY)],
  ['URL-encoded in lowercase', encodeURIComponent(KEY).replaceAll(/%../g, (c) => c.toLowerCase())],
  ...['', 'u', 'us'].flatMap((before): [string, string][] => [
    [`in base64 after ${before.length} characters`, btoa(before + KEY)],
    [
      `in URL-safe base64 after ${before.length} characters`,
      Buffer.from(before + KEY).toString('base64url'),
    ],
  ]),
];

describe.each(forms)('a key that arrives %s', (_name, form) => {
  /** Text arrives in single characters, but an escape arrives whole. */
  const units = form.match(/\\u00..|\\\/|[\s\S]/g) ?? [];
  const toEvent = (text: string) => delta('').replace('"content":""', `"content":"${text}"`);

  it.each([1, 2, 5])('is masked in pieces of %i characters', (size) => {
    const pieces: string[] = [];
    for (let at = 0; at < units.length; at += size)
      pieces.push(units.slice(at, at + size).join(''));
    const events = ['It is ', ...pieces, '. Keep it.'].map(toEvent);
    const masked = mask(events);
    const text = readDeltas(masked);
    // The base64 of the surrounding text stays.
    expect(text).toMatch(/^It is [\w+/-]{0,4}\*+[\w+/=-]{0,4}\. Keep it\.$/);
    expect(masked.map(({ length }) => length)).toEqual(events.map(({ length }) => length));
  });

  it('is masked wherever it is split in two', () => {
    for (let at = 1; at < units.length; at += 1) {
      const halves = [units.slice(0, at), units.slice(at)].map((half) => toEvent(half.join('')));
      expect(readDeltas(mask(halves)), String(at)).toMatch(/^[\w+/-]{0,4}\*+[\w+/=-]{0,4}$/);
    }
  });
});

it('keeps numbers, names and strings without a piece', () => {
  const [start, end] = [KEY.slice(0, 14), KEY.slice(14)];
  const write = (text: string, number: number) =>
    `{"n":${number},"text":"a ${text}","other":["x",{"y":"z"}],"${start}":1}`;
  const events = [write(start, 1.5), write(`${end} b`, -2e3)];
  expect(mask(events)).toEqual(events);
  const masked = mask([`{"text":"${start}","n":7}`, `{"text":"${end}","n":8}`]);
  expect(masked).toEqual(['{"text":"**************","n":7}', '{"text":"**********","n":8}']);
});

it('continues strings across array items, whatever their index', () => {
  const [masked = ''] = mask([`{"data":["sk-canary-7",{"a":1},"Qz/93+xKd=lmP"],"x":"Qz/93"}`]);
  expect(JSON.parse(masked)).toEqual({
    data: ['***********', { a: 1 }, '*************'],
    x: 'Qz/93',
  });
});

it('finds the key in a choice while other choices arrive in between', () => {
  const events = [...KEY].flatMap((letter) => [delta(letter, 0), delta('no ', 1)]);
  const masked = mask(events);
  expect(readDeltas(masked.filter((_event, at) => at % 2 === 0))).toBe('*'.repeat(KEY.length));
  expect(readDeltas(masked.filter((_event, at) => at % 2 === 1))).toBe('no '.repeat(KEY.length));
});

it('finds the key in a field that changes along with another field in each event', () => {
  const events = [...KEY].map((letter, at) => JSON.stringify({ at: `n${at}`, unknown: letter }));
  const letters = mask(events).map((event) => JSON.parse(event).unknown);
  expect(letters.join('')).toBe('*'.repeat(KEY.length));
});

it('finds the key in text that isn’t JSON', () => {
  expect(mask(['the sk-canary-7Q', 'z/93+xKd=lmP.'])).toEqual([
    'the ************',
    '************.',
  ]);
});

it('finds every key in a long stream, and several secrets', () => {
  const redactor = redactAll([KEY, 'tok-9x8c7v6b5n']);
  const events: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    events.push(...Array.from({ length: 3000 }, (_, at) => delta(`word ${at} `)));
    events.push(delta('tok-9x'), delta('8c7v6b5n'), ...[...KEY].map((letter) => delta(letter)));
  }
  const text = readDeltas(mask(events, redactor));
  expect(text.match(/\*+/g)).toEqual(Array(3).fill('*'.repeat(14 + KEY.length)));
});

it('finds a key that is longer than a batch', () => {
  const long = Array.from({ length: 800 }, (_, at) => `k${String(at).padStart(9, '0')}`).join('');
  const pieces = [long.slice(0, 5000), long.slice(5000)].map((text) => JSON.stringify({ text }));
  const masked = mask(pieces, createRedactor(long));
  expect(masked.map((piece) => JSON.parse(piece).text).join('')).toBe('*'.repeat(long.length));
});

it('finds the key at the end of strings of many megabytes', () => {
  const sound = String.raw`AAA\/`.repeat(1_000_000);
  const masked = mask([`{"a":"${sound}sk-canary"}`, '{"a":"-7Qz/93+xKd=lmP"}']);
  expect(masked.map((text) => text.slice(-18))).toEqual([
    `${sound}*********"}`.slice(-18),
    '"***************"}'.slice(-18),
  ]);
});

it('pauses while it searches a large document', () => {
  const document = JSON.stringify({ data: Array.from({ length: 20_000 }, (_, at) => `t${at}`) });
  const steps = createSecretSearch(createRedactor(KEY)).addInSteps(0, document);
  expect([...steps].length).toBeGreaterThan(30);
});

it('limits its memory if every event has new names', () => {
  const search = createSecretSearch(createRedactor(KEY));
  for (let at = 0; at < 20_000; at += 1) search.add(at, `{"n${at}":"x"}`);
  search.add(20_000, `{"a":"${KEY.slice(0, 8)}"}`);
  search.add(20_001, `{"a":"${KEY.slice(8)}"}`);
  expect(search.takeCuts().size).toBe(2);
});

it('finds the key in a document that nests deeper than any limit', () => {
  const depth = 5000;
  const [first, second] = [KEY.slice(0, 14), KEY.slice(14)];
  const deep = `${'['.repeat(depth)}"${first}","${second}"${']'.repeat(depth)}`;
  const rest = `"b":"${first}","c":"${second}"}`;
  const [masked] = mask([`{"a":${deep},${rest}`]);
  expect(masked?.replaceAll(/[[\]]+/g, '')).toBe(
    `{"a":"${'*'.repeat(first.length)}","${'*'.repeat(second.length)}",${rest}`,
  );
});

it('masks ranges that overlap or aren’t in order', () => {
  const ranges = [
    { start: 6, end: 8 },
    { start: 1, end: 4 },
    { start: 2, end: 3 },
    { start: 3, end: 5 },
  ];
  expect(maskRanges('0123456789', ranges)).toBe('0****5**89');
});

it('reports both parts of a key even if cuts were taken in between', () => {
  const search = createSecretSearch(createRedactor(KEY));
  search.add(1, delta(KEY.slice(0, 8)));
  expect(search.takeCuts().size).toBe(0);
  search.add(2, delta(KEY.slice(8)));
  expect([...search.takeCuts().keys()]).toEqual([1, 2]);
});

it('finds nothing without a key', () => {
  const search = createSecretSearch(createRedactor(null));
  search.add(1, delta('sk-canary'));
  expect(search.takeCuts().size).toBe(0);
});
