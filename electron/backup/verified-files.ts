/** Records that an unpacked backup is whole and on disk, and checks at start that it still is. */
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { parseJson } from '../../shared/parse-json.ts';
import { LEDGER_NAME } from '../storage/file-names.ts';
import { ledgerSchema } from '../storage/ledger-file.ts';
import { backupFileSchema, type Manifest, manifestSchema } from './backup-manifest.ts';
import { MANIFEST_NAME } from './backup-names.ts';
import { hashFile } from './hash-file.ts';

const verifiedFileSchema = backupFileSchema.extend({
  /** When the file was last changed; a file with a different time is read again. */
  modifiedMs: z.number(),
});
const verifiedFilesSchema = z.object({
  /** When the backup was made. */
  createdAt: manifestSchema.shape.createdAt,
  files: z.array(verifiedFileSchema),
});
export type VerifiedFiles = z.infer<typeof verifiedFilesSchema>;

/**
 * Call this in a thread once every file was checked. Writes the list only after all files are on
 * disk, so that a folder with a list is whole even after a power failure.
 */
export function recordVerified(
  folder: string,
  { createdAt, files }: Pick<Manifest, 'createdAt' | 'files'>,
): void {
  const verified = files.map((file) => {
    const path = join(folder, file.name);
    syncFile(path);
    const { size, mtimeMs } = statSync(path);
    // Checking a database changes it, so its checksum in the backup no longer applies.
    const sha256 = isMedia(file.name) ? file.sha256 : hashFile(path);
    return { name: file.name, bytes: size, sha256, modifiedMs: mtimeMs };
  });
  for (const name of new Set(files.map((file) => dirname(join(folder, file.name))))) {
    syncFolder(name);
  }
  const list = join(folder, MANIFEST_NAME);
  const content: VerifiedFiles = { createdAt, files: verified };
  writeFileSync(list, JSON.stringify(content), { mode: 0o600, flush: true });
  syncFolder(folder);
}

/** Throws if the list is missing: it is written last, so the restore is incomplete. */
export function readVerified(folder: string): VerifiedFiles {
  const { data } = verifiedFilesSchema.safeParse(readList(folder));
  if (data === undefined) throw new Error('Its list of files is missing or isn’t valid.');
  if (!data.files.some(({ name }) => name === LEDGER_NAME)) {
    throw new Error('It has no database.');
  }
  return data;
}

export function readCreation(folder: string): { createdAt: number } | null {
  return verifiedFilesSchema.pick({ createdAt: true }).safeParse(readList(folder)).data ?? null;
}

function readList(folder: string): unknown {
  try {
    return parseJson(readFileSync(join(folder, MANIFEST_NAME), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Throws if a file is missing or was changed, or if this version can't open the ledger. Reads only
 * files whose size or time differs from the list, because reading all would take minutes.
 */
export function requireUnchanged(folder: string, { files }: VerifiedFiles): void {
  for (const { name, bytes, sha256, modifiedMs } of files) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) throw new Error(`Its file ${name} is missing.`);
    if (stats.size !== bytes) throw new Error(`Its file ${name} isn’t complete.`);
    if (stats.mtimeMs !== modifiedMs && hashFile(path) !== sha256) {
      throw new Error(`Its file ${name} was changed.`);
    }
  }
  requireLedger(join(folder, LEDGER_NAME));
}

/**
 * Compares sizes, except those of databases, which may have been opened since they were recorded.
 */
export function requirePresent(folder: string, { files }: VerifiedFiles): void {
  for (const { name, bytes } of files) {
    const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    const isThere = isMedia(name) ? size === bytes : size > 0;
    if (!isThere) throw new Error(`Its file ${name} is missing.`);
  }
}

const isMedia = (name: string) => name.startsWith('media/');

/** Opens the file as immutable; otherwise, SQLite would create files next to it. */
function requireLedger(path: string): void {
  const url = pathToFileURL(path);
  url.search = '?immutable=1';
  const db = new DatabaseSync(url, { readOnly: true });
  try {
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    const { version: first, migrations } = ledgerSchema;
    const isKnown = version >= first && version <= first + migrations.length;
    if (!isKnown) throw new Error(`Its database has version ${version}.`);
    if (db.prepare('SELECT 1 FROM file_state').get() === undefined) {
      throw new Error('Its database is empty.');
    }
  } finally {
    db.close();
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes renames and new files in the folder durable; Windows does so by itself. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
