/** Searches many runs and messages, both directly and on the search thread. */
import { DatabaseSync } from 'node:sqlite';
import { createRouterClient } from '@orpc/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { openStorage, type Storage } from '../../electron/storage/database.ts';
import {
  createDatabase,
  createWriteTurn,
  type Database,
} from '../../electron/storage/database-access.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { createRunIndex } from '../../electron/storage/run-index.ts';
import { createIndexWriter } from '../../electron/storage/search/index-writer.ts';
import type { RunSearch } from '../../electron/storage/search/run-search.ts';
import { type Searcher, searchInline } from '../../electron/storage/search/searcher.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { noReply } from '../fixtures/open-ledger.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';

/** Adds numbered runs with one text each, and returns their IDs, newest first. */
function addRuns(db: Database, count: number, textOf: (index: number) => string): string[] {
  return db.write(() => {
    const ids = Array.from({ length: count }, (_, index) => {
      const id = `run-${index}`;
      const { lastInsertRowid } = db
        .sql(`INSERT INTO runs (id, operation, connection_id, connection_name, base_url, model, status, created_at,
          preview, request, extra_body, seq, indexed)
          VALUES (?, 'chat', 'demo', 'Demo', '', ?, 'succeeded', ?, '', '{}', '{}', 0, 1)`)
        .run(id, index % 2 === 0 ? 'even' : 'odd', index);
      db.sql('INSERT INTO run_texts (run, text) VALUES (?, ?)').run(lastInsertRowid, textOf(index));
      return id;
    });
    return ids.reverse();
  });
}

/** Returns the results of all pages. */
async function findAll(search: Searcher, query: Partial<RunSearch> & { search: string }) {
  const found: string[] = [];
  for (let before: RunSearch['before'] = null; ; ) {
    const { ids, more } = await search.runs({ ...everyRun, ...query, before });
    found.push(...ids);
    const last = ids.at(-1) ?? '';
    if (!more) return found;
    before = { createdAt: Number(last.slice('run-'.length)), id: last };
  }
}

describe('with many runs', () => {
  const open = (count: number, textOf: (index: number) => string) => {
    const { db } = openTestStorage();
    const ids = addRuns(db, count, textOf);
    return { ids, search: searchInline(db) };
  };

  it('finds a common word page by page, newest first', async () => {
    const { ids, search } = open(3000, (index) => (index % 10 === 0 ? 'nothing' : 'Everywhere'));
    const expected = ids.filter((id) => !id.endsWith('0'));
    expect(await findAll(search, { search: 'everywhere', limit: 1000 })).toEqual(expected);
    const odd = expected.filter((id) => /[13579]$/.test(id));
    expect(await findAll(search, { search: 'everywhere', limit: 500, model: 'odd' })).toEqual(odd);
  });

  it('finds words that occur only in old runs: common, rare, and two letters long', async () => {
    const { ids, search } = open(9000, (index) =>
      index < 2500 ? `longago ${index === 3 ? 'once zq' : ''}` : 'lately',
    );
    const find = (words: string) => search.runs({ ...everyRun, search: words });
    expect((await find('longago')).ids).toEqual(ids.slice(-2500).slice(0, 200));
    for (const words of ['once', 'ZQ'])
      expect(await find(words)).toEqual({ ids: ['run-3'], more: false });
    expect(await find('xq')).toEqual({ ids: [], more: false });
  });

  it('matches non-ASCII words regardless of case', async () => {
    const { ids, search } = open(2200, () => 'Überall');
    expect((await search.runs({ ...everyRun, search: 'überall' })).ids).toEqual(ids.slice(0, 200));
  });

  it('stops if the search is aborted', async () => {
    const { search } = open(2200, () => 'everywhere');
    const gone = AbortSignal.abort();
    await expect(search.runs({ ...everyRun, search: 'everywhere' }, gone)).rejects.toThrow(
      'aborted',
    );
  });
});

