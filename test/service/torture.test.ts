import { expect, test } from 'vitest';
import { torture } from '../torture/torture.ts';

// `npm run torture` is the long form. How late a busy machine may write is no matter here.
test('what was shown survives a few kills under mixed work, and nothing is sent twice', async () => {
  const figures = await torture({
    kills: 6,
    seed: 20_261_123,
    graceMs: 5000,
    mostWorkMs: 900,
    longestTaskMs: 2500,
    log: () => undefined,
  });
  expect(figures.kills).toBe(6);
  expect(figures.eventsCompared).toBeGreaterThan(50);
  expect(figures.tasksResumed).toBeGreaterThan(0);
  expect(figures.mediaFiles).toBeGreaterThan(0);
}, 120_000);
