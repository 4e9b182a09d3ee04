/** Simulates hours of load in minutes, and measures memory and event loop delay. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { isFinished } from '../../shared/run.ts';
import { getResponse } from '../../shared/run-view.ts';
import { type Session, signIn } from '../fixtures/page-socket.ts';
import { removeFolder } from '../fixtures/remove-folder.ts';
import { type OpenPage, openPage } from './page.ts';
import { type HostFigures, type StartedHost, startHost } from './started-host.ts';

export interface SoakOptions {
  /** The number of rounds for runs and for reconnects. */
  rounds: number;
  /** Short runs per round. `warmUpRuns` come before the first round. */
  runs: number;
  warmUpRuns: number;
  /** The number and pace of simultaneous streams. */
  streams: { count: number; perSecond: number; events: number };
  pages: number;
  /** How many pages connect, watch and drop their sockets, and how often. */
  reconnects: { pages: number; times: number };
  /** Leaves time for work after a run: packing, indexing and writing. */
  restMs: number;
  log: (line: string) => void;
}

export interface SoakFigures {
  runs: number;
  events: number;
  /** Growth of the heap between the warm-up and the end of the runs. */
  heapGrowth: number;
  /** Growth of the heap between the start and the end of the streams. */
  streamsHeapGrowth: number;
  /**
   * Growth of all memory between the warm-up and the end of the runs. Includes memory outside V8's
   * heap, such as SQLite's, and free pages that allocators keep.
   */
  rssGrowth: number;
  /** The smallest growth of the rounds of runs. */
  keptByRunsBytes: number;
  /** Event loop delay while all streams run. */
  delay: HostFigures['delay'];
  cpuShare: number;
  /** Memory kept for a page that stopped reading, after every run that it watched has ended. */
  stoppedPageBytes: number;
  /** The smallest growth of the rounds in which pages connect and disconnect. */
  keptByReconnectsBytes: number;
}

const SHORT = { perSecond: 10_000, events: 20 };
const AT_ONCE = 20;
/** As long as the delay in the page's `change-feed.ts`. */
const GATHER_MS = 15;
const allRuns = { connectionId: null, operation: null, status: null };
const newestRuns = { ...allRuns, before: null, limit: 100, folded: true };
/** The heap is steady once it shrinks by less than this share several times in a row. */
const STEADY = 0.005;
const STEADY_LOOKS = 2;
const MAX_LOOKS = 20;
/** Events that each stream sends before measurements start. */
const WARM_UP_EVENTS = 100;

interface Pace {
  perSecond: number;
  events: number;
}

interface Soaked {
  host: StartedHost;
  session: Session;
  pages: readonly [OpenPage, ...OpenPage[]];
}

/** Runs the soak test. Throws if a page receives anything that the gateway didn't send. */
export async function soak(options: SoakOptions): Promise<SoakFigures> {
  const { rounds, runs, warmUpRuns, streams, log } = options;
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'));
  const gateway = new Worker(new URL('./paced-gateway.ts', import.meta.url));
  const port = await new Promise<number>((resolve) => gateway.once('message', resolve));
  const host = startHost(home, `http://127.0.0.1:${port}`);
  /** Waits until no more memory is freed, and returns the delay from before the wait. */
  const rested = async (when: string): Promise<HostFigures> => {
    let figures = await host.figures();
    const { delay, cpuShare } = figures;
    let steady = 0;
    for (let look = 0; look < MAX_LOOKS && steady < STEADY_LOOKS; look += 1) {
      const before = figures.heapBytes;
      await pause(options.restMs);
      figures = await host.figures();
      steady = figures.heapBytes > before * (1 - STEADY) ? steady + 1 : 0;
    }
    log(`${when}: ${JSON.stringify({ ...figures, delay, cpuShare })}`);
    return figures;
  };
  try {
    const session = await signIn((await host.ready).address);
    const opening = Array.from({ length: options.pages - 1 }, () => openPage(session));
    const pages = [await openPage(session), ...(await Promise.all(opening))] as const;
    const soaked: Soaked = { host, session, pages };
    const measure = async (): Promise<SoakFigures> => {
      await manyStreams(soaked, { ...streams, events: WARM_UP_EVENTS });
      await shortRuns(soaked, warmUpRuns);
      const warm = await rested('after the warm-up');
      const ofRuns = await measureRounds(rounds, warm, async (round) => {
        await shortRuns(soaked, runs);
        return rested(`after ${round * runs} runs`);
      });
      await manyStreams(soaked, streams);
      // Let the event loop become idle.
      const { delay, cpuShare } = await host.figures();
      const before = await rested('before pages misbehave');
      const stopped = await stopReading(soaked, streams);
      log(`page that stopped reading: ${JSON.stringify(stopped)}`);
      const rest = await rested('before reconnects');
      const ofReconnects = await measureRounds(rounds, rest, async () => {
        await reconnect(soaked, options.reconnects, streams);
        return rested('after reconnects');
      });
      const shortCount = warmUpRuns + rounds * runs;
      return {
        runs: shortCount + 3 * streams.count + rounds,
        events: shortCount * SHORT.events + streams.count * (2 * streams.events + WARM_UP_EVENTS),
        heapGrowth: ofRuns.last.heapBytes / warm.heapBytes - 1,
        streamsHeapGrowth: before.heapBytes / ofRuns.last.heapBytes - 1,
        rssGrowth: ofRuns.last.rssBytes / warm.rssBytes - 1,
        keptByRunsBytes: ofRuns.keptBytes,
        delay,
        cpuShare,
        stoppedPageBytes: stopped.heapBytes - before.heapBytes,
        keptByReconnectsBytes: ofReconnects.keptBytes,
      };
    };
    const heard = Promise.all(pages.map((page) => hearChanges(page, page === pages[0])));
    const measured = measure();
    return await Promise.race([measured, heard.then(() => measured)]);
  } finally {
    host.child.kill('SIGKILL');
    await host.exit;
    await gateway.terminate();
    removeFolder(home);
  }
}

