import { expect, test } from 'vitest';
import { torture } from '../torture/torture.ts';

// `npm run torture` runs the long version.
test('loses no shown event when killed during mixed work, and sends nothing twice', async () => {
  const figures = await torture({
    kills: 1,
    seed: 20_261_123,
    burners: 0,
    mostWorkMs: 900,
    leastSeen: 25,
    longestTaskMs: 2500,
    log: () => undefined,
  });
  expect(figures.kills).toBe(1);
  expect(figures.eventsCompared).toBeGreaterThan(20);
}, 300_000);
