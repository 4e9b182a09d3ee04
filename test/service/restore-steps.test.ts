import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finishRestore } from '../../electron/backup/restore-folders.ts';
import type { Services } from '../../electron/services.ts';
import type { Notice } from '../../shared/contract/system.ts';
import { checkBackup, makeBackup } from '../fixtures/backups.ts';
import { crashAfter, stopDeletions } from '../fixtures/crashing-disk.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { pixel } from '../fixtures/pixel.ts';
import { removeFolder } from '../fixtures/remove-folder.ts';
import { startTestServices } from '../fixtures/test-services.ts';

/** Holds the user's own data, with a restore that waits for the next start. */
let template: string;
let backup: Buffer;
let services: Services;
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  const from = await startTestServices({ home: join(template, 'other'), atEnd: () => undefined });
  await fill(from, 'From the backup');
  backup = await makeBackup(from);
  await from.close();
  services = await startTestServices({ home: join(template, 'own'), atEnd: () => undefined });
  await fill(services, 'My own');
  services.backups.restore((await checkBackup(services, backup)).id);
  await services.close();
});
afterAll(() => removeFolder(template));

async function fill({ conversations, media }: Services, title: string): Promise<void> {
  conversations.update(conversations.create().id, { title });
  const writer = media.begin({ name: title, declaredType: 'image/png', role: 'upload' });
  await writer.write(Buffer.concat([pixel, Buffer.from(title)]));
  await writer.finish();
}

function copyHome(from = join(template, 'own')): string {
  const home = join(temporaryFolder(), 'home');
  cpSync(from, home, { recursive: true, preserveTimestamps: true });
  return home;
}

const ready = (home: string) => join(home, 'restore', 'ready');

/** Returns whose data the folder holds; throws if a file is missing. */
function readOwner(home: string): string {
  const db = new DatabaseSync(join(home, 'ledger.sqlite'));
  const title = String(db.prepare('SELECT title FROM conversations').get()?.title);
  const files = db.prepare('SELECT hash, name FROM media').all();
  db.close();
  for (const { hash, name } of files) {
    expect(name).toBe(title);
    expect(readFileSync(join(home, 'media', String(hash))).toString()).toContain(title);
  }
  return title;
}

function start(home: string): Notice[] {
  const notices: Notice[] = [];
  finishRestore(home, (notice) => notices.push(notice));
  return notices;
}

/** Crashes after each change in turn, and returns what each next start found. */
function startAfterCrashes(from: string, work: (home: string) => void) {
  const found: { owner: string; notices: string[] }[] = [];
  for (let changes = 0, isOver = false; !isOver; changes += 1) {
    const home = copyHome(from);
    isOver = !crashAfter(changes, () => work(home));
    const notices = start(home).map(({ id }) => id);
    found.push({ owner: readOwner(home), notices });
    expect(existsSync(join(home, 'restore'))).toBe(false);
  }
  return found;
}

it('restores the whole backup, whichever change of the start was the last before a crash', () => {
  stopDeletions();
  const found = startAfterCrashes(join(template, 'own'), (home) => start(home));
  expect(found.length).toBeGreaterThan(5);
  expect(new Set(found.map(({ owner }) => owner))).toEqual(new Set(['From the backup']));
});

it('restores the user’s data after a crash at any change of a start whose restore fails', () => {
  stopDeletions();
  const home = copyHome();
  const ledger = join(ready(home), 'ledger.sqlite');
  // The file opens for reading, but not for writing.
  const db = new DatabaseSync(ledger);
  db.exec('ALTER TABLE file_state RENAME COLUMN closed TO cl0sed');
  db.close();
  // Copies keep whole seconds exactly, but not every fraction.
  utimesSync(ledger, 1_700_000_000, 1_700_000_000);
  const manifest = join(ready(home), 'manifest.json');
  const recorded: { files: { name: string }[] } = JSON.parse(readFileSync(manifest, 'utf8'));
  const { size, mtimeMs: modifiedMs } = statSync(ledger);
  const files = recorded.files.map((file) =>
    file.name === 'ledger.sqlite' ? { ...file, bytes: size, modifiedMs } : file,
  );
  writeFileSync(manifest, JSON.stringify({ ...recorded, files }));

  const found = startAfterCrashes(home, (copy) => start(copy));
  expect(found.length).toBeGreaterThan(8);
  expect(new Set(found.map(({ owner }) => owner))).toEqual(new Set(['My own']));
  expect(found.flatMap(({ notices }) => notices)).not.toContain('restored');
});

describe('a crash while a waiting restore is', () => {
  it.each(['canceled', 'replaced'] as const)(
    '%s loses no data, and restores a whole backup or none',
    async (what) => {
      stopDeletions();
      for (let changes = 0, isOver = false; !isOver; changes += 1) {
        const home = copyHome();
        const running = await startWaiting(home);
        const next = what === 'replaced' ? await checkBackup(running, backup) : null;
        isOver = !crashAfter(changes, () => {
          if (next === null) running.backups.discard();
          else running.backups.restore(next.id);
        });
        await running.close();
        const hasReady = existsSync(ready(home));
        const notices = start(home).map(({ id }) => id);
        expect(notices).toEqual(hasReady ? ['restored'] : []);
        expect(readOwner(home)).toBe(hasReady ? 'From the backup' : 'My own');
      }
    },
  );
});

/** Starts without finishing the restore, as the session that prepared it. */
async function startWaiting(home: string): Promise<Services> {
  renameSync(join(home, 'restore'), join(home, 'later'));
  const running = await startTestServices({ home });
  renameSync(join(home, 'later'), join(home, 'restore'));
  return running;
}

it.each<[string, (home: string) => void]>([
  [
    'an empty folder',
    (home) => {
      rmSync(ready(home), { recursive: true });
      mkdirSync(ready(home));
    },
  ],
  [
    'a file',
    (home) => {
      rmSync(ready(home), { recursive: true });
      writeFileSync(ready(home), '');
    },
  ],
  ['beside an empty “placing”', (home) => mkdirSync(join(home, 'restore', 'placing'))],
  ['without its list of files', (home) => rmSync(join(ready(home), 'manifest.json'))],
  ['without its media', (home) => rmSync(join(ready(home), 'media'), { recursive: true })],
  ['without its databases', (home) => removeDatabases(ready(home))],
  ['with an empty database', (home) => writeFileSync(join(ready(home), 'ledger.sqlite'), '')],
  [
    'with a changed file',
    (home) => {
      const [name = ''] = readdirSync(join(ready(home), 'media'));
      const path = join(ready(home), 'media', name);
      writeFileSync(path, Buffer.alloc(statSync(path).size));
    },
  ],
])('keeps the data, with a notice, if the pending restore is %s', (_name, change) => {
  const home = copyHome();
  change(home);
  expect(start(home)).toMatchObject([
    { id: 'restore-failed', nextStep: 'Your data is as it was before.' },
  ]);
  expect(readOwner(home)).toBe('My own');
  expect(existsSync(join(home, 'restore'))).toBe(false);
});

function removeDatabases(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.sqlite')) rmSync(join(folder, name));
  }
}

it('deletes what earlier deletions left', async () => {
  const home = copyHome();
  cpSync(ready(home), join(home, 'discarded-x'), { recursive: true });
  start(home);
  await expect
    .poll(() => readdirSync(home).filter((name) => name.startsWith('discarded-')))
    .toEqual([]);
});
