import { expect, it } from 'vitest';
import { createPollSchedule, getPollDelayMs } from '../../electron/runs/poll-schedule.ts';

it('polls after about 2 to about 15 seconds, with up to 15 % variation', () => {
  const middle = Array.from({ length: 12 }, (_, count) => getPollDelayMs(count, 0.5));
  expect([middle[0], middle.at(-1)]).toEqual([2000, 15_000]);
  expect(middle).toEqual([...middle].sort((a, b) => a - b));
  expect(getPollDelayMs(0, 0)).toBeCloseTo(1700);
  expect(getPollDelayMs(0, 1)).toBeCloseTo(2300);
});

it('spaces polls that are requested at once', async () => {
  let time = 0;
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const schedule = createPollSchedule(250, () => time, pause);
  await Promise.all([schedule.turn(), schedule.turn(), schedule.turn()]);
  expect(pauses).toEqual([250, 500]);
  time = 10_000;
  await schedule.turn();
  expect(pauses).toHaveLength(2);
});
