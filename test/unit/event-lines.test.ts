import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeEvents, encodeEvents } from '../../electron/storage/event-lines.ts';
import type { RunEvent, RunEventOf } from '../../shared/run.ts';
import { chunk } from '../fixtures/open-ledger.ts';

const unread = () => {
  throw new Error('It could not be read.');
};

it('preserves any chunk, and an event of another kind', () => {
  const anyChunk = fc.record({
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
    fc.property(fc.array(anyChunk), fc.boolean(), (chunks, areTogether) => {
      const events = [...chunks.map((event) => ({ ...event, atMs: event.atMs + 0 })), other];
      const [first] = chunks;
      const sent =
        areTogether && first
          ? number(
              first,
              chunks.map(({ data }) => data),
            )
          : events;
      expect(decodeEvents(encodeEvents(sent), unread)).toEqual(sent);
    }),
  );
});

/** Returns chunks that arrived together. */
function number(first: RunEventOf<'chunk'>, texts: readonly string[]): RunEvent[] {
  return texts.map((data, at) => ({ ...first, atMs: 0, seq: first.seq + at, data }));
}

it('writes chunks that arrived together in one line, without escaping them', () => {
  const text = encodeEvents(number(chunk(7), ['{"a":1}', '', '"b"']));
  expect(text).toBe('[7,0,0,null,false,7,0,3]\t{"a":1}"b"');
  expect(decodeEvents(`${text}  `, unread)).toEqual(decodeEvents(text, unread));
});

it.each([
  ['a line that was cut', '[1,0,0,null,false,3]\tab'],
  ['a line that is too long', '[1,0,0,null,false,3]\tabcd'],
  ['no text', '[1,0,0,null,false,3]'],
  ['no lengths', '[1,0,0,null,false]\t'],
  ['NUL characters', '[1,0,0,null,false,3]\ta\0c'],
  ['a number of 0', '[0,0,0,null,false,1]\ta'],
  ['a negative time', '[1,-1,0,null,false,1]\ta'],
  ['a fraction', '[1,0,0.5,null,false,1]\ta'],
  ['a comment that is no flag', '[1,0,0,null,1,1]\ta'],
  ['another list', '[1]'],
  ['no JSON', '{"kind":"following"'],
  ['an unknown kind', '{"kind":"other","seq":1,"atMs":0,"exchange":0}'],
  ['a missing field', '{"kind":"following","seq":1,"atMs":0,"exchange":0}'],
])('skips %s', (_what, line) => {
  let skipped = 0;
  const text = `${line}\n[2,0,0,null,false,1]\tb`;
  expect(decodeEvents(text, () => (skipped += 1))).toMatchObject([{ seq: 2, data: 'b' }]);
  expect(skipped).toBe(1);
});
