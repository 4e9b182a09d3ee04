import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FrameWriter } from '../../electron/storage/frames/frame-writer.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { RETRY_MS } from '../../electron/storage/timer.ts';
import { FLUSH_MS } from '../../electron/storage/write-buffer.ts';
import type { AppError } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/run.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import {
  all,
  chunk,
  chunks,
  openLedger,
  removeRun,
  response,
  writtenEvents,
} from '../fixtures/open-ledger.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';

test('shows events at once and writes them together within 100 ms', () => {
  const { ledger, timer, written } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  for (const event of chunks(1, 20)) ledger.append('a', [event]);
  expect(ledger.events('a', all).events).toEqual(chunks(1, 20));
  expect(ledger.run('a')?.seq).toBe(20);
  expect(written()).toBe(0);
  timer.advance(FLUSH_MS);
  expect(FLUSH_MS).toBeLessThan(100);
  expect(written()).toBe(20);
  expect(ledger.events('a', all).events).toEqual(chunks(1, 20));
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

/** Opens a ledger, and records how many rows are on disk each time frames are written. */
function ledgerWithNotes() {
  const storage = openTestStorage();
  const { db, frames } = storage;
  const onDisk: unknown[] = [];
  const writer: FrameWriter = {
    ...frames.writer,
    write(batches, done) {
      onDisk.push(db.sql('SELECT count(*) AS n FROM events').get()?.n);
      frames.writer.write(batches, done);
    },
  };
  const timer = manualTimer();
  const ledger = createLedger({ ...storage, frames: { ...frames, writer } }, timer);
  const problems: AppError[] = [];
  ledger.onProblem = (error) => problems.push(error);
  return { storage, db, ledger, timer, problems, onDisk };
}

function progress(seq: number): RunEvent {
  return {
    kind: 'progress',
    seq,
    atMs: seq / 2,
    exchange: 0,
    direction: 'download',
    doneBytes: seq,
    totalBytes: null,
  };
}

test('writes frames right after the events before them', () => {
  const { storage, ledger, timer, onDisk } = ledgerWithNotes();
  ledger.createRun(testRun({ id: 'a' }));
  const events = [response, ...chunks(2, 4), progress(5), chunk(6), progress(7), ...chunks(8, 9)];
  ledger.append('a', events);
  timer.advance(FLUSH_MS);
  expect([onDisk, writtenEvents(storage)]).toEqual([[1, 2, 3], events.length]);
  ledger.append('a', [chunk(10), progress(11), chunk(12)]);
  ledger.flush();
  expect([onDisk, writtenEvents(storage)]).toEqual([[1, 2, 3, 3, 4], 12]);
  expect(ledger.events('a', all).events.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
});

test('writes no frame before the events before it', () => {
  const { storage, db, ledger, timer, problems, onDisk } = ledgerWithNotes();
  ledger.createRun(testRun({ id: 'a' }));
  db.sql(
    "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END",
  ).run();
  ledger.append('a', [response, ...chunks(2, 4)]);
  timer.advance(FLUSH_MS);
  expect([onDisk, writtenEvents(storage), problems.length]).toEqual([[], 0, 1]);
  // Other runs must not wait.
  ledger.createRun(testRun({ id: 'b' }));
  ledger.append('b', chunks(1, 2));
  timer.advance(RETRY_MS);
  expect([onDisk, writtenEvents(storage), problems.length]).toEqual([[0], 2, 1]);
  expect(ledger.events('a', all).events).toEqual([response, ...chunks(2, 4)]);

  db.sql('DROP TRIGGER full').run();
  timer.advance(RETRY_MS);
  expect([onDisk, writtenEvents(storage), problems.length]).toEqual([[0, 1], 6, 1]);
  expect(ledger.events('a', all).events).toEqual([response, ...chunks(2, 4)]);
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

test('skips damaged events', () => {
  const { ledger, frames, notices } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  for (const seq of [1, 2, 3]) {
    ledger.append('a', [chunk(seq)]);
    ledger.flush();
  }
  frames.file.sql("UPDATE frames SET body = x'00' WHERE key % 64 = 2").run();
  const page = ledger.events('a', { after: 0, limit: 1, kinds: null });
  expect(page).toEqual({ events: [chunk(1)], more: true });
  expect(ledger.events('a', { after: 1, limit: 1, kinds: null })).toEqual({
    events: [chunk(3)],
    more: false,
  });
  expect(notices).toMatchObject([{ id: 'unreadable-events' }]);
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

/** Returns frames that don't compress well. */
function noise(from: number, to: number): RunEvent[] {
  return chunks(from, to).map((event) => ({ ...event, data: randomBytes(200).toString('base64') }));
}

test('keeps events that a full disk rejects, reports it once, and writes them once there is room', () => {
  const { ledger, db, frames, timer, problems, written } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  const limit = (pages: number) => {
    for (const file of [db, frames.file]) file.sql(`PRAGMA max_page_count = ${pages}`).get();
  };
  limit(1);
  ledger.append('a', noise(1, 2000));
  ledger.update('a', { status: 'succeeded', seq: 2000 });
  timer.advance(RETRY_MS * 3);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    kind: 'file',
    message: 'Couldn’t save runs; they’re in memory for now: the disk is full.',
    nextStep: 'Free some space on the disk that holds the data folder.',
  });
  expect(ledger.run('a')).toMatchObject({ status: 'succeeded', seq: 2000 });
  expect(ledger.events('a', all).events).toHaveLength(2000);
  expect(() => ledger.createRun(testRun({ id: 'b', preview: 'x'.repeat(9999) }))).toThrow(
    'the disk is full',
  );

  limit(1_000_000);
  timer.advance(RETRY_MS);
  expect(written()).toBe(2000);
  expect(db.sql("SELECT status FROM runs WHERE id = 'a'").get()?.status).toBe('succeeded');
  expect(timer.waiting()).toBe(0);

  limit(1);
  ledger.append('a', noise(2001, 4000));
  timer.advance(FLUSH_MS);
  expect(problems).toHaveLength(2);
});

test('writes waiting events when it is closed', async () => {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', chunks(1, 3));
  expect(await ledger.close()).toBe(true);
  await storage.close();
  const again = createLedger(openTestStorage(home));
  expect(again.listUnfinished()).toMatchObject([{ id: 'a', seq: 3 }]);
});

/** Leaves time for a busy machine. On an idle one, `npm run torture` measures 100 ms. */
const MAX_LOST_MS = 1000;

test('loses at most the last second if the process is killed', async () => {
  const home = temporaryFolder();
  const script = join(import.meta.dirname, '../fixtures/record-until-killed.ts');
  const child = spawn('node', [script, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  await new Promise<void>((resolve) => {
    child.on('close', () => resolve());
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > 1200) child.kill('SIGKILL');
    });
  });
  const lines = said
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  const killedAt = lines.at(-1)?.[1] ?? 0;
  const owed = lines.filter(([, at]) => killedAt - (at ?? 0) > MAX_LOST_MS).at(-1)?.[0] ?? 0;
  expect(owed).toBeGreaterThan(10);

  const ledger = createLedger(openTestStorage(home));
  const [run] = ledger.listUnfinished();
  expect(run).toMatchObject({ id: 'killed', status: 'running' });
  const seq = run?.seq ?? 0;
  expect(seq).toBeGreaterThanOrEqual(owed);
  const { events } = ledger.events('killed', { ...all, limit: seq + 1 });
  expect(events.map((event) => event.seq)).toEqual(chunks(1, seq).map((event) => event.seq));
});
