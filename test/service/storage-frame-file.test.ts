/** Covers packed, lost and damaged blocks in the frames file. */
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

test('deletes frames of runs that the ledger lost in a power failure', async () => {
  const home = temporaryFolder();
  const before = openTestStorage(home);
  const ledger = createLedger(before);
  ledger.createRun(testRun({ id: 'kept' }));
  ledger.append('kept', [chunk(1, 'kept')]);
  ledger.createRun(testRun({ id: 'lost' }));
  ledger.append('lost', chunks(1, 30, 'PRIVATE'));
  await ledger.close();
  await before.close();
  // The frames reached the disk, but the ledger's last rows didn't.
  const file = new DatabaseSync(join(home, 'ledger.sqlite'));
  file.exec("DELETE FROM run_texts; DELETE FROM runs WHERE id = 'lost'");
  file.close();

  const storage = openTestStorage(home);
  const after = createLedger(storage);
  after.createRun(testRun({ id: 'new' }));
  expect(after.run('new')?.seq).toBe(0);
  after.append('new', [chunk(1, 'new')]);
  await after.waitUntilSettled('new');
  expect(after.events('new', all).events).toEqual([chunk(1, 'new')]);
  expect(after.events('kept', all).events).toEqual([chunk(1, 'kept')]);
});

test('closes a file that isn’t a database', () => {
  const path = join(temporaryFolder(), 'frames.sqlite');
  writeFileSync(path, 'no database at all '.repeat(100));
  expect(() => openFrameFile(path, 'ledger')).toThrow();
  expect(openFilesIn(path)).toEqual([]);
});

test('packs small blocks in steps of a few hundred', () => {
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

const FIRST_PAGES = 16 * 1024;
/** The end of the file, where new frames go. */
const LAST_PAGES = 8 * 1024;

/** Overwrites all pages except the first few and the last `kept` bytes. */
function damage(path: string, kept = 0): void {
  const length = readFileSync(path).byteLength - FIRST_PAGES - kept;
  expect(length).toBeGreaterThan(FIRST_PAGES);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(length, 0xff), 0, length, FIRST_PAGES);
  closeSync(file);
}

/** Overwrites the ledger page that holds the first runs. */
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

test('starts with damaged frames, with a notice', async () => {
  const home = await recordedFolder();
  damage(join(home, 'frames.sqlite'), LAST_PAGES);
  const services = await startTestServices({ home, onThreads: true });
  expect(services.ledger.run('a')).toMatchObject({ status: 'interrupted' });
  const { notices } = await services.system.info();
  expect(notices.map(({ id }) => id)).toContain('unreadable-events');
});

test('renames frames if new ones can’t be written', async () => {
  const home = await recordedFolder();
  damage(join(home, 'frames.sqlite'));
  const { notices, frames } = openTestStorage(home);
  expect(notices.map(({ id }) => id)).toEqual(['frames-damaged']);
  expect(frames.file.sql('SELECT count(*) AS n FROM frames').get()?.n).toBe(0);
});

test('renames damaged frames after a crash', async () => {
  const home = await recordedFolder();
  const path = join(home, 'frames.sqlite');
  const file = openFrameFile(path, String(await ledgerId(home)));
  // Killing the process leaves the file marked as open.
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

test('keeps frames if the database is damaged', async () => {
  const home = await recordedFolder();
  damageRuns(join(home, 'ledger.sqlite'));
  const { notices } = openTestStorage(home);
  expect(notices.map(({ id }) => id)).toEqual(['frames-in-memory']);
  expect(readdirSync(home).filter((name) => name.startsWith('frames-damaged'))).toEqual([]);
});

test('keeps the ledger if the frames file can’t be opened', async () => {
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
  await ledger.waitUntilSettled('a');
  expect(ledger.events('a', all).events).toEqual([chunk(1)]);
});

test('searches frames for leaked keys', async () => {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a' }));
  // The first frames stay in plain text, because they are the dictionary for the rest.
  ledger.append('a', [chunk(1)]);
  await ledger.waitUntilSettled('a');
  ledger.append('a', chunks(2, 20, '{"content":"it is sk-canary-7Qz/93+xKd=lmP, as it was sent"}'));
  await ledger.waitUntilSettled('a');
  expect(filesWithKey('sk-canary-7Qz/93+xKd=lmP', home)).toEqual(['frames.sqlite']);
  expect(filesWithKey('sk-canary-0000000000000', home)).toEqual([]);
});
