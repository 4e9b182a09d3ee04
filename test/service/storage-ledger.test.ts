import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateRawSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { RETRY_MS } from '../../electron/base/timer.ts';
import { noteCompressed } from '../../electron/storage/event-rows.ts';
import { FLUSH_MS } from '../../electron/storage/event-writer.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import type { AppError } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/run.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { listJournals } from '../fixtures/journal-files.ts';
import {
  all,
  chunk,
  chunks,
  exchangeEnd,
  openLedger,
  recoverLedger,
  removeRun,
  response,
} from '../fixtures/open-ledger.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';

test('writes events that nobody reads within 50 ms, as one line', () => {
  const { ledger, timer, written, path } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  const together = chunks(1, 20).map((event) => ({ ...event, atMs: 5 }));
  for (const event of together) ledger.append('a', [event]);
  expect(ledger.run('a')?.seq).toBe(20);
  expect(written()).toBe(0);
  timer.advance(FLUSH_MS);
  expect(FLUSH_MS).toBeLessThan(50);
  expect(written()).toBe(20);
  expect(listJournals(dirname(path))).toMatchObject([{ runId: 'a', lines: [expect.any(String)] }]);
  expect(ledger.events('a', all).events).toEqual(together);
});

test('writes events before it returns them', () => {
  const { ledger, written } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  ledger.append('a', chunks(1, 3));
  expect(ledger.events('a', all).events).toHaveLength(3);
  expect(written()).toBe(3);
});

test('writes fields at once, or with the next events if requested', () => {
  const { ledger, db, timer, written } = openLedger();
  const stored = () => db.sql("SELECT status, http_status FROM runs WHERE id = 'a'").get();
  ledger.createRun(testRun({ id: 'a', status: 'queued' }));
  ledger.update('a', { status: 'running' });
  expect(stored()).toMatchObject({ status: 'running', http_status: null });

  ledger.update('a', { httpStatus: 200 }, 'with events');
  ledger.append('a', chunks(1, 3));
  expect(stored()).toMatchObject({ status: 'running', http_status: null });
  expect(ledger.run('a')).toMatchObject({ status: 'running', httpStatus: 200 });
  timer.advance(FLUSH_MS);
  expect(stored()).toMatchObject({ status: 'running', http_status: 200 });
  expect(written()).toBe(3);
});

test('commits what runs write in one turn together, after their fields', async () => {
  const { ledger, path } = openLedger();
  const other = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => other.close());
  const stored = () => {
    const rows = other.prepare('SELECT id, status FROM runs ORDER BY id').all();
    return rows.map(({ id, status }) => `${id} ${status}`);
  };
  ledger.createRun(testRun({ id: 'a', status: 'queued' }));
  const seen: string[][] = [];
  const create = (id: string, work: () => void = () => undefined) =>
    ledger.writeTogether(() => {
      ledger.createRun(testRun({ id, status: 'queued' }), work);
      seen.push(stored());
    });
  const refused = create('c', () => {
    throw new Error('no');
  });
  const writes = [create('b'), ledger.updateTogether('a', { status: 'running' }), create('d')];
  expect(ledger.run('a')?.status).toBe('running');
  expect(stored()).toEqual(['a queued']);
  await expect(refused).rejects.toThrow('no');
  await Promise.all(writes);
  expect(seen).toEqual([['a running'], ['a running']]);
  expect(stored()).toEqual(['a running', 'b queued', 'd queued']);
});

test('lets other work proceed between what many runs write', async () => {
  const { ledger } = openLedger();
  const ids = Array.from({ length: 20 }, (_, at) => `run-${at}`);
  const create = (id: string) => ledger.writeTogether(() => ledger.createRun(testRun({ id })));
  const [first, ...others] = ids.map(create);
  await first;
  expect(ledger.list(everyRun).runs.length).toBeLessThan(ids.length);
  await Promise.all(others);
  const updates = ids.map((id) => ledger.updateTogether(id, { status: 'running' }));
  const late = create('late');
  await updates[0];
  expect(ledger.run('late')).toBeNull();
  await Promise.all([...updates, late]);
  expect(ledger.run('run-19')?.status).toBe('running');
  expect(ledger.run('late')).not.toBeNull();
});

test('rejects all that was written together if the disk is full', async () => {
  const { ledger, db } = openLedger();
  db.sql('PRAGMA max_page_count = 1').get();
  const create = (id: string) =>
    ledger.writeTogether(() =>
      ledger.createRun(testRun({ id, preview: 'x'.repeat(id === 'b' ? 99_999 : 1) })),
    );
  const writes = ['a', 'b', 'c'].map(create);
  for (const write of writes) await expect(write).rejects.toThrow('the disk is full');
  expect(ledger.list(everyRun).runs).toEqual([]);
});

