import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatClock,
  formatDuration,
  formatLength,
  formatPosition,
  formatRate,
  formatSpan,
  pluralize,
} from '../../renderer/lib/format-quantity.ts';

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [0.4, '<1 ms'],
    [12.4, '12 ms'],
    [999.6, '1.00 s'],
    [4210, '4.21 s'],
    [9996, '10.0 s'],
    [59_960, '1 min 0 s'],
    [125_000, '2 min 5 s'],
    [3_900_000, '1 h 5 min'],
  ])('formats %d ms as %s', (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });
});

it.each([
  [812, '812 B'],
  [4096, '4.1 kB'],
  [999_960, '1.0 MB'],
  [2_345_678, '2.3 MB'],
])('formats %d bytes as %s', (sizeBytes, words) => {
  expect(formatBytes(sizeBytes)).toBe(words);
});

it('shows a rate’s decimal only if it is significant', () => {
  expect([formatRate(49.96), formatRate(3051.4)]).toEqual(['50.0', '3,051']);
});

it('includes the day unless a time is today', () => {
  const now = new Date(2026, 10, 21, 14, 0, 0).getTime();
  expect(formatClock(new Date(2026, 10, 21, 9, 3, 7).getTime(), now)).toBe('09:03:07');
  expect(formatClock(new Date(2026, 10, 20, 9, 3, 7).getTime(), now)).toBe('Nov 20, 09:03:07');
});

it.each([
  [0, '0:00.0'],
  [3.44, '0:03.4'],
  [12.34, '0:12.3'],
  [59.97, '1:00'],
  [236.4, '3:56'],
  [3729, '1:02:09'],
])('formats %d seconds of audio as %s', (seconds, words) => {
  expect(formatLength(seconds)).toBe(words);
});

it.each([
  [1, ['document'], '1 document'],
  [12_480, ['document'], '12,480 documents'],
  [2, ['reply', 'replies'], '2 replies'],
] as const)('pluralizes %i', (count, [one, many], words) => {
  expect(pluralize(count, one, many)).toBe(words);
});

it.each([
  [0, 3.4, '0:00.0'],
  [1.28, 3.4, '0:01.2'],
  [3.33, 3.4, '0:03.3'],
  [3.4, 3.4, '0:03.4'],
  [235.69, 235.7, '3:56'],
  [200, 235.7, '3:20'],
  [7, null, '0:07'],
])('formats position %d in %s seconds', (seconds, length, words) => {
  expect(formatPosition(seconds, length)).toBe(words);
});

it.each([
  [0.12, 0.86, true, '0:00.1 – 0:00.9'],
  [59.97, 61.24, true, '1:00.0 – 1:01.2'],
  [7.4, 12.9, false, '0:07 – 0:12'],
])('formats the span from %s to %s, with tenths: %s', (start, end, withTenths, words) => {
  expect(formatSpan(start, end, withTenths)).toBe(words);
});
