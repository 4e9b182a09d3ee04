/** Kills the browser host under mixed work, and compares stored data with what pages received. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '../fixtures/page-socket.ts';
import { type Random, randomAt } from '../fixtures/random.ts';
import { removeFolder } from '../fixtures/remove-folder.ts';
import { checkFiles, checkMediaFiles } from './check-files.ts';
import { checkAll, checkRestarted, checkTurnsContinue } from './check-restarted.ts';
import { startCountingGateway } from './counting-gateway.ts';
import { createJournal } from './journal.ts';
import { type OpenPage, openPage } from './page.ts';
import { type StartedHost, startHost } from './started-host.ts';
import { WORKER_COUNT, workUntilOver } from './work.ts';

export interface TortureOptions {
  kills: number;
  seed: number;
  /** The number of processes that use as much of the processor as they get. */
  burners: number;
  /** The longest time until a host is killed. */
  mostWorkMs: number;
  /** Pages receive at least this many events before a host is killed; 0 by default. */
  leastSeen?: number;
  /** The longest time that the gateway takes for a video. */
  longestTaskMs: number;
  log: (line: string) => void;
}

export interface TortureFigures {
  kills: number;
  /** Kills before the host printed its URL. */
  killedAtStart: number;
  runs: number;
  eventsCompared: number;
  postsSent: number;
  /** Tasks that a restarted host found and polled again. */
  tasksResumed: number;
  /** Turns that a kill interrupted and that ended after the last restart. */
  turnsContinued: number;
  mediaFiles: number;
}

const START_KILLS = 0.15;
const MAX_START_MS = 900;
/** Leaves time for several polls, which are at most 15 s apart. */
const TASK_LIMIT_MS = 90_000;
const SEEN_LIMIT_MS = 60_000;

/**
 * Throws an error with the seed and the kill's number if anything is lost, duplicated or damaged.
 * Keeps the data folder in that case.
 */
export async function torture(options: TortureOptions): Promise<TortureFigures> {
  const { kills, seed, log } = options;
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-torture-'));
  const gateway = await startCountingGateway(options.longestTaskMs);
  const journal = createJournal();
  const figures: TortureFigures = {
    kills: 0,
    killedAtStart: 0,
    runs: 0,
    eventsCompared: 0,
    postsSent: 0,
    tasksResumed: 0,
    turnsContinued: 0,
    mediaFiles: 0,
  };
  const hosts: StartedHost[] = [];
  const burners = Array.from({ length: options.burners }, startBurner);

  function begin(): StartedHost {
    const host = startHost(home, gateway.url);
    hosts.push(host);
    return host;
  }

  async function kill(started: StartedHost): Promise<void> {
    started.child.kill('SIGKILL');
    await started.exit;
    figures.kills += 1;
    const { runs, events } = await checkFiles(home, journal);
    figures.runs += runs;
    figures.eventsCompared += events;
  }

  async function work(
    pages: [OpenPage, OpenPage],
    life: number,
    random: Random,
  ): Promise<{ end: () => Promise<void> }> {
    let isOver = false;
    const place = { pages, journal, seed, life, isOver: () => isOver };
    const workers = Array.from({ length: WORKER_COUNT }, (_, worker) =>
      workUntilOver(place, worker),
    );
    const failed = Promise.all(workers);
    await Promise.race([failed, pause(random.between(50, options.mostWorkMs))]);
    const limit = AbortSignal.timeout(SEEN_LIMIT_MS);
    while (seenCount() < (options.leastSeen ?? 0) && !limit.aborted) {
      await Promise.race([failed, pause(20)]);
    }
    const { notices } = await pages[0].api.system.info();
    if (notices.length > 0) throw new Error(JSON.stringify(notices));
    isOver = true;
    return { end: async () => void (await failed) };
  }

  /** Returns the number of events that pages received from unfinished runs. */
  function seenCount(): number {
    const seen = [...journal.open.values()].map(({ seen }) => seen?.seq ?? 0);
    return seen.reduce((sum, seq) => sum + seq, 0);
  }

  /** Opens two pages and checks that they have everything that an earlier host promised. */
  async function open(started: StartedHost): Promise<[OpenPage, OpenPage]> {
    const session = await signIn((await started.ready).address);
    const pages: [OpenPage, OpenPage] = [await openPage(session), await openPage(session)];
    const before = new Map([...journal.tasks.values()].map((id) => [id, gateway.pollsOf(id)]));
    await checkRestarted(pages[0], journal, gateway);
    polled = () => [...before].filter(([id, count]) => gateway.pollsOf(id) > count).length;
    return pages;
  }
  let polled = () => 0;

  async function live(): Promise<void> {
    const started = begin();
    const life = figures.kills;
    const random = randomAt(seed, life);
    if (random.chance(START_KILLS)) {
      await pause(random.between(0, MAX_START_MS));
      figures.killedAtStart += 1;
      await kill(started);
      return;
    }
    const pages = await open(started);
    const { end } = await work(pages, life, random);
    await kill(started);
    figures.tasksResumed += polled();
    await end();
    for (const page of pages) page.close();
    checkOutput((await started.ready).output());
  }

  /** Waits until every task on the last host has ended, then closes the host. */
  async function liveOn(): Promise<void> {
    const started = begin();
    const pages = await open(started);
    const limit = AbortSignal.timeout(TASK_LIMIT_MS);
    while (journal.tasks.size > 0) {
      limit.throwIfAborted();
      await pause(200);
      await checkRestarted(pages[0], journal, gateway);
    }
    figures.tasksResumed += polled();
    await checkAll(pages[0], journal);
    figures.turnsContinued = await checkTurnsContinue(pages[0], journal);
    const doubled = gateway.doubled();
    if (doubled.length > 0) throw new Error(`Sent more than once: ${doubled.join(', ')}`);
    started.child.kill('SIGTERM');
    const code = await started.exit;
    // A busy machine may leave work for the next start, which ends with exit code 1.
    if (code !== 0 && code !== 1) throw new Error(`The last host ended with ${code}.`);
    checkOutput((await started.ready).output());
    figures.mediaFiles = checkMediaFiles(home);
    figures.postsSent = gateway.postCount();
  }

  try {
    while (figures.kills < kills) {
      await live();
      if (figures.kills % 10 === 0) log(`${figures.kills} kills: ${JSON.stringify(figures)}`);
    }
    await liveOn();
    removeFolder(home);
    return figures;
  } catch (cause) {
    throw new Error(`Seed ${seed}, kill ${figures.kills}, data folder ${home}: ${cause}`, {
      cause,
    });
  } finally {
    hosts.at(-1)?.child.kill('SIGKILL');
    for (const burner of burners) burner.kill('SIGKILL');
    removeFolder(`${home}-copy`);
    await gateway.close();
  }
}

/** Burns the processor in steps, so that the process notices when its parent ends. */
const BURN = `process.on('disconnect', () => process.exit());
  setInterval(() => { for (const until = Date.now() + 50; Date.now() < until; ); }, 0);`;

function startBurner(): ChildProcess {
  return spawn(process.execPath, ['-e', BURN], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

function checkOutput(output: string): void {
  if (/\n\s+at /.test(output)) throw new Error(`The host logged a defect:\n${output}`);
}