it('indexes many chunks per step, or one if the main process is waiting to write', () => {
  const { db } = openTestStorage();
  addRuns(db, 1, () => 'First');
  const timer = manualTimer();
  let wanted = false;
  const writer = createIndexWriter(db, timer, () => wanted);
  onTestFinished(() => writer.close());
  const pieces = () => db.sql('SELECT count(*) AS n FROM run_texts').get()?.n;
  void writer.add(1, 'word '.repeat(12_000));
  timer.advance(0);
  expect(pieces()).toBe(16);
  wanted = true;
  timer.advance(10);
  expect(pieces()).toBe(17);
  wanted = false;
  timer.advance(10);
  expect(pieces()).toBe(33);
});

it('marks a run as unindexed until its new text is written', () => {
  const { db } = openTestStorage();
  addRuns(db, 1, () => 'First');
  const timer = manualTimer();
  const writer = createIndexWriter(db, timer, () => false);
  onTestFinished(() => writer.close());
  const indexed = () => db.sql('SELECT indexed FROM runs').get()?.indexed;
  void writer.add(1, 'word '.repeat(12_000));
  expect(indexed()).toBe(1);
  timer.advance(0);
  expect(indexed()).toBe(0);
  for (let step = 0; step < 20; step += 1) timer.advance(10);
  expect(indexed()).toBe(1);
});

it('signals other threads only while the main process waits for the lock', () => {
  const file = new DatabaseSync(':memory:');
  onTestFinished(() => file.close());
  const turn = createWriteTurn();
  const db = createDatabase(file, { warn: () => undefined, turn });
  const seen: [string, number][] = [];
  const exec = file.exec.bind(file);
  vi.spyOn(file, 'exec').mockImplementation((sql) => {
    seen.push([sql, Atomics.load(turn.wanted, 0)]);
    exec(sql);
  });
  db.write(() => undefined);
  expect(seen).toEqual([
    ['BEGIN IMMEDIATE', 1],
    ['COMMIT', 0],
  ]);
});

it('finds conversations by a common word, with the first match', async () => {
  const { db } = openTestStorage();
  db.write(() => {
    for (let index = 0; index < 60; index += 1) {
      const id = `conversation-${String(index).padStart(2, '0')}`;
      db.sql(`INSERT INTO conversations (id, title, titled, system_message, created_at, updated_at)
        VALUES (?, ?, 1, '', 0, ?)`).run(id, index === 7 ? 'About everywhere' : 'Talk', index);
      for (let message = 0; message < 50; message += 1) {
        const text = index === 7 ? 'nothing' : `${message} everywhere`;
        db.sql(`INSERT INTO messages (id, conversation_id, role, text, created_at)
          VALUES (?, ?, 'user', ?, 0)`).run(`${id} ${message}`, id, text);
      }
    }
  });
  const search = searchInline(db);
  const found = await search.conversations({ search: 'everywhere', limit: 55 });
  expect(found).toHaveLength(55);
  expect(found[0]).toEqual({ id: 'conversation-59', match: '0 everywhere' });
  expect(found[52]).toEqual({ id: 'conversation-07', match: null });
  expect(await search.conversations({ search: '49 every', limit: 2 })).toEqual([
    { id: 'conversation-59', match: '49 everywhere' },
    { id: 'conversation-58', match: '49 everywhere' },
  ]);
});

it.each([
  ['few', 3],
  ['many', 2100],
])('finds the words in order and in any case among %s candidates', async (_how, count) => {
  const { db } = openTestStorage();
  db.write(() => {
    for (const id of ['straße', 'other']) {
      db.sql(`INSERT INTO conversations (id, title, titled, system_message, created_at, updated_at)
        VALUES (?, 'Talk', 1, '', 0, 0)`).run(id);
    }
    const insert = db.sql(`INSERT INTO messages (id, conversation_id, role, text, created_at)
      VALUES (?, ?, 'user', ?, 0)`);
    for (let at = 0; at < count; at += 1) insert.run(`${at}`, 'other', 'ÄPFE / ÄPFE / pfel');
    insert.run('found', 'straße', 'Rote Äpfel');
  });
  const search = searchInline(db);
  expect(await search.conversations({ search: 'äPFEL', limit: 9 })).toEqual([
    { id: 'straße', match: 'Rote Äpfel' },
  ]);
  expect(await search.conversations({ search: 'äpfel.', limit: 9 })).toEqual([]);
});

