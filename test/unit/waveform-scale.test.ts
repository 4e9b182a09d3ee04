import { describe, expect, it } from 'vitest';
import {
  getBarPixels,
  getLevels,
  listSegmentLines,
} from '../../renderer/media/players/waveform-scale.ts';
import type { MediaPeaks } from '../../shared/media-peaks.ts';

/** A hundred peaks over ten seconds; peak `n` is at `n` percent of full volume. */
const rising: MediaPeaks = {
  durationSeconds: 10,
  max: Array.from({ length: 100 }, (_, point) => point / 100),
  min: Array.from({ length: 100 }, () => 0),
};
const whole = { from: 0, span: 10 };

describe('the levels of a waveform', () => {
  it('fills the height with loud passages, ignoring one click or noise', () => {
    const quiet = { ...rising, max: rising.max.map((value) => value / 10) };
    expect(getLevels(quiet)[49]).toBeCloseTo(0.5);
    expect(getLevels(quiet).at(-1)).toBe(1);
    const clicked = { ...quiet, min: quiet.min.map((_, point) => (point === 50 ? -1 : 0)) };
    expect(getLevels(clicked)[50]).toBe(1);
    expect(getLevels(clicked)[49]).toBeCloseTo(0.49, 1);
    expect(getLevels({ ...rising, max: rising.max.map(() => 0.001) })[9]).toBeCloseTo(0.1);
  });

  it('counts samples below zero like those above it', () => {
    const turned = { ...rising, max: rising.min, min: rising.max.map((value) => -value) };
    expect(getLevels(turned)).toEqual(getLevels(rising));
  });
});

it('draws bars at least two pixels wide, and segment lines eight pixels apart', () => {
  expect(getBarPixels(2400, 900)).toBe(2);
  expect(getBarPixels(100, 1050)).toBe(10);
  const starts = [0, 1, 1.1, 2, 2.2, 2.25, 9];
  expect(listSegmentLines(starts, whole, 300)).toEqual([30, 60, 270]);
  expect(listSegmentLines(starts, { from: 0.9, span: 1 }, 300).map(Math.round)).toEqual([30, 60]);
});
