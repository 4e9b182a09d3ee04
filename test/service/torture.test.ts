import { expect, test } from 'vitest';
import { torture } from '../torture/torture.ts';

/** Leaves time for a busy machine. `npm run torture` checks the promised 100 ms. */
const GRACE_MS = 5000;

// `torture.rest.test.ts` kills several times, and `npm run torture` runs the long version.
test('loses no shown event when killed during mixed work, and sends nothing twice', async () => {
  const figures = await torture({
    kills: 1,
    seed: 20_261_123,
    graceMs: GRACE_MS,
    mostWorkMs: 900,
    leastSeen: 25,
    longestTaskMs: 2500,
    log: () => undefined,
  });
  expect(figures.kills).toBe(1);
  expect(figures.eventsCompared).toBeGreaterThan(10);
}, 300_000);
