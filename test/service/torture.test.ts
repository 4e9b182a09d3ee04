import { expect, test } from 'vitest';
import { torture } from '../torture/torture.ts';

/** `npm run torture` checks the promised 100 ms; a busy machine takes longer. */
const GRACE_MS = 500;

// `npm run torture` is the long form.
test('keeps shown events over a few kills under mixed work, and sends nothing twice', async () => {
  const figures = await torture({
    kills: 3,
    seed: 20_261_123,
    graceMs: GRACE_MS,
    mostWorkMs: 600,
    leastSeen: 25,
    longestTaskMs: 2500,
    log: () => undefined,
  });
  expect(figures.kills).toBe(3);
  expect(figures.eventsCompared).toBeGreaterThan(50);
  expect(figures.tasksResumed).toBeGreaterThan(0);
  expect(figures.turnsContinued).toBeGreaterThan(0);
  expect(figures.mediaFiles).toBeGreaterThan(0);
}, 300_000);
