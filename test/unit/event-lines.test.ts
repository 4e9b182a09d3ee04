import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeEvents, encodeEvents } from '../../electron/storage/event-lines.ts';
import type { RunEvent } from '../../shared/run.ts';

const unread = () => {
  throw new Error('It could not be read.');
};

it('preserves any chunk, and an event of another kind', () => {
  const chunk = fc.record({
    kind: fc.constant('chunk' as const),
    seq: fc.integer({ min: 1, max: 2 ** 26 }),
    atMs: fc.double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true }),
    exchange: fc.nat(),
    data: fc.string({ unit: 'binary' }),
    event: fc.option(fc.string()),
    comment: fc.boolean(),
  });
  const other: RunEvent = {
    kind: 'body',
    seq: 9,
    atMs: 0,
    exchange: 2,
    text: 'é\ud800',
    truncated: false,
  };
  fc.assert(
    fc.property(fc.array(chunk), (chunks) => {
      const events = [...chunks.map((event) => ({ ...event, atMs: event.atMs + 0 })), other];
      expect(decodeEvents(encodeEvents(events), unread)).toEqual(events);
    }),
  );
});

it.each([
  ['no JSON', '[[1,0,0,"a"'],
  ['no list', '{"run":{}}'],
])('returns null for %s', (_what, text) => {
  expect(decodeEvents(text, unread)).toBeNull();
});

it.each([
  ['a number of 0', [0, 0, 0, 'a']],
  ['a negative time', [1, -1, 0, 'a']],
  ['a fraction', [1, 0, 0.5, 'a']],
  ['no text', [1, 0, 0]],
  ['text of another type', [1, 0, 0, 5]],
  ['a comment that is no flag', [1, 0, 0, 'a', null, 1]],
  ['an unknown kind', [1, 0, 0, 'other', '{}']],
  ['a body that is no object', [1, 0, 0, 'following', '[]']],
])('skips an entry with %s', (_what, entry) => {
  let skipped = 0;
  const text = JSON.stringify([entry, [2, 0, 0, 'b']]);
  expect(decodeEvents(text, () => (skipped += 1))).toMatchObject([{ seq: 2, data: 'b' }]);
  expect(skipped).toBe(1);
});
