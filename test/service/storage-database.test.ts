import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStorage } from '../../electron/storage/database.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { ledgerSchema } from '../../electron/storage/ledger-file.ts';
import { isSmallEnoughToCheck, migrate } from '../../electron/storage/sqlite-file.ts';
import { UserFacingError } from '../../shared/errors.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { testRun } from '../fixtures/test-run.ts';

const now = () => 1_700_000_000_000;

test('creates the data folder for this user only', () => {
  const home = join(temporaryFolder(), 'new', 'folder');
  openTestStorage(home);
  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test('rejects a folder in use by another Gatehouse until that one closes', async () => {
  const home = temporaryFolder();
  const first = openStorage({ home, now, host: 'desktop', inline: true });
  const who = `Another Gatehouse is already using this data folder (desktop app, process ${process.pid}).`;
  expect(() => openStorage({ home, now })).toThrow(who);
  // A folder of this name can't be read, written or deleted as a file.
  rmSync(join(home, 'holder.json'));
  mkdirSync(join(home, 'holder.json'));
  expect(() => openStorage({ home, now })).toThrow('is already using this data folder.');
  await first.close();
  expect(openTestStorage(home).inMemory).toBe(false);
});

const ledger = (...migrations: string[]) => ({ ...ledgerSchema, migrations });

test('runs each missing migration once', () => {
  const db = new DatabaseSync(':memory:');
  const first = "CREATE TABLE notes (id TEXT); INSERT INTO notes VALUES ('a')";
  const second = 'ALTER TABLE notes ADD COLUMN text TEXT';
  migrate(db, ledger());
  migrate(db, ledger(first));
  migrate(db, ledger(first, second));
  migrate(db, ledger(first, second));
  expect(db.prepare('SELECT id, text FROM notes').all()).toEqual([{ id: 'a', text: null }]);
  expect(() => migrate(db, ledger(first))).toThrow('newer version of Gatehouse');
  db.close();
});

test('keeps the runs of version 40, which had no checks', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, ledger());
  db.exec(`INSERT INTO runs (id, operation, connection_id, connection_name, base_url, model, status,
      created_at, preview, request, extra_body, seq)
    VALUES ('run-1', 'chat', 'demo', 'Demo', '', 'demo-story', 'succeeded', 1, '', '{}', '{}', 0)`);
  migrate(db, ledgerSchema);
  const runs = db.prepare('SELECT id, check_id FROM runs INDEXED BY runs_by_time').all();
  expect(runs).toEqual([{ id: 'run-1', check_id: null }]);
  expect(db.prepare('SELECT count(*) AS count FROM checks').get()).toEqual({ count: 0 });
  db.close();
});

test('rolls back a migration that fails', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, ledger());
  const version = () => db.prepare('PRAGMA user_version').get()?.user_version;
  const before = version();
  expect(() =>
    migrate(db, ledger('CREATE TABLE notes (id TEXT); SELECT nothing FROM nowhere')),
  ).toThrow();
  expect(version()).toBe(before);
  expect(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'notes'").get()).toBeUndefined();
  db.close();
});

test('renames a ledger of an unknown older version and shows a notice', async () => {
  const home = temporaryFolder();
  const first = openTestStorage(home);
  createLedger(first).createRun(testRun({ id: 'a' }));
  await first.close();
  const old = new DatabaseSync(join(home, 'ledger.sqlite'));
  old.exec('PRAGMA user_version = 23');
  old.close();

  const storage = openTestStorage(home);
  const name = 'ledger-old-2023-11-14T22-13-20-000Z.sqlite';
  expect(storage.notices).toMatchObject([{ id: 'ledger-old', level: 'warning' }]);
  expect(storage.notices[0]?.message).toContain(name);
  expect(createLedger(storage).run('a')).toBeNull();
  const kept = new DatabaseSync(join(home, name), { readOnly: true });
  expect(kept.prepare('SELECT id FROM runs').all()).toEqual([{ id: 'a' }]);
  kept.close();
});

test('rejects a ledger of a newer version and doesn’t change it', async () => {
  const home = temporaryFolder();
  await openTestStorage(home).close();
  const db = new DatabaseSync(join(home, 'ledger.sqlite'));
  db.exec('PRAGMA user_version = 99');
  db.close();
  const open = () => openStorage({ home, now });
  expect(open).toThrow(UserFacingError);
  expect(open).toThrow('newer version of Gatehouse (schema 99');
  expect(readdirSync(home).some((name) => name.includes('damaged'))).toBe(false);
});

