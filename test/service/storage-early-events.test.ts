/** Events from before schema 22 stay where they are, and are read and deleted with those from after it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLedger } from '../../electron/storage/ledger.ts';
import { systemTimer, type Timer } from '../../electron/storage/timer.ts';
import type { RunEvent } from '../../shared/run.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { everyRun, folderWithOldLedger, takeBackTo } from '../fixtures/old-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const PAGE = 4096;
const COLUMNS = 'run, seq, at_ms, exchange, kind, body';

const open = (home: string, timer: Timer = systemTimer) => {
  const storage = openTestStorage(home);
  const ledger = createLedger(storage, timer);
  onTestFinished(async () => void (await ledger.close()));
  return { ...storage, ledger };
};

const of = (exchange: number, seq: number) => ({ atMs: 1, exchange, seq });
function asked(exchange: number, seq: number): RunEvent {
  return {
    ...of(exchange, seq),
    kind: 'request',
    method: 'GET',
    url: 'x',
    headers: [],
    body: null,
  };
}

function answered(exchange: number, seq: number, text: string): RunEvent {
  return { ...of(exchange, seq), kind: 'body', text, truncated: false };
}

/** A folder whose ledger of schema 21 has these runs, each with its reply. */
async function folderOf(replies: Record<string, string>) {
  const home = temporaryFolder();
  const { ledger, db, close } = open(home);
  for (const [id, text] of Object.entries(replies)) {
    ledger.createRun(testRun({ id }));
    ledger.append(id, [asked(0, 1), answered(0, 2, text)]);
  }
  await ledger.close();
  takeBackTo(21, db);
  db.sql('VACUUM').run();
  await close();
  return { home, path: join(home, 'ledger.sqlite') };
}

const all = { after: 0, limit: 100, kinds: null };

it.each([2, 5] as const)('leaves every event of a ledger of schema %i as it was', (schema) => {
  const home = folderWithOldLedger(schema);
  const file = new DatabaseSync(join(home, 'ledger.sqlite'));
  const before = file.prepare(`SELECT ${COLUMNS} FROM events`).all();
  file.close();
  const { db, notices } = openTestStorage(home);
  expect(db.sql(`SELECT ${COLUMNS} FROM early_events`).all()).toEqual(before);
  expect(db.sql('SELECT key FROM events').all()).toEqual([]);
  expect(notices).toEqual([]);
});