/**
 * Returns the smallest growth: caches, late compilation and unpacked journals grow in some rounds,
 * but a leak grows in all of them.
 */
async function measureRounds(
  rounds: number,
  first: HostFigures,
  work: (round: number) => Promise<HostFigures>,
): Promise<{ last: HostFigures; keptBytes: number }> {
  let last = first;
  const growths: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const next = await work(round);
    growths.push(next.heapBytes - last.heapBytes);
    last = next;
  }
  return { last, keptBytes: Math.min(...growths) };
}

/**
 * Fetches as the page does: once for all changes within `GATHER_MS`, with counts and an open
 * History. A later fetch cancels an earlier one. Rejects if a fetch fails.
 */
async function hearChanges({ api, socket }: OpenPage, showsHistory = false): Promise<void> {
  const failed = Promise.withResolvers<never>();
  let gathering = false;
  let newest = new AbortController();
  async function refetch(): Promise<void> {
    gathering = true;
    await pause(GATHER_MS);
    gathering = false;
    newest.abort();
    newest = new AbortController();
    const { signal } = newest;
    const calls: Promise<unknown>[] = [api.runs.activeCounts(undefined, { signal })];
    if (showsHistory) {
      calls.push(api.runs.list(newestRuns, { signal }), api.runs.metrics(allRuns, { signal }));
    }
    await Promise.all(calls).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
    });
  }
  async function listen(): Promise<never> {
    for await (const { topic } of await api.system.changes()) {
      if (topic === 'runs' && !gathering) refetch().catch(failed.reject);
    }
    throw new Error('The changes ended.');
  }
  try {
    await Promise.race([listen(), failed.promise]);
  } catch (cause) {
    if (socket.readyState === socket.OPEN) throw cause;
  }
}

/** Returns the result of `work`, during which the page receives changes, then closes the page. */
async function whileHearing<Result>(page: OpenPage, work: () => Promise<Result>): Promise<Result> {
  const hearing = hearChanges(page);
  const [result] = await Promise.all([work().finally(() => page.close()), hearing]);
  return result;
}

async function start({ api }: OpenPage, { perSecond, events }: Pace): Promise<string> {
  const request = { model: 'm', prompt: `paced ${perSecond} ${events}`, stream: true };
  const { runId } = await api.runs.start({
    operation: 'completion',
    connectionId: 'environment',
    request,
  });
  return runId;
}

/** Watches a run. Rejects if the page receives wrong or incomplete text. */
async function watch(page: OpenPage, runId: string, { events }: Pace): Promise<void> {
  const sent = Array.from({ length: events }, (_, at) => ` w${at}`).join('');
  let seen = '';
  await page.follow(runId, (view) => {
    seen = getResponse(view).text;
    if (!sent.startsWith(seen)) throw new Error(`${runId} shows ${seen}`);
    if (isFinished(view.status) && view.status !== 'succeeded') {
      throw new Error(`${runId} is ${view.status}: ${view.error?.message}`);
    }
  });
  if (seen !== sent) throw new Error(`${runId} ended with ${seen.length} of ${sent.length}.`);
}

/** Spreads short runs over the pages, with a few in parallel. */
async function shortRuns({ pages }: Soaked, count: number): Promise<void> {
  let begun = 0;
  async function oneAfterAnother(page: OpenPage): Promise<void> {
    while (begun < count) {
      begun += 1;
      await watch(page, await start(page, SHORT), SHORT);
    }
  }
  const workers = Array.from({ length: AT_ONCE }, (_, at) => pages[at % pages.length] ?? pages[0]);
  await Promise.all(workers.map(oneAfterAnother));
}

/** Runs all streams at once, each on one page. All pages watch the first stream. */
async function manyStreams(
  { pages }: Soaked,
  { count, ...pace }: SoakOptions['streams'],
): Promise<void> {
  const ids = await Promise.all(Array.from({ length: count }, () => start(pages[0], pace)));
  const [first = ''] = ids;
  await Promise.all([
    ...ids.map((id, at) => watch(pages[at % pages.length] ?? pages[0], id, pace)),
    ...pages.map((page) => watch(page, first, pace)),
  ]);
}

/**
 * Lets a page watch all streams without reading, and returns the metrics after they end. Then
 * checks that the page misses nothing.
 */
async function stopReading(
  { host, session, pages }: Soaked,
  { count, ...pace }: SoakOptions['streams'],
): Promise<HostFigures> {
  const page = await openPage(session);
  return whileHearing(page, async () => {
    const ids = await Promise.all(Array.from({ length: count }, () => start(pages[0], pace)));
    const watched = ids.map((id) => watch(page, id, pace));
    await page.api.system.info();
    page.socket.pause();
    await Promise.all(ids.map((id) => watch(pages[0], id, pace)));
    const figures = await host.figures();
    page.socket.resume();
    await Promise.all(watched);
    return figures;
  });
}

/** Opens pages that repeatedly watch and drop their sockets. */
async function reconnect(
  { session, pages }: Soaked,
  { pages: count, times }: SoakOptions['reconnects'],
  pace: Pace,
): Promise<void> {
  const id = await start(pages[0], pace);
  async function comeAndGo(): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const page = await openPage(session);
      await whileHearing(page, () => {
        return new Promise<void>((resolve) => {
          void page.follow(id, () => resolve()).catch(() => resolve());
        });
      });
    }
  }
  await Promise.all(Array.from({ length: count }, comeAndGo));
}
