import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { openStorage, type Storage } from '../../electron/storage/database.ts';
import { expectAtMost, percentile } from './figures.ts';

const RUNS = 100_000;
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
      const { lastInsertRowid } = db
        .sql(`INSERT INTO runs (id, operation, connection_id, connection_name, base_url, model, status,
          created_at, preview, request, extra_body, seq, indexed)
          VALUES (?, 'chat', 'demo', 'Demo', '', 'm', 'succeeded', ?, '', '{}', '{}', 0, 1)`)
        .run(`run-${index}`, index);
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
    for (let round = 0; round < 7; round += 1) {
      const startedAt = performance.now();
      await storage.search.runs({ ...query, search });
      times.push(performance.now() - startedAt);
    }
    expectAtMost(testInfo, `“${search}”`, percentile(times, 50), 60);
  });
}