it('goes on with a run from before', async () => {
  const { home } = await folderOf({ a: 'first', b: 'other' });
  const { ledger } = open(home);
  expect(ledger.run('a')?.seq).toBe(2);
  expect(ledger.lastExchange('a')).toBe(0);
  ledger.append('a', [asked(1, 3), answered(1, 4, 'second')]);
  await ledger.flush();
  expect(ledger.run('a')?.seq).toBe(4);
  expect(ledger.run('b')?.seq).toBe(2);
  expect(ledger.events('a', all).events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(ledger.events('a', { ...all, after: 1, limit: 2 })).toMatchObject({
    events: [{ seq: 2 }, { seq: 3 }],
    more: true,
  });
  for (const exchange of [0, 1]) {
    const bodies = ledger.events('a', { ...all, kinds: ['body'], exchange }).events;
    expect(bodies).toMatchObject([{ text: ['first', 'second'][exchange] }]);
  }
  expect(ledger.lastExchange('a')).toBe(1);
  const pages = [0, 1].map((from) => ledger.exchanges('a', { from, limit: 1 }));
  expect(pages.map(({ exchanges }) => exchanges.map(({ number }) => number))).toEqual([[0], [1]]);
  expect(pages.map(({ next }) => next)).toEqual([1, null]);
});

it('deletes both kinds of events with their run, a few at a time', async () => {
  const { home } = await folderOf({ a: 'first', b: 'other' });
  const due: (() => void)[] = [];
  const { ledger, db } = open(home, {
    after(_delayMs, work) {
      due.push(work);
      return () => undefined;
    },
  });
  for (let seq = 3; seq <= 600; seq += 1) {
    db.sql(`INSERT INTO early_events SELECT run, ${seq}, at_ms, exchange, kind, body FROM early_events
      WHERE run = 1 AND seq = 1`).run();
  }
  ledger.append('a', [asked(1, 601)]);
  await ledger.flush();
  const left = (table: string) => db.sql(`SELECT count(*) AS count FROM ${table}`).get()?.count;
  ledger.remove('a');
  const steps = new Set<string>();
  for (let work = due.pop(); work !== undefined; work = due.pop()) {
    work();
    steps.add(`${left('early_events')}, ${left('events')}`);
  }
  expect([...steps]).toEqual(['602, 1', '352, 1', '102, 1', '2, 0']);
  expect(ledger.events('b', all).events.map(({ seq }) => seq)).toEqual([1, 2]);
});

it('opens a ledger whose events were all copied by the first form of schema 22', async () => {
  const home = temporaryFolder();
  const first = open(home);
  first.ledger.createRun(testRun({ id: 'a' }));
  first.ledger.append('a', [asked(0, 1), answered(0, 2, 'first')]);
  await first.ledger.close();
  takeBackTo(22, first.db);
  first.db.sql('DROP TABLE early_events').run();
  first.db
    .sql(`CREATE INDEX events_by_kind ON events (run, kind, exchange)
      WHERE kind NOT IN ('chunk', 'progress')`)
    .run();
  await first.close();
  const { ledger, notices } = open(home);
  expect(notices).toEqual([]);
  expect(ledger.run('a')?.seq).toBe(2);
  expect(ledger.lastExchange('a')).toBe(0);
  expect(ledger.events('a', all).events.map(({ seq }) => seq)).toEqual([1, 2]);
});

/** The page with most of a long reply; or the one in which the search for any event begins. */
function pageOf(bytes: Buffer, part: 'reply' | 'root' | 'index', root: number): number {
  if (part !== 'reply') return root - 1;
  const full = Buffer.alloc(PAGE - 4, 'x');
  const pages = Array.from({ length: bytes.length / PAGE }, (_, page) => page);
  return pages.findIndex((page) => bytes.subarray(page * PAGE + 4, (page + 1) * PAGE).equals(full));
}

/** As `folderOf`, with a page of early events that cannot be read. */
async function damagedFolder(part: 'reply' | 'root' | 'index') {
  const { home, path } = await folderOf({ a: 'x'.repeat(50_000), b: 'other' });
  const file = new DatabaseSync(path);
  const name = part === 'index' ? 'events_by_kind' : 'events';
  const root = file.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name);
  file.close();
  const bytes = readFileSync(path);
  // A page of a long body begins with the number of the next.
  bytes.writeUInt32BE(0x7fff_ffff, pageOf(bytes, part, Number(root?.rootpage)) * PAGE);
  writeFileSync(path, bytes);
  return home;
}