test.each([
  ['a file that is not a database', () => Buffer.from('this is not a database. '.repeat(300))],
  [
    'a database with a page overwritten',
    (whole: Buffer) => Buffer.from(whole).fill(0xa5, 4096, whole.length - 4096),
  ],
  ['a truncated database', (whole: Buffer) => whole.subarray(0, 4096 * 3)],
])('renames %s and creates a new ledger, with a notice', async (_name, damage) => {
  const home = temporaryFolder();
  await openTestStorage(home).close();
  const path = join(home, 'ledger.sqlite');
  const bytes = damage(readFileSync(path));
  writeFileSync(path, bytes);
  const storage = openTestStorage(home);
  const name = 'ledger-damaged-2023-11-14T22-13-20-000Z.sqlite';
  expect(storage.inMemory).toBe(false);
  expect(storage.notices).toMatchObject([{ id: 'ledger-damaged', level: 'warning' }]);
  expect(storage.notices[0]?.message).toContain(name);
  expect(readFileSync(join(home, name))).toHaveLength(bytes.length);
  createLedger(storage).createRun(testRun({ id: 'a' }));
});

test.each([
  ['closed', false],
  ['killed', true],
])('checks the whole ledger only if it was not closed: %s', async (how, isFound) => {
  const home = temporaryFolder();
  const first = openTestStorage(home);
  const ledger = createLedger(first);
  for (const id of ['a', 'b', 'c']) {
    ledger.createRun(testRun({ id, request: { prompt: `needle ${'x'.repeat(20_000)}` } }));
  }
  await first.close();
  const path = join(home, 'ledger.sqlite');
  if (how === 'killed') {
    const file = new DatabaseSync(path);
    file.exec('UPDATE file_state SET closed = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    file.close();
  }
  const bytes = readFileSync(path);
  // The damaged row isn't read at start.
  bytes.fill(0xff, bytes.lastIndexOf('needle') - 4, bytes.lastIndexOf('needle'));
  const page = Math.floor(bytes.lastIndexOf('needle') / 4096) * 4096;
  bytes.fill(0xa5, page, page + 40);
  writeFileSync(path, bytes);
  const { notices } = openTestStorage(home);
  expect(notices.some(({ id }) => id === 'ledger-damaged')).toBe(isFound);
});

test('ignores free pages when it decides whether to check a file', () => {
  const file = new DatabaseSync(':memory:');
  file.exec('CREATE TABLE large (body BLOB); INSERT INTO large VALUES (zeroblob(140000000))');
  expect(isSmallEnoughToCheck(file)).toBe(false);
  file.exec('DELETE FROM large');
  expect(isSmallEnoughToCheck(file)).toBe(true);
  file.close();
});

test('keeps two damaged ledgers', async () => {
  const home = temporaryFolder();
  for (let times = 0; times < 2; times += 1) {
    writeFileSync(join(home, 'ledger.sqlite'), 'x'.repeat(5000));
    await openTestStorage(home).close();
  }
  const aside = readdirSync(home).filter((name) => name.startsWith('ledger-damaged'));
  expect(aside).toHaveLength(2);
});

test('runs in memory, with a notice, if the folder can’t be created', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const storage = openTestStorage(join(file, 'home'));
  expect(storage.inMemory).toBe(true);
  expect(storage.notices).toMatchObject([{ id: 'storage-in-memory', level: 'danger' }]);
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a' }));
  expect(ledger.run('a')).not.toBeNull();
});

test('runs in memory if the ledger can’t be opened', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'ledger.sqlite'));
  const storage = openTestStorage(home);
  expect(storage.inMemory).toBe(true);
});

test('runs in memory if the disk is not writable', () => {
  // A limit on the process's file size makes every write fail, as on a full disk.
  const home = temporaryFolder();
  const script = join(import.meta.dirname, '../fixtures/open-and-record.ts');
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', 'trap "" XFSZ; ulimit -f 0; exec "$0" "$1" "$2" 2>&1 | cat', 'node', script, home],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    inMemory: true,
    recorded: true,
    notices: [{ id: 'storage-in-memory', level: 'danger' }],
  });
});

test('reports each notice once, including to later listeners', () => {
  const storage = openTestStorage();
  const heard: string[] = [];
  storage.onNotice(({ id }) => heard.push(id));
  const notice = { id: 'x', level: 'info', message: 'm', nextStep: 'n' } as const;
  storage.warn(notice);
  storage.warn(notice);
  expect(heard).toEqual(['x']);
  expect(storage.notices).toEqual([notice]);
});

test('rolls back inner and outer writes', () => {
  const { db } = openTestStorage();
  const add = (name: string) => db.sql("INSERT INTO settings VALUES (?, '1')").run(name);
  const failing = (name: string) => () => {
    add(name);
    throw new Error('no');
  };
  db.write(() => {
    add('kept');
    expect(() => db.write(failing('inner'))).toThrow('no');
  });
  expect(() => db.write(failing('outer'))).toThrow('no');
  expect(db.sql('SELECT name FROM settings').all()).toMatchObject([{ name: 'kept' }]);
});
