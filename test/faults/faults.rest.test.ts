/** Runs every fault on every operation; README.md is the table of outcomes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { any, type Fault } from './fault.ts';
import { type FaultBench, startFaultBench } from './fault-bench.ts';
import { groups } from './groups.ts';
import { type Row, tableOf } from './table.ts';
import { type Target, targets } from './targets.ts';

/** Far above the memory that an immediate response needs. */
const MAX_MEMORY = 900 * 1024 * 1024;

/**
 * The maximum CPU time between two checks, so that no run blocks the others: twice the time for bodies of 34 MB
 * on slow memory. Quadratic work takes half a minute.
 */
const MAX_HELD_MS = 5000;

const benches = new Map<Target, FaultBench>();
const defects: string[] = [];
const endings: (() => unknown)[] = [];
const rows = new Map<Fault, Row>();
/** The last job of each queue: a bench runs one fault at a time, and heavy faults run serially. */
const queues = new Map<Target | 'heavy', Promise<unknown>>();
const note = (cause: unknown): void => void defects.push(String(cause));

beforeAll(async () => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  for (const target of targets) {
    benches.set(target, await startFaultBench((end) => endings.push(end), defects));
  }
});

afterAll(async () => {
  for (const end of endings.reverse()) await end();
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

// Many faults wait for a timeout, so others use the idle benches in the meantime.
describe.concurrent.each(groups)('$title', ({ title, tries = any, faults }) => {
  it.each(faults)('$name', async (fault) => {
    const { on = any } = fault;
    const met = targets.filter((target) => on(target) && (fault.tries ?? tries)(target));
    const load = watchLoad();
    const reach = async ([target, bench]: [Target, FaultBench]) => {
      if (!met.includes(target)) return [];
      const ends = await inTurn(target, () => bench.run(target, fault));
      return ends.map((end) => ({ target: target.name, ...end }));
    };
    const oneByOne = async () => {
      const reached: Awaited<ReturnType<typeof reach>>[] = [];
      for (const one of benches) reached.push(await reach(one));
      return reached;
    };
    const outcomes = fault.isHeavy
      ? await inTurn('heavy', oneByOne)
      : await allOf([...benches].map(reach));
    const { grownBytes, heldMs } = load.end();
    rows.set(fault, { group: title, fault: fault.name, outcomes: outcomes.flat() });
    const problems = outcomes
      .flat()
      .flatMap(({ target, problems }) => problems.map((problem) => `${target}: ${problem}`));
    expect(problems.join('\n')).toBe('');
    expect(defects.splice(0).join('\n')).toBe('');
    expect(grownBytes).toBeLessThan(MAX_MEMORY);
    expect(heldMs).toBeLessThan(MAX_HELD_MS);
  });
});

it('matches the outcomes in the table', async () => {
  const all = groups.flatMap(({ faults }) => faults);
  const inOrder = all.flatMap((fault) => rows.get(fault) ?? []);
  await expect(tableOf(inOrder)).toMatchFileSnapshot('./README.md');
  expect(inOrder).toHaveLength(all.length);
});

/** Runs `work` once all earlier work has ended. */
function inTurn<Value>(queue: Target | 'heavy', work: () => Promise<Value>): Promise<Value> {
  const turn = (queues.get(queue) ?? Promise.resolve()).then(work);
  queues.set(
    queue,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Waits for all promises. Rejects only if none of them makes progress. */
async function allOf<Value>(promises: Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

function watchLoad(): { end(): { grownBytes: number; heldMs: number } } {
  const before = process.memoryUsage.rss();
  let most = before;
  let heldMs = 0;
  let used = process.threadCpuUsage();
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss());
    const { user, system } = process.threadCpuUsage(used);
    used = process.threadCpuUsage();
    heldMs = Math.max(heldMs, (user + system) / 1000);
  };
  const timer = setInterval(look, 50);
  return {
    end() {
      clearInterval(timer);
      look();
      return { grownBytes: most - before, heldMs };
    },
  };
}
