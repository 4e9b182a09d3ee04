import { describe, expect, test } from 'vitest';
import {
  createPeakBuilder,
  decodePeaks,
  encodePeaks,
  MAX_PEAK_PAIRS,
  toMediaPeaks,
} from '../../shared/media-peaks.ts';

function outlineOf(moments: number, at: (moment: number) => number) {
  const builder = createPeakBuilder();
  for (let moment = 0; moment < moments; moment += 1) builder.add(-at(moment), at(moment));
  return builder.finish(8000);
}

describe('the waveform', () => {
  test('keeps a single loud sample anywhere in long audio', () => {
    const length = 3_000_000;
    for (const loud of [0, 1_234_567, length - 1]) {
      const table = outlineOf(length, (moment) => (moment === loud ? 30_000 : 10));
      expect(table.pairs.length / 2).toBeLessThanOrEqual(MAX_PEAK_PAIRS);
      const { max, min } = toMediaPeaks(table, 1000);
      const point = max.findIndex((value) => value > 0.9);
      expect(point / 1000).toBeCloseTo(loud / length, 2);
      expect(min[point]).toBeCloseTo(-30_000 / 32_768, 3);
      expect(max.filter((value) => value > 0.9)).toHaveLength(1);
    }
  });

  test('computes the duration, and stays in the range of samples', () => {
    expect(outlineOf(4000, () => 5).durationSeconds).toBe(0.5);
    expect([...outlineOf(1, () => 90_000).pairs]).toEqual([-32_768, 32_767]);
  });
});

describe('the peaks file', () => {
  test('reads a written file unchanged', () => {
    const table = { durationSeconds: 1.25, pairs: new Int16Array([-32_768, 32_767, -1, 0]) };
    expect(decodePeaks(encodePeaks(table))).toEqual(table);
  });

  const good = encodePeaks({ durationSeconds: 1, pairs: new Int16Array(4) });
  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['no pairs', good.subarray(0, 12)],
    ['half a pair', good.subarray(0, -2)],
    ['another file', new TextEncoder().encode('a text as long as it')],
    ['a length that is no number', good.with(4, 0x7f).with(5, 0xf8)],
    ['more than any outline', new Uint8Array(12 + MAX_PEAK_PAIRS * 4 + 4)],
  ])('rejects %s', (_name, bytes) => {
    expect(decodePeaks(bytes)).toBeNull();
  });
});
