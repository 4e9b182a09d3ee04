import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLOSE_LIMIT_MS } from '../../electron/services.ts';
import { FLUSH_MS } from '../../electron/storage/event-writer.ts';
import { getResponse } from '../../shared/run-view.ts';
import { startBrowserHostProcess } from '../e2e/fixtures/browser-host-process.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { listJournals } from '../fixtures/journal-files.ts';
import { signIn } from '../fixtures/page-socket.ts';
import { TEST_MS } from '../fixtures/patience.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { chunk, streamHead } from '../fixtures/wire-server.ts';
import { openPage } from '../torture/page.ts';

describe('shutdown on a signal', () => {
  /** Blocks the event loop for `ms` once shutdown has begun. */
  const stands = (ms: number) =>
    `process.once('SIGINT', () => queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})));`;
  /** Slows the event loop down for `ms` once shutdown has begun. */
  const crawls = (ms: number) =>
    `process.once('SIGINT', () => { const until = Date.now() + ${ms}; const turn = () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100); if (Date.now() < until) setTimeout(turn, 0); }; setImmediate(turn); });`;
  /** Replaces timers of `ms` with timers of `insteadMs`. */
  const takes = (ms: number, insteadMs: number) =>
    `{ const { setTimeout } = globalThis; globalThis.setTimeout = (f, ms, ...rest) => setTimeout(f, ms === ${ms} ? ${insteadMs} : ms, ...rest); }`;
  const limitIs = (limitMs: number) => takes(CLOSE_LIMIT_MS, limitMs);
  /** Simulates a resource that never closes. */
  const staysOpen =
    'const { exit } = process; process.exit = (code) => code !== 0 && exit(code); setInterval(() => {}, 1000);';

  async function startWith(
    preload: string,
    home = temporaryFolder(),
    environment: Record<string, string> = {},
  ) {
    const host = await startBrowserHostProcess({
      home,
      entry: join(import.meta.dirname, '../../electron/browser.ts'),
      environment: {
        ...environment,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
      },
    });
    onTestFinished(() => host.kill());
    return host;
  }

  it('exits cleanly on a busy machine', async () => {
    const host = await startWith(limitIs(TEST_MS) + stands(1500));
    expect(await host.stop('SIGINT')).toBe(0);
    expect(host.output()).not.toContain('shut down');
  });

  it('saves everything that a page shows, even if it must exit immediately', async () => {
    const gateway = await serveScript(async ({ send }) => {
      await send(streamHead);
      await send(chunk('data: {"choices":[{"index":0,"text":"Kept."}]}\n\n'));
    });
    const home = temporaryFolder();
    const host = await startWith(takes(FLUSH_MS, 3_600_000) + stands(TEST_MS), home, {
      GATEHOUSE_BASE_URL: gateway.url,
      GATEHOUSE_API_KEY: 'sk-0123456789',
    });
    const page = await openPage(await signIn(host.address));
    onTestFinished(() => page.close());
    const request = { model: 'm', prompt: 'Keep this.', stream: true };
    const run = { operation: 'completion', connectionId: 'environment', request } as const;
    const { runId } = await page.api.runs.start(run);
    await new Promise<void>((resolve, reject) => {
      const watching = page.follow(
        runId,
        (view) => getResponse(view).text === 'Kept.' && resolve(),
      );
      watching.then(() => reject(new Error('The run ended.')), reject);
    });

    const [journal] = listJournals(home);
    expect(journal?.runId).toBe(runId);
    expect(journal?.lines.join('\n')).toContain('Kept.');
    void host.stop('SIGINT');
  });

  /** Simulates threads that don't end when they are asked to. */
  const keepsThreads =
    'import { Worker } from "node:worker_threads"; process.once("SIGINT", () => { Worker.prototype.postMessage = () => {}; });';

  it('reports that closing took too long', async () => {
    const host = await startWith(keepsThreads + limitIs(50));
    const page = await openPage(await signIn(host.address));
    onTestFinished(() => page.close());
    // Closing waits for the thread that this starts.
    const filter = { connectionId: null, operation: null, status: null, before: null, limit: 1 };
    await page.api.runs.list({ ...filter, search: 'word' });
    expect(await host.stop('SIGINT')).toBe(1);
    await expect
      .poll(host.output)
      .toContain('Gatehouse took too long to shut down. Some results may not be saved.');
  });

  /** Repeats Ctrl-C as npm does, and ends the process that npm started. */
  const echoes = (ms: number) =>
    `process.once('SIGINT', () => setTimeout(() => { for (const signal of ['SIGINT', 'SIGTERM']) process.kill(process.pid, signal); }, ${ms}));`;

  it.each([
    ['stands', stands(1500) + echoes(0)],
    ['crawls', crawls(1500) + echoes(150)],
  ])('exits cleanly if one Ctrl-C arrives twice while it %s', async (_how, preload) => {
    const host = await startWith(limitIs(TEST_MS) + preload);
    expect(await host.stop('SIGINT')).toBe(0);
  });

  it('exits at once on a second Ctrl-C', async () => {
    const host = await startWith(staysOpen);
    const ended = host.stop('SIGINT');
    // On a busy machine, the first Ctrl-C may arrive too early to count.
    const timer = setInterval(() => void host.stop('SIGINT'), 1000);
    onTestFinished(() => clearInterval(timer));
    expect(await ended).toBe(1);
    expect(host.output()).not.toContain('too long');
  });
});
