/** Measures main-thread delay during comparisons against a rate-limited gateway; prints JSON. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createRouterClient } from '@orpc/server';
import { createRouter } from '../../../electron/router.ts';
import { isFinished } from '../../../shared/run.ts';
import { openBenchHome, startGateway } from './bench-home.ts';

const gateway = await startGateway('limited');
const { services, close } = await openBenchHome(gateway.origin);
const { comparisons, runs } = createRouterClient(createRouter(services));

/** Starts a comparison of ten variants and ten prompts, with as many repeats as needed. */
function start(cells: number) {
  return comparisons.start({
    operation: 'completion',
    title: `${cells} cells`,
    variants: Array.from({ length: 10 }, (_, at) => ({
      id: `variant-${at}`,
      name: '',
      connectionId: 'environment',
      request: { model: `model-${at}`, temperature: at / 10, max_tokens: 256 },
      differences: [`temperature ${at / 10}`],
    })),
    rows: Array.from({ length: 10 }, (_, at) => ({
      id: `row-${at}`,
      label: `Prompt ${at}`,
      request: { prompt: `${at}. ${'A gate by the river. '.repeat(100)}` },
    })),
    repeats: cells / 100,
  });
}

/** Reads every update like a window, until all cells are done or the time is up. */
async function follow(id: string, longestMs: number): Promise<void> {
  const over = new Set<number>();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), longestMs);
  let count = 0;
  try {
    for await (const update of await comparisons.watch({ id }, { signal: stop.signal })) {
      JSON.stringify(update);
      const { comparison } = update;
      if (comparison !== null) {
        count = comparison.variants.length * comparison.rows.length * comparison.repeats;
      }
      for (const { place, state, run } of update.cells) {
        if (state === 'sent' && run !== null && isFinished(run.status)) over.add(place);
      }
      if (over.size === count) break;
    }
  } catch (cause) {
    if (!stop.signal.aborted) throw cause;
  }
  clearTimeout(timer);
}

async function delayOf(work: () => Promise<unknown>) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  // Wait for the histogram, which starts at its first sample.
  await pause(20);
  await work();
  await pause(20);
  histogram.disable();
  return { p99Ms: histogram.percentile(99) / 1e6, maxMs: histogram.max / 1e6 };
}

const list = () =>
  runs.list({
    connectionId: null,
    operation: null,
    status: null,
    before: null,
    limit: 100,
    folded: true,
  });

/**
 * Measures the delays. `begin` covers the first second, in which all cells are recorded and read.
 */
async function measure(cells: number, longestMs: number) {
  let id = '';
  const begin = await delayOf(async () => {
    ({ id } = await start(cells));
    await follow(id, 1000);
  });
  const sending = await delayOf(() => Promise.all([follow(id, longestMs), list()]));
  const opened = await delayOf(async () => {
    await follow(id, 500);
    await list();
  });
  const exported = await delayOf(async () => {
    for await (const piece of await comparisons.export({ id })) JSON.stringify(piece);
  });
  const stopped = await delayOf(async () => {
    await comparisons.stop({ id, places: null });
    while (services.activeRunCount() > 0) await pause(5);
  });
  return { begin, sending, opened, exported, stopped };
}

// Warm up the compiled code, because another benchmark measures startup.
const { id: warm } = await start(100);
await follow(warm, 2000);
await comparisons.stop({ id: warm, places: null });
while (services.activeRunCount() > 0) await pause(5);

const few = await measure(200, 60_000);
const many = await measure(1000, 20_000);
const counts = await new Promise((resolve) => {
  gateway.thread.once('message', resolve);
  gateway.thread.postMessage('counts');
});
console.log(JSON.stringify({ few, many, counts }));
await close();
await gateway.thread.terminate();
