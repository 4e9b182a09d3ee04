import { expect, it, vi } from 'vitest';
import { createDelayed, type Timer } from '../../electron/base/timer.ts';

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
  const done = vi.fn<() => void>();
  const seen = () =>
    due.map(({ delayMs, isCancelled }) => delayMs + (isCancelled ? ' cancelled' : ''));
  return { delayed: createDelayed(timer, done), due, done, seen };
}

it('runs the work once, at the first requested time', () => {
  const { delayed, due, done, seen } = startDelayed();
  delayed.start(5);
  delayed.start(1);
  expect(seen()).toEqual(['5']);
  expect(done).not.toHaveBeenCalled();
  due[0]?.work();
  expect(done).toHaveBeenCalledTimes(1);
  delayed.start(2);
  expect(seen()).toEqual(['5', '2']);
});

it('starts again after it is canceled', () => {
  const { delayed, seen } = startDelayed();
  delayed.cancel();
  delayed.start(5);
  delayed.cancel();
  delayed.start(1);
  expect(seen()).toEqual(['5 cancelled', '1']);
});

it('ignores later starts once it is closed', () => {
  const { delayed, seen } = startDelayed();
  delayed.start(5);
  delayed.close();
  delayed.start(1);
  expect(seen()).toEqual(['5 cancelled']);
});