test('writes rows of other runs while the ledger rejects those of one', () => {
  const { ledger, db, timer, problems, written } = openLedger();
  for (const id of ['a', 'b']) ledger.createRun(testRun({ id }));
  db.sql(
    "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END",
  ).run();
  ledger.append('a', [response]);
  timer.advance(FLUSH_MS);
  ledger.append('b', chunks(1, 2));
  timer.advance(FLUSH_MS);
  expect([written(), problems.length]).toEqual([2, 1]);
  expect(ledger.events('a', all).events).toEqual([response]);

  db.sql('DROP TRIGGER full').run();
  timer.advance(RETRY_MS);
  expect([written(), problems.length]).toEqual([3, 1]);
});

test('preserves every kind of event', () => {
  const { ledger } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  const at = { atMs: 1.5, exchange: 0 };
  const headers: [string, string][] = [['Content-Type', 'application/json']];
  const error: AppError = {
    kind: 'gateway',
    message: 'm',
    nextStep: 'n',
    gateway: null,
    detail: null,
    retryAfterSeconds: 3,
  };
  const events: RunEvent[] = [
    {
      ...at,
      seq: 1,
      kind: 'request',
      method: 'POST',
      url: 'http://x/',
      headers,
      body: '{"é":"\u0000"}',
    },
    { ...at, seq: 2, kind: 'response', status: 200, headers },
    { ...at, seq: 3, kind: 'chunk', data: '', event: 'ping', comment: true },
    { ...at, seq: 4, kind: 'body', text: '<html>', truncated: true },
    { ...at, seq: 5, kind: 'error', status: 'failed', error, timings: null },
  ];
  ledger.append('a', events);
  ledger.flush();
  expect(ledger.events('a', all).events).toEqual(events);
});

test('returns written and waiting events page by page, by number and kind', () => {
  const { ledger } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  ledger.append('a', [response]);
  ledger.append('a', chunks(2, 5));
  ledger.flush();
  ledger.append('a', chunks(6, 8));
  const numbers = (after: number, limit: number, kinds: RunEvent['kind'][] | null = null) => {
    const { events, more } = ledger.events('a', { after, limit, kinds });
    return [events.map(({ seq }) => seq), more];
  };
  expect(numbers(0, 3)).toEqual([[1, 2, 3], true]);
  expect(numbers(3, 3)).toEqual([[4, 5, 6], true]);
  expect(numbers(6, 3)).toEqual([[7, 8], false]);
  expect(numbers(0, 5)).toEqual([[1, 2, 3, 4, 5], true]);
  expect(numbers(0, 9, ['chunk'])).toEqual([[2, 3, 4, 5, 6, 7, 8], false]);
  expect(numbers(0, 9, ['response'])).toEqual([[1], false]);
});

test('filters runs by connection, operation and status', () => {
  const { ledger } = openLedger();
  ledger.createRun(testRun({ id: 'a', connectionId: 'x' }));
  ledger.createRun(testRun({ id: 'b', operation: 'completion' }));
  ledger.createRun(testRun({ id: 'c', status: 'failed' }));
  const ids = (more: object) => ledger.list({ ...everyRun, ...more }).runs.map(({ id }) => id);
  expect(ids({ connectionId: 'x' })).toEqual(['a']);
  expect(ids({ operation: 'completion' })).toEqual(['b']);
  expect(ids({ status: 'failed', connectionId: 'demo' })).toEqual(['c']);
});

test('skips a damaged row, with one notice', () => {
  const { ledger, db, notices } = openLedger();
  for (const id of ['a', 'b', 'c']) ledger.createRun(testRun({ id }));
  db.sql("UPDATE runs SET error = '{not json' WHERE id = 'b'").run();
  expect(ledger.list(everyRun).runs.map(({ id }) => id)).toEqual(['c', 'a']);
  ledger.list(everyRun);
  expect(notices).toMatchObject([{ id: 'unreadable-runs', level: 'warning' }]);
});

test('skips damaged blocks of chunks', async () => {
  const { ledger, db, notices, pack } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  for (const seq of [1, 3, 5]) {
    ledger.append('a', [chunk(seq), exchangeEnd(seq + 1)]);
    ledger.save('a');
    await pack();
  }
  db.sql("UPDATE chunk_blocks SET body = x'00' WHERE key % 64 = 3").run();
  const page = { limit: 1, kinds: ['chunk' as const] };
  expect(ledger.events('a', { ...page, after: 0 })).toEqual({ events: [chunk(1)], more: true });
  expect(ledger.events('a', { ...page, after: 1 })).toEqual({ events: [chunk(5)], more: false });
  expect(notices).toMatchObject([{ id: 'unreadable-events' }]);
});

