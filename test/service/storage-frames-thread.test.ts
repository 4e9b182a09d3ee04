/** Covers slow, failing and crashed writes in the write buffer and the frames thread. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStorage, type Storage } from '../../electron/storage/database.ts';
import { openFrameFile } from '../../electron/storage/frames/frame-file.ts';
import type { FrameBatch } from '../../electron/storage/frames/frame-sink.ts';
import { writeOnThread } from '../../electron/storage/frames/frame-writer.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { RETRY_MS } from '../../electron/storage/timer.ts';
import { createWriteBuffer, FLUSH_MS } from '../../electron/storage/write-buffer.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { makeBlock } from '../fixtures/frames.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { all, chunk, chunks, removeRun, response, writtenEvents } from '../fixtures/open-ledger.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { lastChunk, streamHead, chunk as wireChunk } from '../fixtures/wire-server.ts';

function openThreaded(home = temporaryFolder()): Storage {
  const storage = openStorage({ home, now: () => 1_700_000_000_000 });
  onTestFinished(() => storage.close().catch(() => undefined));
  return storage;
}

const frameRows = ({ frames }: Storage) =>
  Number(frames.file.sql('SELECT count(*) AS n FROM frames').get()?.n);

test('deletes all frames before a run number is reused', async () => {
  const storage = openThreaded();
  const ledger = createLedger(storage);
  const record = async (id: string) => {
    ledger.createRun(testRun({ id, status: 'running' }));
    ledger.append(id, [chunk(1, 'PRIVATE')]);
    await ledger.waitUntilSettled(id);
  };
  const removed = () =>
    vi.waitFor(() => {
      expect(storage.db.sql('SELECT row FROM runs WHERE deleted_at = 0').all()).toEqual([]);
    });
  for (const id of ['a', 'b', 'c']) {
    await record(id);
    ledger.hide(id, 1);
  }
  ledger.purge(1);
  await removed();
  await record('new');
  removeRun(ledger, 'new');
  await removed();
  ledger.createRun(testRun({ id: 'next' }));
  expect(frameRows(storage)).toBe(0);
  expect(ledger.events('next', all).events).toEqual([]);
  expect(ledger.run('next')?.seq).toBe(0);
});

/** Creates a buffer whose writer answers when the test says so, and whose ledger can fail. */
function heldBuffer() {
  const answers: ((cause: unknown) => void)[] = [];
  const written: (readonly FrameBatch[])[] = [];
  const problems: unknown[] = [];
  const stored: number[][] = [];
  const faults: { rows: Error | null; tries: number } = { rows: null, tries: 0 };
  const timer = manualTimer();
  const buffer = createWriteBuffer({
    writer: {
      write(batches, done) {
        written.push(batches);
        answers.push(done);
      },
      remove() {},
      pack() {},
      settle() {},
      close: async () => undefined,
    },
    findRow: (runId) => runId.charCodeAt(0) - 96,
    store(runs) {
      faults.tries += 1;
      if (faults.rows) throw faults.rows;
      stored.push(runs.flatMap(([, events]) => events.map(({ seq }) => seq)));
    },
    isInTransaction: () => false,
    onProblem: (error) => problems.push(error),
    timer,
  });
  return { buffer, timer, answers, written, stored, faults, problems };
}

test('writes frames that arrive during a long write as soon as it ends', () => {
  const { buffer, timer, answers, written } = heldBuffer();
  buffer.append('a', [chunk(1)]);
  timer.advance(FLUSH_MS);
  buffer.append('a', [chunk(2)]);
  buffer.append('a', [chunk(3)]);
  timer.advance(FLUSH_MS);
  expect(written).toHaveLength(1);
  answers[0]?.(null);
  expect(written).toHaveLength(2);
  expect(written[1]).toEqual([{ run: 1, blocks: [makeBlock([chunk(2), chunk(3)])] }]);
});

