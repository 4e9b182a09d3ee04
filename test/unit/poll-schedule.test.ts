import { describe, expect, it } from 'vitest';
import { createPollSchedule, pollDelayMs } from '../../electron/runs/poll-schedule.ts';

describe('pollPause', () => {
  it('grows from about 2 to about 15 seconds', () => {
    const middle = Array.from({ length: 12 }, (_, count) => pollDelayMs(count, 0.5));
    expect(middle[0]).toBe(2000);
    expect(middle.at(-1)).toBe(15_000);
    expect(middle).toEqual([...middle].sort((a, b) => a - b));
  });

  it('varies by up to 15 % either way', () => {
    expect(pollDelayMs(0, 0)).toBeCloseTo(1700);
    expect(pollDelayMs(0, 1)).toBeCloseTo(2300);
  });
});

describe('createPollSchedule', () => {
  it('spaces polls that are requested at once', async () => {
    let time = 0;
    const pauses: number[] = [];
    const schedule = createPollSchedule(
      250,
      () => time,
      async (ms) => {
        pauses.push(ms);
      },
    );
    await Promise.all([schedule.turn(), schedule.turn(), schedule.turn()]);
    expect(pauses).toEqual([250, 500]);
    time = 10_000;
    await schedule.turn();
    expect(pauses).toHaveLength(2);
  });
});
