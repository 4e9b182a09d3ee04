import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openStorage, type Storage } from '../../electron/storage/database.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { note } from './harness/figures.ts';
import { FAILED_EVERY, fillLedger, RARE_EVERY } from './harness/fill-ledger.ts';
import { interleave, timed } from './harness/rounds.ts';

const RUNS = 100_000;

let storage: Storage;
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));

test.beforeAll(() => {
  storage = openStorage({ home, now: Date.now });
  fillLedger(storage, RUNS);
});

test.afterAll(async () => {
  await storage.close();
  rmSync(home, { recursive: true });
});

for (const [name, search, count] of [
  ['a word that stands in most runs', 'everywhere', 100],
  ['two letters', 'ka', 100],
  ['two letters that stand nowhere', 'zq', 0],
  ['a part of a word', 'gexwun', 100],
  ['words that stand nowhere', 'nowhere to be found', 0],
] as const) {
  test(`searches for ${name} among 100,000 runs`, async ({}, testInfo) => {
    const query = { connectionId: null, operation: null, status: null, before: null, limit: 100 };
    const { times } = await interleave({
      times: () =>
        timed(async () => {
          expect((await storage.search.runs({ ...query, search })).ids).toHaveLength(count);
        }),
    });
    note(testInfo, `${name} (“${search}”)`, times, 'ms', { atMost: 60 });
  });
}

for (const [name, filter, count] of [
  ['everything', {}, RUNS],
  ['a status', { status: 'failed' }, RUNS / FAILED_EVERY],
  ['a model', { model: 'm' }, RUNS],
] as const) {
  test(`adds up the cost of ${name} among 100,000 runs`, async ({}, testInfo) => {
    const query = { connectionId: null, operation: null, status: null, search: '', ...filter };
    const { times } = await interleave({
      times: () =>
        timed(async () => {
          expect((await storage.search.metrics(query)).pricedRuns).toBe(count);
        }),
    });
    note(testInfo, `The cost of ${name}`, times, 'ms', { atMost: 150 });
  });
}

for (const [name, query] of [
  ['all runs', {}],
  ['all runs, comparisons as one entry', { folded: true }],
  ['what failed, comparisons as one entry', { folded: true, status: 'failed' }],
] as const) {
  test(`lists ${name} among 100,000 runs`, async ({}, testInfo) => {
    const ledger = createLedger(storage);
    const page = { connectionId: null, operation: null, status: null, before: null, limit: 100 };
    const { times } = await interleave({
      times: () =>
        timed(async () => {
          expect(ledger.list({ ...page, ...query }).runs).toHaveLength(page.limit);
        }),
    });
    await ledger.close();
    note(testInfo, `The list of ${name}`, times, 'ms', { atMost: 40 });
  });
}

const oldestHalf = { until: RUNS / 2 };
for (const by of ['cost', 'tokens', 'duration', 'status'] as const) {
  for (const [name, filter, count] of [
    ['all', {}, 100],
    ['comparisons as one entry', { folded: true }, 100],
    ['what failed', { status: 'failed' }, 100],
    ['a rare connection', { connectionId: 'rare' }, RUNS / RARE_EVERY],
    ['a rare connection in half of the time', { connectionId: 'rare', ...oldestHalf }, 50],
    ['a word that stands in most runs', { search: 'everywhere' }, 100],
    ['a later page', { before: { createdAt: RUNS / 3, id: `run-${Math.floor(RUNS / 3)}` } }, 100],
  ] as const) {
    test(`sorts History by ${by}: ${name}, among 100,000 runs`, async ({}, testInfo) => {
      const page = { connectionId: null, operation: null, status: null, before: null, limit: 100 };
      const sort = { by, isDescending: true };
      const { times } = await interleave({
        times: () =>
          timed(async () => {
            const { ids } = await storage.search.runs({ ...page, search: '', ...filter, sort });
            expect(ids).toHaveLength(count);
          }),
      });
      note(testInfo, `History by ${by}: ${name}`, times, 'ms', { atMost: 100 });
    });
  }
}
