import { expect, test } from 'vitest';
import { parseRange } from '../../electron/media/routes/byte-stream.ts';

test.each<[string | null, ReturnType<typeof parseRange>]>([
  [null, null],
  ['bytes=0-', { first: 0, last: 99 }],
  ['bytes=10-19', { first: 10, last: 19 }],
  ['bytes=90-500', { first: 90, last: 99 }],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-500', { first: 0, last: 99 }],
  ['bytes=100-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=5-4', null],
  ['bytes=-', null],
  ['bytes=0-1,5-6', null],
  ['items=0-1', null],
  ['bytes=a-b', null],
])('reads %s of 100 bytes as %o', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});

test('finds no range in an empty file', () => {
  expect(parseRange('bytes=0-', 0)).toBe('none');
});