test('keeps the text of a long body compressed, and purges it with its run', () => {
  const { ledger, db, timer, notices } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  const text = 'The “gate” 🚪 \n'.repeat(1000);
  const body: RunEvent = { seq: 1, atMs: 0, exchange: 0, kind: 'body', text, truncated: false };
  noteCompressed(body, deflateRawSync(text));
  ledger.append('a', [body, exchangeEnd(2)]);
  const page = { after: 0, limit: 9, kinds: null };
  ledger.flush();
  expect(ledger.events('a', page).events).toEqual([body, exchangeEnd(2)]);
  const stored = db.sql('SELECT sum(length(body)) AS n FROM events').get();
  expect(Number(stored?.n)).toBeLessThan(1000);

  db.sql("UPDATE long_bodies SET text = x'00'").run();
  expect(ledger.events('a', page).events).toEqual([exchangeEnd(2)]);
  expect(notices).toMatchObject([{ id: 'unreadable-events' }]);
  removeRun(ledger, 'a');
  timer.advance(0);
  expect(db.sql('SELECT count(*) AS n FROM long_bodies').get()?.n).toBe(0);
});

test('purges a run with its events, and drops later ones', () => {
  const { ledger, timer, written } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  ledger.createRun(testRun({ id: 'b' }));
  ledger.append('a', chunks(1, 3));
  ledger.flush();
  ledger.append('a', chunks(4, 5));
  removeRun(ledger, 'a');
  timer.advance(0);
  ledger.append('a', chunks(6, 7));
  ledger.append('b', chunks(1, 1));
  ledger.flush();
  expect(ledger.run('a')).toBeNull();
  expect(written()).toBe(1);
});

test('keeps rows that a full disk rejects, reports it once, and writes them once there is room', () => {
  const { ledger, db, timer, problems, written } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  const limit = (pages: number) => db.sql(`PRAGMA max_page_count = ${pages}`).get();
  limit(1);
  const body = (seq: number): RunEvent => ({
    kind: 'body',
    seq,
    atMs: 1,
    exchange: 0,
    truncated: false,
    text: 'x'.repeat(100_000),
  });
  ledger.append('a', [body(1)]);
  ledger.update('a', { status: 'succeeded', seq: 1 });
  timer.advance(RETRY_MS * 3);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    kind: 'file',
    message: 'Couldn’t save runs; they’re in memory for now: the disk is full.',
    nextStep: 'Free some space on the disk that holds the data folder.',
  });
  expect(ledger.run('a')).toMatchObject({ status: 'succeeded', seq: 1 });
  expect(ledger.events('a', all).events).toHaveLength(1);
  expect(() => ledger.createRun(testRun({ id: 'b', preview: 'x'.repeat(9999) }))).toThrow(
    'the disk is full',
  );

  limit(1_000_000);
  timer.advance(RETRY_MS);
  expect(written()).toBe(1);
  expect(db.sql("SELECT status FROM runs WHERE id = 'a'").get()?.status).toBe('succeeded');
  expect(timer.waiting()).toBe(0);

  limit(1);
  ledger.append('a', [body(2)]);
  timer.advance(FLUSH_MS);
  expect(problems).toHaveLength(2);
});

test('writes waiting events when it is closed', async () => {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', chunks(1, 3));
  expect(ledger.close()).toBe(true);
  await storage.close();
  const again = await recoverLedger(home);
  expect(again.listUnfinished()).toEqual(['a']);
  expect(again.run('a')?.seq).toBe(3);
});

test('loses nothing that it returned before the process was killed', async () => {
  const home = temporaryFolder();
  const script = join(import.meta.dirname, '../fixtures/record-until-killed.ts');
  const child = spawn('node', [script, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  await new Promise<void>((resolve) => {
    child.on('close', () => resolve());
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > 300) child.kill('SIGKILL');
    });
  });
  const owed = Number(said.trim().split('\n').at(-1));
  expect(owed).toBeGreaterThan(10);

  const ledger = await recoverLedger(home);
  const seq = ledger.run('killed')?.seq ?? 0;
  expect(seq).toBeGreaterThanOrEqual(owed);
  const { events } = ledger.events('killed', { ...all, limit: seq + 1 });
  expect(events.map((event) => event.seq)).toEqual(chunks(1, seq).map((event) => event.seq));
});
