import { expect, test } from 'vitest';
import { soak } from '../torture/soak.ts';

// `npm run soak` is the long form. It throws where a page sees anything but what was sent, also one that stopped reading.
test('runs, streams and pages that misbehave leave nothing in main', async () => {
  const figures = await soak({
    runs: 40,
    warmUpRuns: 60,
    streams: { count: 20, perSecond: 100, events: 150 },
    pages: 4,
    reconnects: { pages: 20, times: 6 },
    restMs: 200,
    log: () => undefined,
  });
  expect(figures.keptByRunsBytes / 40).toBeLessThan(10_000);
  expect(figures.keptByReconnectsBytes / 120).toBeLessThan(10_000);
}, 120_000);
