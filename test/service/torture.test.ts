import { expect, test } from 'vitest';
import { torture } from '../torture/torture.ts';

/**
 * 100 ms are promised, which `npm run torture` holds main to. Beside fifteen other processes on two cores 62 ms were the most
 * in 24 kills; more than this would be no matter of the machine.
 */
const GRACE_MS = 500;

// `npm run torture` is the long form.
test('what was shown survives a few kills under mixed work, and nothing is sent twice', async () => {
  const figures = await torture({
    kills: 6,
    seed: 20_261_123,
    graceMs: GRACE_MS,
    mostWorkMs: 900,
    leastSeen: 25,
    longestTaskMs: 2500,
    log: () => undefined,
  });
  expect(figures.kills).toBe(6);
  expect(figures.eventsCompared).toBeGreaterThan(50);
  expect(figures.tasksResumed).toBeGreaterThan(0);
  expect(figures.mediaFiles).toBeGreaterThan(0);
}, 300_000);
