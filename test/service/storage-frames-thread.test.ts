/** Frames on their thread and in their file: what is late, in the way, damaged or unfinished. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStorage, type Storage } from '../../electron/storage/database.ts';
import { blockOf, type FrameEvent, packBlock } from '../../electron/storage/frames/frame-block.ts';
import { frameKey, openFrameFile } from '../../electron/storage/frames/frame-file.ts';
import { readFrames } from '../../electron/storage/frames/frame-reader.ts';
import { createFrameSink, type FrameBatch } from '../../electron/storage/frames/frame-sink.ts';
import { type FrameWriter, writeOnThread } from '../../electron/storage/frames/frame-writer.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { createWriteBuffer, FLUSH_MS } from '../../electron/storage/write-buffer.ts';
import { filesWithKey } from '../e2e/fixtures/key-search.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { all, chunk, chunks, writtenEvents } from '../fixtures/open-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import {
  lastChunk,
  startWireServer,
  streamHead,
  chunk as wireChunk,
} from '../fixtures/wire-server.ts';

function frame(seq: number, data = `word ${seq}`): FrameEvent {
  return { kind: 'chunk', seq, atMs: seq, exchange: 0, data, event: null, comment: false };
}

/** With its threads. */
function openThreaded(home = temporaryFolder()): Storage {
  const storage = openStorage({ home, now: () => 1_700_000_000_000 });
  onTestFinished(() => storage.close().catch(() => undefined));
  return storage;
}

const frameRows = ({ frames }: Storage) =>
  Number(frames.file.sql('SELECT count(*) AS n FROM frames').get()?.n);

test('the number of a deleted run finds none of its frames, however many were deleted at once', async () => {
  const storage = openThreaded();
  const ledger = createLedger(storage);
  const record = async (id: string) => {
    ledger.createRun(testRun({ id, status: 'running' }));
    ledger.append(id, [chunk(1, 'PRIVATE')]);
    await ledger.settled(id);
  };
  const removed = () =>
    vi.waitFor(() => {
      expect(storage.db.sql('SELECT row FROM runs WHERE removed = 1').all()).toEqual([]);
    });
  for (const id of ['a', 'b', 'c']) {
    await record(id);
    ledger.hide(id, id);
  }
  for (const id of ['a', 'b', 'c']) ledger.removeHidden(id);
  await removed();
  await record('new');
  ledger.remove('new');
  await removed();
  ledger.createRun(testRun({ id: 'next' }));
  expect(frameRows(storage)).toBe(0);
  expect(ledger.events('next', all).events).toEqual([]);
  expect(ledger.run('next')?.seq).toBe(0);
});

test('what came during a long write is written as soon as that ends', () => {
  const writes: { batches: readonly FrameBatch[]; done: (cause: unknown) => void }[] = [];
  const writer: FrameWriter = {
    write: (batches, done) => writes.push({ batches, done }),
    remove() {},
    pack() {},
    settle() {},
    close: async () => undefined,
  };
  const timer = manualTimer();
  const buffer = createWriteBuffer({
    writer,
    rowOf: () => 1,
    store() {},
    isInTransaction: () => false,
    onProblem() {},
    timer,
  });
  buffer.append('a', [frame(1)]);
  timer.advance(FLUSH_MS);
  expect(writes).toHaveLength(1);
  buffer.append('a', [frame(2)]);
  timer.advance(FLUSH_MS);
  expect(writes).toHaveLength(1);
  writes[0]?.done(null);
  expect(writes).toHaveLength(2);
  expect(writes[1]?.batches).toEqual([{ run: 1, blocks: [blockOf([frame(2)])] }]);
});

/** Those started from now on. */
function noteWorkers(): Worker[] {
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return workers;
}