test('after a rejected write, retries events only once their in-flight frames are stored', () => {
  const { buffer, timer, answers, stored, faults } = heldBuffer();
  buffer.append('a', [chunk(1)]);
  timer.advance(FLUSH_MS);
  faults.rows = new Error('refused');
  buffer.append('b', [response]);
  buffer.append('a', [response]);
  timer.advance(FLUSH_MS);
  faults.rows = null;
  timer.advance(RETRY_MS);
  expect(stored).toHaveLength(1);
  answers[0]?.(null);
  timer.advance(RETRY_MS);
  expect(stored).toHaveLength(2);
  expect(timer.waiting()).toBe(0);
});

test('writes frames of other runs while the ledger rejects events', () => {
  const { buffer, timer, answers, faults, problems } = heldBuffer();
  faults.rows = new Error('refused');
  buffer.append('a', [response]);
  buffer.append('b', [chunk(1)]);
  timer.advance(FLUSH_MS);
  expect([answers.length, faults.tries, problems.length]).toEqual([1, 1, 1]);
  answers[0]?.(null);
  buffer.append('b', [chunk(2)]);
  timer.advance(RETRY_MS);
  expect([answers.length, faults.tries, problems.length]).toEqual([2, 2, 1]);
});

test('applies backpressure to streams while many frames are unwritten', async () => {
  const { buffer, answers } = heldBuffer();
  const megabytes = (seq: number, count: number) => [chunk(seq, 'x'.repeat(count * 1024 * 1024))];
  buffer.append('a', megabytes(1, 3));
  expect(buffer.room()).toBeNull();
  buffer.append('a', megabytes(2, 2));
  const room = buffer.room();
  expect([answers.length, room]).toEqual([1, expect.any(Promise)]);
  answers[0]?.(null);
  await room;
  buffer.append('a', megabytes(3, 5));
  const other = buffer.room();
  buffer.forget('a');
  await other;
  expect(buffer.room()).toBeNull();
});

test('doesn’t retry after it is closed', async () => {
  const { buffer, timer, answers } = heldBuffer();
  buffer.append('b', [chunk(1)]);
  const closed = buffer.close();
  answers[0]?.(Object.assign(new Error('disk full'), { errcode: 13 }));
  expect(await closed).toBe(false);
  timer.advance(60_000);
  buffer.append('b', [chunk(2)]);
  await buffer.waitUntilSettled('b');
  expect(answers).toHaveLength(1);
  const empty = heldBuffer();
  empty.buffer.append('a', []);
  expect(await empty.buffer.close()).toBe(true);
});

/** Collects the workers that start from now on. */
function noteWorkers(): Worker[] {
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return workers;
}

test('reports a repeatedly failing writer once, until it succeeds', () => {
  const { buffer, timer, answers, problems } = heldBuffer();
  buffer.append('a', [chunk(1)]);
  for (const _ of [1, 2, 3]) {
    timer.advance(RETRY_MS);
    answers.at(-1)?.(new Error('The writer ended.'));
  }
  expect([answers.length, problems.length]).toEqual([3, 1]);
  timer.advance(RETRY_MS);
  answers.at(-1)?.(null);
  buffer.append('a', [chunk(2)]);
  timer.advance(FLUSH_MS);
  answers.at(-1)?.(Object.assign(new Error('disk full'), { errcode: 13 }));
  expect(problems).toHaveLength(2);
});