describe('on the search thread', () => {
  function openWithThread(home = temporaryFolder()) {
    const storage = openStorage({ home, now: () => 1_700_000_000_000 });
    onTestFinished(() => storage.close().catch(() => undefined));
    const ledger = createLedger(storage);
    return { home, storage, ledger, index: createRunIndex(storage.db, storage.search) };
  }

  const runsWith = async (storage: Storage, search: string) =>
    (await storage.search.runs({ ...everyRun, search })).ids;

  it('finds an indexed run, even after a restart', async () => {
    const { home, storage, ledger, index } = openWithThread();
    ledger.createRun(testRun({ id: 'a', status: 'succeeded' }));
    await index.add('a', { ...noReply, text: `${'word '.repeat(5000)}lighthouse` });
    expect(await runsWith(storage, 'lighthouse')).toEqual(['a']);
    expect(await runsWith(storage, 'wo')).toEqual(['a']);
    await ledger.close();
    await storage.close();
    const again = openWithThread(home);
    expect(await runsWith(again.storage, 'lighthouse')).toEqual(['a']);
  });

  it('replaces the words of a reindexed run', async () => {
    const { storage, ledger, index } = openWithThread();
    ledger.createRun(testRun({ id: 'a', status: 'succeeded' }));
    await index.add('a', { ...noReply, text: `${'word '.repeat(8000)}lighthouse` });
    await index.add('a', { ...noReply, text: `${'other '.repeat(5000)}harbor` });
    expect(await runsWith(storage, 'harbor')).toEqual(['a']);
    expect(await runsWith(storage, 'lighthouse')).toEqual([]);
    expect(await runsWith(storage, 'word word')).toEqual([]);
  });

  it('indexes once the ledger is unlocked', async () => {
    const { storage, ledger, index } = openWithThread();
    ledger.createRun(testRun({ id: 'a', status: 'succeeded' }));
    storage.db.sql('BEGIN IMMEDIATE').run();
    const indexed = index.add('a', { ...noReply, text: 'lighthouse' });
    expect(await runsWith(storage, 'lighthouse')).toEqual([]);
    storage.db.sql('COMMIT').run();
    await indexed;
    expect(await runsWith(storage, 'lighthouse')).toEqual(['a']);
  });

  it('aborts outdated searches and runs the next one', async () => {
    const { storage } = openWithThread();
    addRuns(storage.db, 100, () => 'everywhere');
    const typed = new AbortController();
    const outdated = ['ev', 'eve', 'ever'].map((search) =>
      storage.search.runs({ ...everyRun, search }, typed.signal),
    );
    const wanted = storage.search.runs({ ...everyRun, search: 'every', limit: 2 });
    typed.abort();
    for (const search of outdated) await expect(search).rejects.toThrow('aborted');
    expect(await wanted).toEqual({ ids: ['run-99', 'run-98'], more: true });
  });

  it('cancels pending jobs when it is closed, and rejects later ones', async () => {
    const { storage, ledger, index } = openWithThread();
    ledger.createRun(testRun({ id: 'a', status: 'succeeded' }));
    const indexed = index.add('a', { ...noReply, text: 'word '.repeat(20_000) });
    await ledger.close();
    await storage.close();
    await indexed;
    await expect(runsWith(storage, 'word')).rejects.toThrow('closed');
  });
});

it('ignores a NUL character in the query', async () => {
  const { conversations } = await startTestServices({ onThreads: true });
  const { id } = conversations.create();
  conversations.addMessage(id, null, { role: 'user', content: 'A lighthouse' });
  const find = async (search: string) => {
    const found = await conversations.list({ search, limit: 5 });
    return found.map((one) => one.id);
  };
  expect(await find('\0light')).toEqual([id]);
  expect(await find('light\0nothing')).toEqual([]);
});

it('logs no error for an aborted search', async () => {
  const services = await startTestServices({ onThreads: true });
  const log = vi.spyOn(services, 'log');
  const client = createRouterClient(createRouter(services));
  const typed = new AbortController();
  const query = { ...everyRun, search: 'ev', limit: 5 };
  const outdated = [1, 2].map(() => client.runs.list(query, { signal: typed.signal }));
  typed.abort();
  for (const search of outdated) await expect(search).rejects.toThrow();
  expect(await client.runs.list({ ...query, search: 'eve' })).toMatchObject({
    runs: [],
    more: false,
  });
  expect(log).not.toHaveBeenCalled();
});
