/** Frames in their file: what is packed, lost, damaged or set aside. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStorage } from '../../electron/storage/database.ts';
import { openFrameFile } from '../../electron/storage/frames/frame-file.ts';
import { createFrameSink } from '../../electron/storage/frames/frame-sink.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { makeBlock } from '../fixtures/frames.ts';
import { filesWithKey } from '../fixtures/key-files.ts';
import { openFilesIn } from '../fixtures/open-files.ts';
import { all, chunk, chunks } from '../fixtures/open-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';

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
  expect(() => openFrameFile(path, 'ledger')).toThrow();
  expect(openFilesIn(path)).toEqual([]);
});

test('blocks of a single frame are packed a few hundred at a time', () => {
  const file = openFrameFile(':memory:', 'ledger');
  const sink = createFrameSink(file);
  const blocks = Array.from({ length: 9000 }, (_, index) => makeBlock([chunk(index + 1, '')]));
  sink.write(blocks.map((block) => ({ run: 1, blocks: [block] })));
  expect(sink.packSome(1)).toBe(true);
  while (sink.packSome(1));
  expect(file.prepare('SELECT count(*) AS n, sum(count) AS frames FROM frames').get()).toEqual({
    n: 19,
    frames: 9000,
  });
});

test('a run of many small blocks is packed to its end', () => {
  const file = openFrameFile(':memory:', 'ledger');
  const sink = createFrameSink(file);
  const blocks = Array.from({ length: 4500 }, (_, index) => makeBlock([chunk(index + 1, '{}')]));
  sink.write([{ run: 1, blocks }]);
  while (sink.packSome(1));
  expect(file.prepare('SELECT count(*) AS n FROM frames WHERE packed = 0').get()?.n).toBe(0);
  expect(file.prepare('SELECT sum(count) AS n FROM frames').get()?.n).toBe(4500);
  expect(sink.unpacked()).toEqual([]);
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

/** The page of the ledger with its first runs. */
function damageRuns(path: string): void {
  const ledger = new DatabaseSync(path);
  const root = ledger.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'runs'").get();
  const size = Number(ledger.prepare('PRAGMA page_size').get()?.page_size);
  ledger.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size, 0xff), 0, size, (Number(root?.rootpage) - 1) * size);
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

test('frames are not judged by a ledger that is damaged', async () => {
  const home = await recordedFolder();
  damageRuns(join(home, 'ledger.sqlite'));
  const { notices } = openTestStorage(home);
  expect(notices.map(({ id }) => id)).toEqual(['frames-in-memory']);
  expect(readdirSync(home).filter((name) => name.startsWith('frames-damaged'))).toEqual([]);
});

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
