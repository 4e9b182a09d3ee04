import { describe, expect, it } from 'vitest';
import {
  correctDrift,
  type FrameRate,
  getFrame,
  getHighestRate,
  getSeekTime,
  snapToFrame,
} from '../../renderer/media/players/step-clock.ts';

const measured = (framesPerSecond: number): FrameRate => ({ framesPerSecond, source: 'measured' });

describe('the shared clock of synced videos', () => {
  it('uses the highest frame rate, or assumes a rate', () => {
    const reported: FrameRate = { framesPerSecond: 60, source: 'reported' };
    expect(getHighestRate([measured(24), reported, null])).toEqual(reported);
    expect(getHighestRate([null])).toEqual({ framesPerSecond: 30, source: 'assumed' });
    expect(getHighestRate([])).toMatchObject({ source: 'assumed' });
  });

  it('counts frames despite the rounding of players', () => {
    expect(getFrame(0, 24)).toBe(0);
    expect(getFrame(3 / 24, 24)).toBe(3);
    expect(getFrame(3 / 24 - 1e-6, 24)).toBe(3);
    expect(getFrame(1.001, 29.97)).toBe(30);
  });

  it.each([
    [0, 1, 1],
    [1 / 24 + 0.02, 1, 2],
    [2 / 24, -1, 1],
    [0, -1, 0],
    [0, Number.POSITIVE_INFINITY, 47],
    [2, 0, 47],
    [2, -1, 46],
  ])('moves from %f s by %f frames to frame %i of a video of 2 s', (from, frames, to) => {
    expect(snapToFrame(from, frames, 24, 2) * 24).toBeCloseTo(to, 6);
  });

  it('visits each frame once, forward and back', () => {
    const seen: number[] = [];
    for (let at = 0, step = 0; step < 60; step += 1, at = snapToFrame(at, 1, 29.97, 2)) {
      seen.push(getFrame(at, 29.97));
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, frame) => frame));
  });

  it('seeks to the middle of a frame, never beyond the end', () => {
    expect(getSeekTime(1, 10, 2)).toBeCloseTo(1.05);
    expect(getSeekTime(1.08, 10, 2)).toBeCloseTo(1.05);
    expect(getSeekTime(2, 10, 2)).toBeCloseTo(1.95);
    expect(getSeekTime(1.5, 10, 1)).toBeCloseTo(0.95);
    expect(getSeekTime(0, 24, 0)).toBe(0);
  });
});

describe('a video that drifts', () => {
  it.each([
    ['is on time', 1, 1.01, { kind: 'rate', rate: 1 }],
    ['is behind', 1.1, 1, { kind: 'rate', rate: 1.1 }],
    ['is ahead', 1, 1.1, { kind: 'rate', rate: 0.9 }],
    ['is well behind', 1.25, 1, { kind: 'rate', rate: 1.15 }],
    ['is far behind', 1.5, 1, { kind: 'seek', seconds: 1.5 }],
    ['is far ahead', 1, 1.5, { kind: 'seek', seconds: 1 }],
    ['has ended before the others', 5, 4, { kind: 'hold' }],
    ['ends a little ahead of the others', 3.9, 4, { kind: 'hold' }],
  ] as const)('corrects a video that %s', (_, clock, video, expected) => {
    const { kind, ...rest } = correctDrift(clock, video, 4, 1);
    expect(kind).toBe(expected.kind);
    for (const [name, value] of Object.entries(rest)) {
      expect(value, name).toBeCloseTo(Object.entries(expected).find(([key]) => key === name)?.[1]);
    }
  });

  it('corrects in proportion to the playback speed', () => {
    expect(correctDrift(1.1, 1, 4, 0.5)).toMatchObject({ kind: 'rate', rate: 0.55 });
    expect(correctDrift(1.5, 1, 4, 2)).toMatchObject({ kind: 'rate', rate: 2.3 });
  });
});
