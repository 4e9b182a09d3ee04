/**
 * Runs the browser host from source in its own process, without a page. Reports its memory and
 * event loop delay over IPC (needs `--expose-gc`).
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { sendError } from '../../electron/browser/pages.ts';
import { serve } from '../../electron/browser/serve.ts';
import { takeKey } from '../../electron/gateway-key.ts';
import type { HostFigures } from './started-host.ts';

/** How often to collect garbage. A finalizer keeps an object until the next collection. */
const COLLECTIONS = 4;

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
let cpuBefore = process.threadCpuUsage();
let measuredAtMs = performance.now();

async function figures(): Promise<HostFigures> {
  const [p50Ms, p99Ms] = [50, 99].map((share) => delays.percentile(share) / 1e6);
  const delay = { p50Ms: p50Ms ?? 0, p99Ms: p99Ms ?? 0, maxMs: delays.max / 1e6 };
  const { user, system } = process.threadCpuUsage(cpuBefore);
  const cpuShare = (user + system) / 1000 / (performance.now() - measuredAtMs);
  for (let count = 0; count < COLLECTIONS; count += 1) {
    globalThis.gc?.();
    await pause(30);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  // Exclude the time spent in garbage collection.
  delays.reset();
  cpuBefore = process.threadCpuUsage();
  measuredAtMs = performance.now();
  return { heapBytes: heapUsed + external, rssBytes: rss, delay, cpuShare };
}

process.on('message', () => void figures().then((measured) => process.send?.(measured)));
// Exit with the parent process.
process.on('disconnect', () => process.exit());

const key = takeKey(process.env);
await serve(
  { host: 'browser', port: 0, opensBrowser: false, checksItself: false },
  { createPage: () => (_request, response) => sendError(response, 404, 'There is no page.') },
  key,
);
