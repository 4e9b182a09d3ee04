import { describe, expect, it } from 'vitest';
import { planCopy } from '../../renderer/features/transcription/plan-copy.ts';

const MINUTE = 60;

describe('planCopy', () => {
  it.each([
    ['half an hour', 30 * MINUTE, 48_000],
    ['90 minutes', 90 * MINUTE, 32_000],
    ['two hours', 120 * MINUTE, 24_000],
    ['three hours', 180 * MINUTE, 16_000],
    ['ten hours', 600 * MINUTE, 16_000],
  ])('keeps %s below the limit with the best bit rate', (_name, durationSeconds, bitsPerSecond) => {
    expect(planCopy({ durationSeconds, sizeBytes: 900_000_000 })).toEqual({
      bitsPerSecond,
      sizeBytes: (bitsPerSecond * durationSeconds) / 8,
    });
  });

  it('shrinks a rejected small file to at most half its size', () => {
    const plan = planCopy({ durationSeconds: 10 * MINUTE, sizeBytes: 6_000_000 });
    expect(plan).toEqual({ bitsPerSecond: 32_000, sizeBytes: 2_400_000 });
  });

  it('plans no copy if it wouldn’t be smaller', () => {
    expect(planCopy({ durationSeconds: 30 * MINUTE, sizeBytes: 3_700_000 })).toBeNull();
  });

  it('estimates no size without a duration', () => {
    expect(planCopy({ durationSeconds: null, sizeBytes: 30_000_000 })?.sizeBytes).toBeNull();
  });
});
