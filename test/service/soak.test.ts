import { expect, test } from 'vitest';
import { soak } from '../torture/soak.ts';

const RUNS = 100;
const RECONNECTS = { pages: 20, times: 6 };

// `npm run soak` is the long form. It throws where a page sees anything but what was sent, also one that stopped reading;
// that nothing more is made for that page is held by browser-host-flooded.test.ts, with what no kernel's buffer takes.
test('runs, streams and pages that misbehave leave nothing in main', async () => {
  const figures = await soak({
    runs: RUNS,
    warmUpRuns: 60,
    streams: { count: 20, perSecond: 100, events: 150 },
    pages: 4,
    reconnects: RECONNECTS,
    restMs: 200,
    log: () => undefined,
  });
  expect(figures.keptByRunsBytes / RUNS).toBeLessThan(20_000);
  expect(figures.keptByReconnectsBytes / (RECONNECTS.pages * RECONNECTS.times)).toBeLessThan(
    10_000,
  );
  // The goal of the long form is 5 %. In so few runs what is held until it is packed counts: up to 2.5 MB, or 8 %, of a heap
  // of 33 MB in five of these.
  expect(figures.heapGrowth).toBeLessThan(0.2);
  expect(figures.streamsHeapGrowth).toBeLessThan(0.1);
  expect(figures.stoppedPageBytes).toBeLessThan(4e6);
}, 300_000);
