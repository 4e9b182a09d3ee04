import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { openStorage, type Storage } from '../../electron/storage/database.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { note } from './harness/figures.ts';
import { fillLedger } from './harness/fill-ledger.ts';
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

for (const [name, search] of [
  ['a word that stands in most runs', 'everywhere'],
  ['two letters', 'ka'],
  ['two letters that stand nowhere', 'zq'],
  ['a part of a word', 'gexwun'],
  ['words that stand nowhere', 'nowhere to be found'],
] as const) {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  test(`${name}, among 100,000 runs`, async ({}, testInfo) => {
    const query = { connectionId: null, operation: null, status: null, before: null, limit: 100 };
    const { times } = await interleave({
      times: () => timed(() => storage.search.runs({ ...query, search })),
    });
    note(testInfo, `${name} (“${search}”)`, times, 'ms', { atMost: 60 });
  });
}

for (const [name, filter] of [
  ['everything', {}],
  ['a status', { status: 'succeeded' }],
  ['a model', { model: 'm' }],
] as const) {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  test(`the cost of ${name}, among 100,000 runs`, async ({}, testInfo) => {
    const query = { connectionId: null, operation: null, status: null, search: '', ...filter };
    const { times } = await interleave({ times: () => timed(() => storage.search.cost(query)) });
    note(testInfo, `The cost of ${name}`, times, 'ms', { atMost: 150 });
  });
}

for (const [name, query] of [
  ['all runs', {}],
  ['all runs, comparisons as one entry', { folded: true }],
  ['what failed, comparisons as one entry', { folded: true, status: 'failed' }],
] as const) {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  test(`the list of ${name}, among 100,000 runs`, async ({}, testInfo) => {
    const ledger = createLedger(storage);
    const page = { connectionId: null, operation: null, status: null, before: null, limit: 100 };
    const { times } = await interleave({
      times: () => timed(async () => ledger.list({ ...page, ...query })),
    });
    await ledger.close();
    note(testInfo, `The list of ${name}`, times, 'ms', { atMost: 40 });
  });
}
