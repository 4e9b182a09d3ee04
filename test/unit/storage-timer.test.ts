import { expect, it } from 'vitest';
import { createDelayed, type Timer } from '../../electron/storage/timer.ts';

function startDelayed() {
  const due: { delayMs: number; work: () => void; isCancelled: boolean }[] = [];
  const timer: Timer = {
    after(delayMs, work) {
      const one = { delayMs, work, isCancelled: false };
      due.push(one);
      return () => {
        one.isCancelled = true;
      };
    },
  };
  let count = 0;
  const delayed = createDelayed(timer, () => {
    count += 1;
  });
  return { delayed, due, done: () => count };
}

it('runs the work once, at the first requested time', () => {
  const { delayed, due, done } = startDelayed();
  delayed.start(5);
  delayed.start(1);
  expect(due.map(({ delayMs }) => delayMs)).toEqual([5]);
  expect(done()).toBe(0);
  due[0]?.work();
  expect(done()).toBe(1);
  delayed.start(2);
  expect(due.map(({ delayMs }) => delayMs)).toEqual([5, 2]);
});

it('can be canceled and started again', () => {
  const { delayed, due } = startDelayed();
  delayed.cancel();
  delayed.start(5);
  delayed.cancel();
  delayed.start(1);
  expect(due.map(({ delayMs, isCancelled }) => [delayMs, isCancelled])).toEqual([
    [5, true],
    [1, false],
  ]);
});
