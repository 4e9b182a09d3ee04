/** Checks that work grows in proportion to its input, whatever the speed of the machine. */
import { expect } from 'vitest';

const TIMES_LARGER = 8;
/** Linear work takes 8 times as long and quadratic work 64 times, so this is in between. */
const MOST_TIMES_LONGER = 24;
/** Below this, garbage collection and the clock’s resolution matter more than the work. */
const LEAST_MS = 5;

/**
 * Compares the CPU time of `work` for two inputs, made by `create` from a size. Other processes
 * don’t count, because the CPU time is that of this thread.
 */
export function expectLinear<Input>(
  size: number,
  create: (size: number) => Input,
  work: (input: Input) => unknown,
): void {
  const small = measureCpuMs(create(size), work);
  const large = measureCpuMs(create(size * TIMES_LARGER), work);
  expect(large / Math.max(small, LEAST_MS), `${small} ms, then ${large} ms`).toBeLessThan(
    MOST_TIMES_LONGER,
  );
}

/** Returns the shortest of three measurements, because the first includes compilation. */
function measureCpuMs<Input>(input: Input, work: (input: Input) => unknown): number {
  const measured = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    work(input);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...measured);
}
