import { expect, it } from 'vitest';
import { createLedger, type RunQuery } from '../../electron/storage/ledger.ts';
import { searchInline } from '../../electron/storage/search/searcher.ts';
import type { ListedRuns } from '../../shared/contract/runs.ts';
import { sumTokens } from '../../shared/operations/response/usage.ts';
import { type RunOutcome, timingsSchema } from '../../shared/run.ts';
import { RUN_COLUMNS, type RunColumn } from '../../shared/run-sort.ts';
import { getTotalMs } from '../../shared/run-times.ts';
import { openTestStorage } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';

const operations = ['chat', 'speech', 'image'] as const;
const statuses = ['succeeded', 'failed', 'cancelled'] as const;

/** Returns timings that start before or with the first request, or null. */
function getTimings(at: number, startedAtMs: number) {
  if (at % 4 === 0) return null;
  const skipped = { dnsMs: null, connectMs: null, tlsMs: null, sentAtMs: null, headAtMs: null };
  return timingsSchema.parse({
    ...skipped,
    startedAtMs,
    reusedSocket: false,
    firstDeltaAtMs: null,
    endAtMs: 40 + ((at * 7) % 31),
    deltaCount: 0,
    gaps: null,
    sentBytes: 1,
    receivedBytes: 1,
  });
}

function openRuns(count = 60) {
  const storage = openTestStorage();
  const timer = manualTimer();
  const ledger = createLedger({ ...storage, search: searchInline(storage.db, timer) }, timer);
  const runs = Array.from({ length: count }, (_, at) => {
    const createdAt = 1000 + Math.floor(at / 2) * 100;
    const usage = { prompt_tokens: (at * 5) % 13, completion_tokens: at % 3, total_tokens: null };
    const noResult = at % 9 === 0 ? 'The response is empty.' : null;
    const figures = {
      model: null,
      finishReasons: [],
      usage: at % 5 === 0 ? null : usage,
      noResult,
    };
    return testRun({
      id: `run-${String(at).padStart(2, '0')}`,
      createdAt,
      operation: operations[at % 3] ?? 'chat',
      status: statuses[at % 3] ?? 'failed',
      model: `m-${(at * 7) % 4}`,
      connectionName: `c-${at % 2}`,
      connectionId: `c-${at % 2}`,
      startedAt: at % 6 === 0 ? null : createdAt + 3,
      finishedAt: createdAt + 90,
      figures,
      timings: getTimings(at, at % 2 === 0 ? 2 : 9),
    });
  });
  for (const [at, run] of runs.entries()) {
    ledger.createRun(run);
    if (at % 4 !== 0) ledger.update(run.id, { cost: (at % 7) / 100 });
  }
  timer.advance(1000);
  return { ...storage, ledger, runs: ledger.list({ ...everyRun }).runs };
}

const getValue: Record<RunColumn, (run: ReturnType<typeof openRuns>['runs'][number]) => unknown> = {
  time: ({ createdAt }) => createdAt,
  panel: ({ operation }) => operation,
  model: ({ model }) => model,
  connection: ({ connectionName }) => connectionName,
  status: ({ status, figures }): RunOutcome =>
    status === 'succeeded' && figures?.noResult != null ? 'no-result' : status,
  tokens: ({ figures }) => sumTokens(figures?.usage ?? null),
  cost: ({ cost }) => cost,
  duration: getTotalMs,
};

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

it.each(RUN_COLUMNS.flatMap((by) => [true, false].map((isDescending) => ({ by, isDescending }))))(
  'sorts all pages by $by, descending: $isDescending',
  async (sort) => {
    const { ledger, runs } = openRuns();
    const of = getValue[sort.by];
    const sign = sort.isDescending ? -1 : 1;
    const expected = runs.toSorted((a, b) => {
      if (of(a) === null || of(b) === null) {
        if (of(a) !== of(b)) return of(a) === null ? 1 : -1;
      } else if (compare(of(a), of(b)) !== 0) return sign * compare(of(a), of(b));
      return sign * (compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
    });
    const ids: string[] = [];
    let before: RunQuery['before'] = null;
    for (let more = true; more; ) {
      const query: RunQuery = { ...everyRun, sort, before, limit: 7 };
      const page: ListedRuns =
        sort.by === 'time' ? ledger.list(query) : await ledger.search({ ...query, search: '' });
      ids.push(...page.runs.map(({ id }) => id));
      before = page.runs.at(-1) ?? null;
      more = page.more;
    }
    expect(ids).toEqual(expected.map(({ id }) => id));
  },
);

it('sorts the results of a filter or a search', async () => {
  const { ledger } = openRuns();
  const sort = { by: 'cost', isDescending: true } as const;
  const find = async (more: Partial<RunQuery> & { search?: string }) => {
    const { runs } = await ledger.search({ ...everyRun, sort, search: '', ...more });
    return runs;
  };
  const empty = await find({ status: 'no-result', connectionId: 'c-1' });
  expect(empty.map(({ id }) => id)).toEqual(['run-27', 'run-45', 'run-09']);
  const dated = await find({ from: 1100, until: 1300 });
  expect(dated.map(({ id }) => id).toSorted()).toEqual(['run-02', 'run-03', 'run-04', 'run-05']);
  expect(await find({ search: 'hello', model: 'm-1' })).toHaveLength(15);
  expect(await find({ search: 'nowhere' })).toEqual([]);
});

it.each(RUN_COLUMNS.filter((by) => by !== 'time'))(
  'reads a page sorted by %s from an index',
  async (by) => {
    const { ledger, db, runs } = openRuns(4);
    const plans: string[] = [];
    const { sql } = db;
    const spied = {
      ...db,
      sql(text: string) {
        if (!text.includes('INDEXED BY')) return sql(text);
        const marks = text.split('?').length - 1;
        const plan = sql(`EXPLAIN QUERY PLAN ${text}`).all(...Array<number>(marks).fill(1));
        plans.push(plan.map(({ detail }) => String(detail)).join(', '));
        return sql(text);
      },
    };
    const search = searchInline(spied, manualTimer());
    const query = { ...everyRun, sort: { by, isDescending: true }, folded: true, search: '' };
    await search.runs({ ...query, model: 'm-1' });
    await search.runs({ ...query, before: runs.at(1) ?? null });
    expect(plans.length).toBeGreaterThan(1);
    for (const plan of plans) {
      expect(plan).toMatch(
        new RegExp(`^(?:SCAN|SEARCH) shown_runs USING (?:COVERING )?INDEX runs_sorted_by_${by}\\b`),
      );
      expect(plan).not.toContain('TEMP B-TREE');
    }
    await ledger.close();
  },
);