test('replaces a writer thread that exits, and keeps all frames', async () => {
  const workers = noteWorkers();
  const home = temporaryFolder();
  const storage = openThreaded(home);
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', [chunk(1)]);
  await ledger.waitUntilSettled('a');
  // The lock prevents the thread from responding before it exits.
  const other = new DatabaseSync(join(home, 'frames.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  ledger.append('a', chunks(2, 5));
  const settled = ledger.waitUntilSettled('a');
  const ended = workers[0]?.terminate();
  other.close();
  await ended;
  await settled;
  await expect.poll(() => writtenEvents(storage), { timeout: 10_000 }).toBe(5);
  expect(ledger.events('a', all).events).toEqual(chunks(1, 5));
});

test('answers a search on another thread if the first one crashes', async () => {
  const workers = noteWorkers();
  const storage = openThreaded();
  const first = storage.search.conversations({ search: 'word', limit: 10 });
  await vi.waitFor(() => expect(workers).toHaveLength(2));
  const ended = workers[1]?.terminate();
  const second = storage.search.conversations({ search: 'other', limit: 10 });
  await ended;
  expect(await first).toEqual([]);
  expect(await second).toEqual([]);
  expect(workers).toHaveLength(3);
});

test('flushes in-flight writes, newer frames, and the events after them', async () => {
  const storage = openThreaded();
  const timer = manualTimer();
  const ledger = createLedger(storage, timer);
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', [chunk(1)]);
  // A flush waits only one second, so start the thread beforehand.
  await ledger.waitUntilSettled('a');
  ledger.append('a', [chunk(2)]);
  timer.advance(FLUSH_MS);
  ledger.append('a', [chunk(3)]);
  ledger.append('a', [
    { kind: 'body', seq: 4, atMs: 3, exchange: 0, text: 'the end', truncated: false },
  ]);
  ledger.update('a', { status: 'succeeded', seq: 4 });
  ledger.flush();
  expect(writtenEvents(storage)).toBe(4);
  expect(storage.db.sql('SELECT status FROM runs').get()?.status).toBe('succeeded');
});

test('closes before packing is done, and continues packing at the next start', async () => {
  const path = join(temporaryFolder(), 'frames.sqlite');
  const file = openFrameFile(path, 'ledger');
  onTestFinished(() => file.close());
  const unpacked = () => file.prepare('SELECT count(*) AS n FROM unpacked').get()?.n;
  const writer = writeOnThread(path);
  const runs = Array.from({ length: 300 }, (_, index) => index + 1);
  for (const run of runs) {
    writer.write(
      [{ run, blocks: [makeBlock([chunk(1)]), makeBlock([chunk(2)])] }],
      () => undefined,
    );
    writer.pack(run);
  }
  await writer.close();
  // The thread pauses after each step, so it can't have packed everything yet.
  expect(unpacked()).toBeGreaterThan(0);
  expect(file.prepare('SELECT sum(count) AS n FROM frames').get()?.n).toBe(600);

  const next = writeOnThread(path);
  onTestFinished(() => next.close());
  await vi.waitFor(() => expect(unpacked()).toBe(0));
  expect(file.prepare('SELECT count(*) AS n FROM frames').get()?.n).toBe(300);
});

test('never blocks the main process during a run, and packs the ended run', async () => {
  const home = temporaryFolder();
  const server = await serveScript(async ({ send }) => {
    await send(streamHead);
    for (let piece = 0; piece < 20; piece += 1) {
      await send(wireChunk(`data: {"choices":[{"index":0,"delta":{"content":"${piece} "}}]}\n\n`));
    }
    await send(wireChunk('data: [DONE]\n\n'));
    await send(lastChunk);
  });
  const services = await startTestServices({ home, baseUrl: server.url, onThreads: true });
  const waits = vi.spyOn(Atomics, 'wait');
  onTestFinished(() => waits.mockRestore());
  const messages = [{ role: 'user', content: 'Count' }];
  const start = () =>
    services.engine.start({
      connectionId: 'environment',
      operation: 'chat',
      request: { model: 'm', messages, stream: true },
      extraBody: {},
      wireNames: {},
    });
  const runId = await start();
  await vi.waitFor(() => expect(services.ledger.run(runId)?.status).toBe('succeeded'));
  const file = new DatabaseSync(join(home, 'frames.sqlite'), { readOnly: true });
  onTestFinished(() => file.close());
  const unpacked = () => file.prepare('SELECT sum(packed = 0) AS n FROM frames').get()?.n;
  await vi.waitFor(() => expect(unpacked()).toBe(0));
  expect(services.ledger.events(runId, { ...all, kinds: ['chunk'] }).events).toHaveLength(21);
  const deleted = await start();
  await services.engine.remove(deleted);
  expect(waits).not.toHaveBeenCalled();
});
