import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { torture } from '../torture/torture.ts';

test('loses no shown event when killed on a busy machine', async () => {
  const figures = await torture({
    kills: 5,
    seed: 20_261_123,
    burners: 2 * availableParallelism(),
    mostWorkMs: 900,
    leastSeen: 25,
    longestTaskMs: 2500,
    log: () => undefined,
  });
  expect(figures.kills).toBe(5);
  expect(figures.eventsCompared).toBeGreaterThan(50);
  expect(figures.tasksResumed).toBeGreaterThan(0);
  expect(figures.mediaFiles).toBeGreaterThan(0);
}, 900_000);
