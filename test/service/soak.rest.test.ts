import { expect, test } from 'vitest';
import { soak } from '../torture/soak.ts';

const RUNS = 100;
const RECONNECTS = { pages: 20, times: 4 };

// `npm run soak` runs the long version.
test('frees the memory of runs, streams and misbehaving pages', async () => {
  const figures = await soak({
    runs: RUNS,
    warmUpRuns: 60,
    streams: { count: 15, perSecond: 100, events: 100 },
    pages: 3,
    reconnects: RECONNECTS,
    rounds: 3,
    restMs: 150,
    log: () => undefined,
  });
  expect(figures.keptByRunsBytes / RUNS).toBeLessThan(20_000);
  expect(figures.keptByReconnectsBytes / (RECONNECTS.pages * RECONNECTS.times)).toBeLessThan(
    30_000,
  );
  // The long version allows 5 %, but in so few runs, events waiting to be packed weigh more.
  expect(figures.heapGrowth).toBeLessThan(0.2);
  expect(figures.streamsHeapGrowth).toBeLessThan(0.1);
  expect(figures.stoppedPageBytes).toBeLessThan(4e6);
}, 300_000);
