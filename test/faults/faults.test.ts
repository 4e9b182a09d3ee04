/** Runs every fault on every operation; README.md is the table of outcomes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { type FaultBench, startFaultBench } from './fault-bench.ts';
import { groups } from './groups.ts';
import { type Row, tableOf } from './table.ts';
import { targets } from './targets.ts';

/** Much more than an immediate response takes. */
const MAX_MEMORY = 900 * 1024 * 1024;

/**
 * CPU time between two checks: a run must not block the others. It is twice the time for bodies of 34 MB on slow
 * memory; quadratic work takes half a minute.
 */
const MAX_HELD_MS = 5000;

const benches = new Map<OperationName, FaultBench>();
const defects: string[] = [];
const endings: (() => unknown)[] = [];
const rows: Row[] = [];
const note = (cause: unknown): void => void defects.push(String(cause));

beforeAll(async () => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  for (const { operation } of targets) {
    if (benches.has(operation)) continue;
    benches.set(operation, await startFaultBench((end) => endings.push(end), defects));
  }
});

afterAll(async () => {
  for (const end of endings.reverse()) await end();
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

describe.each(groups)('$title', ({ title, faults }) => {
  it.each(faults)('$name', async (fault) => {
    const met = targets.filter((target) => fault.on?.(target) ?? true);
    const load = watchLoad();
    const reach = async ([operation, bench]: [OperationName, FaultBench]) => {
      const reached = [];
      for (const target of met.filter((one) => one.operation === operation)) {
        const ends = await bench.run(target, fault);
        reached.push(...ends.map((end) => ({ target: target.name, ...end })));
      }
      return reached;
    };
    const turns = fault.isHeavy ? [...benches].map((one) => [one]) : [[...benches]];
    const outcomes: Awaited<ReturnType<typeof reach>>[] = [];
    for (const turn of turns) outcomes.push(...(await allOf(turn.map(reach))));
    const { grownBytes, heldMs } = load.end();
    rows.push({ group: title, fault: fault.name, outcomes: outcomes.flat() });
    const problems = outcomes
      .flat()
      .flatMap(({ target, problems }) => problems.map((problem) => `${target}: ${problem}`));
    expect(problems.join('\n')).toBe('');
    expect(defects.splice(0).join('\n')).toBe('');
    expect(grownBytes).toBeLessThan(MAX_MEMORY);
    expect(heldMs).toBeLessThan(MAX_HELD_MS);
  });
});

it('ends as the table says', async () => {
  const all = groups.flatMap(({ faults }) => faults).length;
  await expect(tableOf(rows)).toMatchFileSnapshot('./README.md');
  expect(rows).toHaveLength(all);
});

/** Rejects only if nothing makes progress any more. */
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
