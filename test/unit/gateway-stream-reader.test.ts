import { expect, test } from 'vitest';
import type { Frame } from '../../electron/gateway/exchange-types.ts';
import { classifyOutcome, type ExpectedResponse } from '../../electron/gateway/outcome.ts';
import { readStream } from '../../electron/gateway/stream-reader.ts';
import { createRedactor } from '../../electron/redaction/redactor.ts';

const KEY = 'sk-canary-7Qz/93+xKd=lmP';

function open(room: Promise<void> | null = null) {
  const reads: Frame[][] = [];
  const happened: string[] = [];
  const reader = readStream(
    {
      chunks(frames) {
        reads.push([...frames]);
        return { produced: frames.length, rest: 'more', room };
      },
    },
    createRedactor(KEY),
    {
      onDone: () => happened.push('done'),
      onError: () => happened.push('error'),
      onDeltas: (count) => happened.push(`${count} deltas`),
      onWhole: () => happened.push('whole'),
      onMore: () => happened.push('more'),
    },
  );
  const texts = () => reads.map((frames) => frames.map(({ data }) => data));
  return { reader, happened, texts };
}

test('forwards all frames completed by one read', () => {
  const { reader, happened, texts } = open();
  reader.write('data: a\n\n: ping\n\ndata: b\n\ndata: c');
  reader.write('c\n\ndata: d\n\n');
  expect(texts().join(' | ')).toBe('a,ping,b | cc,d');
  expect(happened).toEqual(['3 deltas', '2 deltas']);
});

test('reports the end after the frames that arrived with it', () => {
  const { reader, happened, texts } = open();
  reader.write('data: a\n\ndata: [DONE]\n\ndata: too late\n\n');
  expect(texts()).toEqual([['a', '[DONE]']]);
  expect(happened).toEqual(['2 deltas', 'done']);
});

test('reports an error after the frames that arrived with it', () => {
  const { reader, happened, texts } = open();
  reader.write('data: {"a":1}\n\ndata: {"error":{"message":"no"}}\n\ndata: {"b":1}\n\n');
  expect(texts()).toEqual([['{"a":1}', '{"error":{"message":"no"}}', '{"b":1}']]);
  expect(happened).toEqual(['3 deltas', 'error']);
  expect(reader.end().error).toMatchObject({ text: '{"error":{"message":"no"}}' });
});

test('redacts the key in each event that has all of it, and delays no event', () => {
  const { reader, texts } = open();
  reader.write(`data: {"t":"one ${KEY}"}\n\ndata: {"t":"two sk-canary-7Q"}\n\nevent: ${KEY}\n`);
  expect(texts()).toEqual([['{"t":"one [redacted]"}', '{"t":"two sk-canary-7Q"}']]);
  reader.write('data: {"t":"z/93+xKd=lmP!"}\n\n');
  expect(texts()[1]).toEqual(['{"t":"z/93+xKd=lmP!"}']);
});

test('redacts the key in text that every event repeats, and in event names', () => {
  const { reader, texts } = open();
  const write = (text: string) => `event: ${KEY}\ndata: {"id":"${KEY}","t":"${text}"}\n\n`;
  for (const text of ['a', 'b', 'c', 'd']) reader.write(write(text) + write(`${text}2`));
  const all = texts().flat();
  expect(all).toHaveLength(8);
  expect(all.join('')).not.toContain('7Qz');
  expect(all[7]).toBe('{"id":"[redacted]","t":"d2"}');
});

test.each([
  ['an error', '{"id":"x","t":"a","error":{"message":"no"}}'],
  ['an error in another string', '{"id":"x","error":"no"}'],
])('finds %s after events that differ in one string', (_what, data) => {
  const { reader, happened } = open();
  for (const text of ['a', 'b', 'c', 'd']) reader.write(`data: {"id":"x","t":"${text}"}\n\n`);
  reader.write(`data: ${data}\n\n`);
  expect(happened).toContain('error');
});

test('makes the writer wait until there is room for more', async () => {
  const room = Promise.withResolvers<void>();
  const { reader } = open(room.promise);
  expect(reader.write('data: a')).toBeUndefined();
  const waiting = reader.write('\n\n');
  expect(waiting).toBe(room.promise);
  room.resolve();
  await waiting;
});

test('ends with an error at an event over the 64 MiB limit', () => {
  const { reader, happened } = open();
  reader.write('data: first\n\ndata: ');
  const piece = 'x'.repeat(1024 * 1024);
  for (let at = 0; at <= 64; at += 1) reader.write(piece);
  expect(happened).toEqual(['1 deltas', 'done']);
  const stream = reader.end();
  expect(stream).toMatchObject({ tooLarge: true, frameCount: 1 });
  const response = {
    kind: 'stream' as const,
    stream,
    decoding: null,
    head: { status: 200, headers: [] },
  };
  const expected: ExpectedResponse = {
    url: new URL('http://localhost/'),
    isRead: false,
    accepts: 'json',
    wanted: 'an answer',
    isCarried: true,
    redirects: 'none',
    unreadFile: null,
  };
  expect(classifyOutcome(expected, { how: 'complete' }, response, null, Date.now)).toMatchObject({
    status: 'failed',
    error: {
      kind: 'malformed-response',
      message: 'The stream has an event over the 64 MiB limit. Partial response kept.',
    },
  });
});