test('a writer that ends again and again is reported, once', () => {
  const problems: unknown[] = [];
  const answers: ((cause: unknown) => void)[] = [];
  const timer = manualTimer();
  const buffer = createWriteBuffer({
    writer: {
      write: (_batches, done) => answers.push(done),
      remove() {},
      pack() {},
      settle() {},
      close: async () => undefined,
    },
    rowOf: () => 1,
    store() {},
    isInTransaction: () => false,
    onProblem: (error) => problems.push(error),
    timer,
  });
  buffer.append('a', [frame(1)]);
  for (const expected of [0, 1, 1, 1]) {
    timer.advance(2000);
    answers.at(-1)?.(new Error('The writer ended.'));
    expect(problems).toHaveLength(expected);
  }
  expect(answers).toHaveLength(4);
  timer.advance(2000);
  answers.at(-1)?.(null);
  buffer.append('a', [frame(2)]);
  timer.advance(2000);
  answers.at(-1)?.(Object.assign(new Error('disk full'), { errcode: 13 }));
  expect(problems).toHaveLength(2);
});

test('a writer that ends is replaced: nothing is lost, and nothing reported', async () => {
  const workers = noteWorkers();
  const home = temporaryFolder();
  const storage = openThreaded(home);
  const ledger = createLedger(storage);
  const problems: unknown[] = [];
  ledger.onProblem = (error) => problems.push(error);
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', [chunk(1)]);
  await ledger.settled('a');
  // Until it ends, it cannot answer.
  const other = new DatabaseSync(join(home, 'frames.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  ledger.append('a', chunks(2, 5));
  const settled = ledger.settled('a');
  const ended = workers[0]?.terminate();
  other.close();
  await ended;
  await settled;
  expect(problems).toEqual([]);
  expect(writtenEvents(storage)).toBe(5);
  expect(ledger.events('a', all).events).toEqual(chunks(1, 5));
});

test('a search that its thread did not live to answer is answered by the next', async () => {
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

test('a flush writes all at once: what the thread has, what came since, and what follows', async () => {
  const storage = openThreaded();
  const timer = manualTimer();
  const ledger = createLedger(storage, timer);
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', [chunk(1)]);
  // The thread is up: a flush waits a second at most.
  await ledger.settled('a');
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

test('a run gets nothing of one that the ledger has lost, such as after a power cut', async () => {
  const home = temporaryFolder();
  const before = openTestStorage(home);
  const ledger = createLedger(before);
  ledger.createRun(testRun({ id: 'kept' }));
  ledger.append('kept', [chunk(1, 'kept')]);
  ledger.createRun(testRun({ id: 'lost' }));
  ledger.append('lost', chunks(1, 30, 'PRIVATE'));
  await ledger.close();
  await before.close();
  // The disk had the frames already, and not yet the last rows of the ledger.
  const file = new DatabaseSync(join(home, 'ledger.sqlite'));
  file.exec("DELETE FROM run_texts; DELETE FROM runs WHERE id = 'lost'");
  file.close();

  const storage = openTestStorage(home);
  const after = createLedger(storage);
  after.createRun(testRun({ id: 'new' }));
  expect(after.run('new')?.seq).toBe(0);
  after.append('new', [chunk(1, 'new')]);
  await after.settled('new');
  expect(after.events('new', all).events).toEqual([chunk(1, 'new')]);
  expect(after.events('kept', all).events).toEqual([chunk(1, 'kept')]);
});

test('a file that is no database is closed before it is given up', () => {
  const path = join(temporaryFolder(), 'frames.sqlite');
  writeFileSync(path, 'no database at all '.repeat(100));
  const opened = () =>
    readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`) === path).length;
  expect(() => openFrameFile(path, 'ledger')).toThrow();
  expect(opened()).toBe(0);
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

test('frames without text are packed a few thousand at a time', () => {
  const file = openFrameFile(':memory:', 'ledger');
  const sink = createFrameSink(file);
  const blocks = Array.from({ length: 9000 }, (_, index) => blockOf([frame(index + 1, '')]));
  sink.write([{ run: 1, blocks }]);
  expect(sink.packSome(1)).toBe(true);
  while (sink.packSome(1));
  expect(file.prepare('SELECT count(*) AS n, sum(count) AS frames FROM frames').get()).toEqual({
    n: 2,
    frames: 9000,
  });
});

test('closing does not wait for packing, and the next start goes on with it', async () => {
  const path = join(temporaryFolder(), 'frames.sqlite');
  const file = openFrameFile(path, 'ledger');
  onTestFinished(() => file.close());
  const unpacked = () => file.prepare('SELECT count(*) AS n FROM unpacked').get()?.n;
  const writer = writeOnThread(path);
  const runs = Array.from({ length: 300 }, (_, index) => index + 1);
  for (const run of runs) {
    writer.write([{ run, blocks: [blockOf([frame(1)]), blockOf([frame(2)])] }], () => undefined);
    writer.pack(run);
  }
  await writer.close();
  // Each takes its turn after a pause: not all of them can have been packed.
  expect(unpacked()).toBeGreaterThan(0);
  expect(file.prepare('SELECT sum(count) AS n FROM frames').get()?.n).toBe(600);

  const next = writeOnThread(path);
  onTestFinished(() => next.close());
  await vi.waitFor(() => expect(unpacked()).toBe(0), { timeout: 20_000 });
  expect(file.prepare('SELECT count(*) AS n FROM frames').get()?.n).toBe(300);
}, 30_000);

test('a run of many small blocks is packed to its end', () => {
  const file = openFrameFile(':memory:', 'ledger');
  const sink = createFrameSink(file);
  const blocks = Array.from({ length: 4500 }, (_, index) => blockOf([frame(index + 1, '{}')]));
  sink.write([{ run: 1, blocks }]);
  while (sink.packSome(1));
  expect(file.prepare('SELECT count(*) AS n FROM frames WHERE packed = 0').get()?.n).toBe(0);
  expect(file.prepare('SELECT sum(count) AS n FROM frames').get()?.n).toBe(4500);
  expect(sink.unpacked()).toEqual([]);
});

test('frames that were written without a dictionary are read, followed and packed', () => {
  const path = join(temporaryFolder(), 'frames.sqlite');
  const before = openFrameFile(path, 'ledger');
  before.exec(`DROP TABLE unpacked; CREATE TABLE unpacked (run INTEGER PRIMARY KEY) STRICT;
    INSERT INTO unpacked (run) VALUES (1); PRAGMA user_version = 1`);
  const first = blockOf([frame(1), frame(2)]);
  before
    .prepare('INSERT INTO frames (key, count, exchange, packed, body) VALUES (?, 2, 0, 0, ?)')
    .run(frameKey(1, 1), packBlock(first, null));
  before.close();

  const file = openFrameFile(path, 'ledger');
  onTestFinished(() => file.close());
  const sink = createFrameSink(file);
  sink.write([
    { run: 1, blocks: [blockOf([frame(3)])] },
    { run: 2, blocks: [blockOf([frame(1)]), blockOf([frame(2)])] },
  ]);
  const read = (run: number) => [
    ...readFrames({ sql: (text) => file.prepare(text) }, run, { after: 0 }, () => {
      throw new Error('Unreadable.');
    }),
  ];
  expect(read(1)).toEqual([frame(1), frame(2), frame(3)]);
  expect(read(2)).toEqual([frame(1), frame(2)]);
  // The writer of the next process reads them with the dictionary of this one.
  const next = createFrameSink(file);
  next.write([{ run: 2, blocks: [blockOf([frame(3)])] }]);
  for (const run of next.unpacked()) while (next.packSome(run));
  expect(file.prepare('SELECT count(*) AS n FROM frames').get()?.n).toBe(2);
  expect([...read(1), ...read(2)]).toEqual([1, 2, 3, 1, 2, 3].map((seq) => frame(seq)));
});

test('nothing of a run makes main wait for a write, and it is packed once it has ended', async () => {
  const home = temporaryFolder();
  const server = await startWireServer(async ({ send }) => {
    await send(streamHead);
    for (let piece = 0; piece < 20; piece += 1) {
      await send(wireChunk(`data: {"choices":[{"index":0,"delta":{"content":"${piece} "}}]}\n\n`));
    }
    await send(wireChunk('data: [DONE]\n\n'));
    await send(lastChunk);
  });
  onTestFinished(() => server.close());
  const services = await startTestServices({ home, baseUrl: server.url });
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
  await vi.waitFor(() => expect(unpacked()).toBe(0), { timeout: 10_000 });
  expect(services.ledger.events(runId, { ...all, kinds: ['chunk'] }).events).toHaveLength(21);
  const deleted = await start();
  await services.engine.remove(deleted);
  expect(waits).not.toHaveBeenCalled();
});

const FIRST_PAGES = 16 * 1024;
/** Where the next frames are written. */
const LAST_PAGES = 8 * 1024;

/** All pages but the first few, which say what the file is, and the last `kept` bytes. */
function damage(path: string, kept = 0): void {
  const length = readFileSync(path).byteLength - FIRST_PAGES - kept;
  expect(length).toBeGreaterThan(FIRST_PAGES);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(length, 0xff), 0, length, FIRST_PAGES);
  closeSync(file);
}

async function recordedFolder(): Promise<string> {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  for (let seq = 1; seq <= 100; seq += 1) {
    ledger.append('a', [chunk(seq, randomBytes(1000).toString('hex'))]);
    ledger.flush();
  }
  await ledger.close();
  await storage.close();
  return home;
}

test('damaged frames keep nobody from starting, and it says so', async () => {
  const home = await recordedFolder();
  damage(join(home, 'frames.sqlite'), LAST_PAGES);
  const services = await startTestServices({ home });
  expect(services.ledger.run('a')).toMatchObject({ status: 'interrupted' });
  const { notices } = await services.system.info();
  expect(notices.map(({ id }) => id)).toContain('unreadable-events');
});

test('frames are set aside where the next ones could not be written', async () => {
  const home = await recordedFolder();
  damage(join(home, 'frames.sqlite'));
  const { notices, frames } = openTestStorage(home);
  expect(notices.map(({ id }) => id)).toEqual(['frames-damaged']);
  expect(frames.file.sql('SELECT count(*) AS n FROM frames').get()?.n).toBe(0);
});

test('damaged frames are set aside after an end that was none', async () => {
  const home = await recordedFolder();
  const path = join(home, 'frames.sqlite');
  const file = openFrameFile(path, String(await ledgerId(home)));
  // As a process leaves it that is killed.
  file.close();
  damage(path);
  const { notices, frames } = openTestStorage(home);
  expect(notices.map(({ id }) => id)).toEqual(['frames-damaged']);
  expect(frames.file.sql('SELECT count(*) AS n FROM frames').get()?.n).toBe(0);
});

async function ledgerId(home: string): Promise<unknown> {
  const storage = openStorage({ home, now: () => 0, inline: true });
  const id = storage.db.sql('SELECT id FROM identity').get()?.id;
  await storage.close();
  return id;
}

test('a file for frames that cannot be opened leaves the ledger as it is', async () => {
  const home = temporaryFolder();
  const before = openTestStorage(home);
  createLedger(before).createRun(testRun({ id: 'a' }));
  await before.close();
  for (const name of ['frames.sqlite', 'frames.sqlite-wal', 'frames.sqlite-shm']) {
    const path = join(home, name);
    if (existsSync(path)) rmSync(path);
  }
  mkdirSync(join(home, 'frames.sqlite'));
  const storage = openTestStorage(home);
  expect(storage.notices.map(({ id }) => id)).toEqual(['frames-in-memory']);
  expect(storage.inMemory).toBe(false);
  const ledger = createLedger(storage);
  expect(ledger.run('a')).not.toBeNull();
  ledger.append('a', [chunk(1)]);
  await ledger.settled('a');
  expect(ledger.events('a', all).events).toEqual([chunk(1)]);
});

test('the search for a key looks into frames', async () => {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a' }));
  // The first frames stand in the file in plain text too: others are read with them.
  ledger.append('a', [chunk(1)]);
  await ledger.settled('a');
  ledger.append('a', chunks(2, 20, '{"content":"it is sk-canary-7Qz/93+xKd=lmP, as it was sent"}'));
  await ledger.settled('a');
  expect(filesWithKey('sk-canary-7Qz/93+xKd=lmP', home)).toEqual(['frames.sqlite']);
  expect(filesWithKey('sk-canary-0000000000000', home)).toEqual([]);
});