describe.each(['reply', 'root'] as const)('where a page of early events is damaged: %s', (part) => {
  it('opens with every run, and records new ones', async () => {
    const { ledger, notices } = open(await damagedFolder(part));
    expect(notices).toEqual([]);
    expect(ledger.list(everyRun).runs).toHaveLength(2);
    expect(() => ledger.events('a', all)).toThrow('malformed');
    expect(ledger.run('a')?.request).toEqual(testRun({ id: 'a' }).request);
    ledger.createRun(testRun({ id: 'c' }));
    expect(ledger.run('c')?.seq).toBe(0);
    ledger.append('c', [asked(0, 1), answered(0, 2, 'third')]);
    await ledger.flush();
    expect(ledger.events('c', all).events).toMatchObject([{ seq: 1 }, { seq: 2, text: 'third' }]);
    expect(ledger.run('c')?.seq).toBe(2);
    expect(ledger.exchanges('c', { from: 0, limit: 9 })).toMatchObject({
      exchanges: [{ number: 0 }],
    });
  });

  it('ends the runs that were in progress', async () => {
    const home = await damagedFolder(part);
    const before = open(home);
    before.ledger.update('a', { status: 'running', startedAt: 1_700_000_000_100 });
    await before.ledger.close();
    await before.close();
    const { ledger } = await startTestServices({ home });
    expect(ledger.unfinished()).toEqual([]);
    expect(ledger.list(everyRun).runs).toMatchObject([
      { id: 'b', status: 'interrupted' },
      {
        id: 'a',
        status: 'unknown',
        error: { kind: 'outcome-unknown' },
        finishedAt: 1_700_000_000_100,
      },
    ]);
  });

  it('deletes of each run what the damage does not keep', async () => {
    const home = await damagedFolder(part);
    const timer = manualTimer();
    const { ledger, db, frames, notices } = open(home, timer);
    const left = (table: string) => db.sql(`SELECT count(*) AS count FROM ${table}`).get()?.count;
    // Its cost is what it was reserved at.
    ledger.createRun({ ...testRun({ id: 'c' }), leastCost: 1 });
    for (const id of ['a', 'c']) {
      ledger.append(id, [
        { ...of(0, 3), kind: 'chunk', event: null, comment: false, data: 'a frame' },
      ]);
      if (id === 'c') ledger.append(id, [asked(0, 4)]);
    }
    ledger.flush();
    expect([left('events'), left('run_texts')]).toEqual([1, 3]);
    for (const id of ['a', 'b', 'c']) ledger.remove(id);
    timer.advance(0);
    expect(ledger.list(everyRun).runs).toEqual([]);
    expect([left('events'), left('run_texts')]).toEqual([0, 0]);
    expect(frames.file.sql('SELECT count(*) AS count FROM frames').get()).toEqual({ count: 0 });
    // Nothing is counted of a run that is still there.
    const rows = () =>
      db
        .sql('SELECT id FROM runs ORDER BY row')
        .all()
        .map(({ id }) => id);
    expect(left('deleted_costs')).toBe(rows().includes('c') ? 0 : 1);
    expect(rows()).toContain('a');
    expect(notices).toMatchObject([{ id: 'removal-damaged' }]);
    expect(timer.waiting()).toBe(0);
  });
});

it('finds the exchanges of a new run where the index of early events is damaged', async () => {
  const { ledger } = open(await damagedFolder('index'));
  expect(() => ledger.lastExchange('a')).toThrow('malformed');
  ledger.createRun(testRun({ id: 'c' }));
  ledger.append('c', [asked(0, 1), asked(1, 2)]);
  ledger.flush();
  expect(ledger.lastExchange('c')).toBe(1);
  expect(ledger.exchanges('c', { from: 0, limit: 9 }).exchanges).toHaveLength(2);
});

it('ends a run on a damaged page at a start, and reads a whole one after it', async () => {
  const home = temporaryFolder();
  const first = open(home);
  for (const id of ['a', 'b']) first.ledger.createRun(testRun({ id }));
  first.ledger.update('b', { status: 'succeeded' });
  first.ledger.append('a', [asked(0, 1), answered(0, 2, 'x'.repeat(50_000))]);
  first.ledger.append('b', [asked(0, 1), answered(0, 2, 'whole')]);
  await first.ledger.close();
  await first.close();
  const path = join(home, 'ledger.sqlite');
  const bytes = readFileSync(path);
  bytes.writeUInt32BE(0x7fff_ffff, pageOf(bytes, 'reply', 0) * PAGE);
  writeFileSync(path, bytes);

  const { ledger } = await startTestServices({ home });
  expect(ledger.run('a')?.status).toBe('interrupted');
  for (let time = 0; time < 2; time += 1) {
    expect(() => ledger.events('a', all)).toThrow('malformed');
    expect(ledger.events('b', all).events).toMatchObject([{ seq: 1 }, { text: 'whole' }]);
  }
});
