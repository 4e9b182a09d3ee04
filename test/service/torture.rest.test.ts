import { expect, test } from 'vitest';
import { torture } from '../torture/torture.ts';

/** Leaves time for a busy machine. `npm run torture` checks the promised 100 ms. */
const GRACE_MS = 5000;

// `npm run torture` runs the long version, and `torture.test.ts` the shortest.
test('loses no shown event in several kills during mixed work', async () => {
  const figures = await torture({
    kills: 5,
    seed: 20_261_123,
    graceMs: GRACE_MS,
    mostWorkMs: 900,
    leastSeen: 25,
    longestTaskMs: 2500,
    log: () => undefined,
  });
  expect(figures.kills).toBe(5);
  expect(figures.eventsCompared).toBeGreaterThan(50);
  expect(figures.tasksResumed).toBeGreaterThan(0);
  expect(figures.mediaFiles).toBeGreaterThan(0);
}, 300_000);
