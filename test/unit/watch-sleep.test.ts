import { expect, test, vi } from 'vitest';
import { watchForSleep } from '../../electron/browser/watch-sleep.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';

const MINUTE_MS = 60_000;

/** Starts the watch with clocks and a timer that agree while the process runs. */
function start() {
  const timer = manualTimer();
  const clocks = { wall: 1_000_000, steady: 0 };
  const onWake = vi.fn<() => void>();
  const stop = watchForSleep({
    timer,
    wallClock: () => clocks.wall,
    clock: () => clocks.steady,
    onWake,
  });
  function run(ms: number) {
    for (let passed = 0; passed < ms; passed += 1000) {
      clocks.wall += 1000;
      clocks.steady += 1000;
      timer.advance(1000);
    }
  }
  return { clocks, onWake, run, stop, timer };
}

test.each<[string, { wall: number; steady: number }]>([
  ['stops the steady clock, as on Linux and macOS', { wall: 10 * MINUTE_MS, steady: 0 }],
  ['lets it run on, as on Windows', { wall: 10 * MINUTE_MS, steady: 10 * MINUTE_MS }],
  ['comes while the clock is set back', { wall: -MINUTE_MS, steady: 10 * MINUTE_MS }],
])('detects a sleep that %s within seconds, and only once', (_how, slept) => {
  const { clocks, onWake, run } = start();
  run(MINUTE_MS);
  clocks.wall += slept.wall;
  clocks.steady += slept.steady;
  expect(onWake).not.toHaveBeenCalled();
  run(5_000);
  expect(onWake).toHaveBeenCalledTimes(1);
  run(10 * MINUTE_MS);
  expect(onWake).toHaveBeenCalledTimes(1);
});

test('doesn’t mistake a late timer or a corrected clock for sleep', () => {
  const { clocks, onWake, run } = start();
  run(MINUTE_MS);
  clocks.wall += 9_000;
  clocks.steady += 9_000;
  run(MINUTE_MS);
  clocks.wall -= 10 * MINUTE_MS;
  run(MINUTE_MS);
  clocks.wall += 2_000;
  run(MINUTE_MS);
  expect(onWake).not.toHaveBeenCalled();
});

test('stops watching on request', () => {
  const { onWake, run, stop, clocks, timer } = start();
  stop();
  clocks.wall += MINUTE_MS;
  run(MINUTE_MS);
  expect(timer.waiting()).toBe(0);
  expect(onWake).not.toHaveBeenCalled();
});
