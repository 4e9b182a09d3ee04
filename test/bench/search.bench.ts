import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { openStorage, type Storage } from '../../electron/storage/database.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { note } from './harness/figures.ts';
import { rounds } from './harness/rounds.ts';

const RUNS = 100_000;
/** Of so many runs, the first are the cells of a comparison. */
const EVERY = 100;
const CELLS = 20;
const WORDS = 'the quick brown fox jumps over a lazy dog while rivers carve valleys at night'.split(
  ' ',
);
const SYLLABLES = ['ka', 'lo', 'mi', 'tar', 'ven', 'so', 'pri', 'dul', 'gex', 'wun', 'bri', 'cho'];

let storage: Storage;
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));

test.beforeAll(() => {
  storage = openStorage({ home, now: Date.now });
  const { db } = storage;
  let seed = 7;
  const next = (count: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % count;
  };
  const rare = () => Array.from({ length: 3 }, () => SYLLABLES[next(SYLLABLES.length)]).join('');
  const text = () =>
    Array.from({ length: 60 }, () => (next(4) === 0 ? rare() : WORDS[next(WORDS.length)])).join(
      ' ',
    );
  db.write(() => {
    for (let index = 0; index < RUNS; index += 1) {
      const comparison = index % EVERY < CELLS ? `comparison-${Math.floor(index / EVERY)}` : null;
      if (index % EVERY === 0) {
        db.sql("INSERT INTO comparisons (id, created_at, title, plan) VALUES (?, ?, ?, '{}')").run(
          comparison,
          index,
          `Comparison ${index}`,
        );
      }
      const { lastInsertRowid } = db
        .sql(`INSERT INTO runs (id, operation, connection_id, connection_name, base_url, model, status,
          created_at, preview, phase, media, request, extra_body, seq, indexed, cost, comparison_id, cell)
          VALUES (?, 'chat', 'demo', 'Demo', '', 'm', 'succeeded', ?, '', '{"name":"working","task":null}',
          '[]', '{}', '{}', 0, 1, 0.01, ?, ?)`)
        .run(`run-${index}`, index, comparison, comparison === null ? null : index % EVERY);
      const words = `${index % 10 === 0 ? '' : 'everywhere '}${text()}`;
      db.sql('INSERT INTO run_texts (run, text) VALUES (?, ?)').run(lastInsertRowid, words);
    }
  });
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
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      await storage.search.runs({ ...query, search });
      times.push(performance.now() - startedAt);
    }
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
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      await storage.search.cost(query);
      times.push(performance.now() - startedAt);
    }
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
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      ledger.list({ ...page, ...query });
      times.push(performance.now() - startedAt);
    }
    await ledger.close();
    note(testInfo, `The list of ${name}`, times, 'ms', { atMost: 40 });
  });
}
