import { describe, expect, it } from 'vitest';
import {
  barsOf,
  referenceLoudness,
  segmentLines,
} from '../../renderer/media/players/waveform-scale.ts';
import type { MediaPeaks } from '../../shared/media-peaks.ts';

/** A hundred points over ten seconds: point `n` is as loud as `n` percent. */
const rising: MediaPeaks = {
  durationSeconds: 10,
  max: Array.from({ length: 100 }, (_, point) => point / 100),
  min: Array.from({ length: 100 }, () => 0),
};
const whole = { from: 0, span: 10 };

describe('bars of a waveform', () => {
  it('cover the view from edge to edge', () => {
    const bars = barsOf(rising, whole, 300, 3, 1);
    expect(bars).toHaveLength(100);
    expect(bars[0]?.x).toBe(0);
    expect(bars.at(-1)?.x).toBeCloseTo(297);
    expect(bars.at(-1)?.height).toBeCloseTo(0.99);
  });

  it('are the same wherever the view begins', () => {
    const shifted = barsOf(rising, { from: 2.02, span: 5 }, 300, 3, 1);
    const still = barsOf(rising, { from: 2, span: 5 }, 300, 3, 1);
    expect(shifted[1]?.height).toBe(still[1]?.height);
    expect((still[1]?.x ?? 0) - (shifted[1]?.x ?? 0)).toBeCloseTo(1.2);
  });

  it('end where the sound ends', () => {
    expect(barsOf(rising, { from: 5, span: 10 }, 300, 3, 1)).toHaveLength(50);
    expect(barsOf({ durationSeconds: 0, max: [], min: [] }, whole, 300, 3, 1)).toEqual([]);
  });
});

it('is scaled to what is loud, not to one click, and never to noise', () => {
  const quiet = { ...rising, max: rising.max.map((value) => value / 10) };
  expect(referenceLoudness(quiet)).toBeCloseTo(0.098);
  const clicked = { ...quiet, min: quiet.min.map((_, point) => (point === 50 ? -1 : 0)) };
  expect(referenceLoudness(clicked)).toBeCloseTo(0.099, 2);
  expect(referenceLoudness({ ...rising, max: rising.max.map(() => 0.001) })).toBe(0.01);
});

it('leaves out lines of segments that would be nearer than eight pixels', () => {
  const starts = [0, 1, 1.1, 2, 2.2, 2.25, 9];
  expect(segmentLines(starts, whole, 300)).toEqual([30, 60, 270]);
  expect(segmentLines(starts, { from: 0.9, span: 1 }, 300).map(Math.round)).toEqual([30, 60]);
});
