/** Takes a consistent copy of the database and journals, and lists all files with their checksums. */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { JOURNAL_FOLDER, LEDGER_NAME } from '../storage/file-names.ts';
import { type BackupFile, isNamedByHash } from './backup-manifest.ts';
import { hashFile } from './hash-file.ts';

export interface SnapshotJob {
  kind: 'snapshot';
  home: string;
  /** An empty folder for the copies. */
  folder: string;
}

type OnProgress = (doneBytes: number, totalBytes: number) => void;

const READ_BYTES = 1024 * 1024;

/** Call this in a thread, because copying and hashing block. */
export function takeSnapshot({ home, folder }: SnapshotJob, onProgress: OnProgress): BackupFile[] {
  // Journals follow the ledger: a run that is unfinished in the copy may have more events, but
  // never fewer. The main process packs and removes none meanwhile.
  copyDatabase(join(home, LEDGER_NAME), join(folder, LEDGER_NAME));
  const journals = copyJournals(home, folder);
  const wanted = [
    ...[LEDGER_NAME, ...journals].map((name) => ({ name, path: join(folder, name) })),
    ...listHashes(join(folder, LEDGER_NAME)).map((hash) => ({
      name: `media/${hash}`,
      path: join(home, 'media', hash),
    })),
  ].flatMap((file) => {
    const bytes = statSync(file.path, { throwIfNoEntry: false })?.size;
    return bytes === undefined ? [] : { ...file, bytes };
  });
  const totalBytes = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  let doneBytes = 0;
  const hashed = wanted.map(({ name, path, bytes }) => ({
    name,
    bytes,
    sha256: hashFile(path, (read) => {
      doneBytes += read;
      onProgress(doneBytes, totalBytes);
    }),
  }));
  // A damaged media file would make the whole backup invalid.
  return hashed.filter(isNamedByHash);
}

/** Uses VACUUM, because a plain copy would contain the remains of deleted rows. */
function copyDatabase(from: string, to: string): void {
  const db = new DatabaseSync(from, { timeout: 5000 });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}

/** Copies the journals of runs in the copied ledger, to their last whole line. */
function copyJournals(home: string, folder: string): string[] {
  const from = join(home, JOURNAL_FOLDER);
  if (!existsSync(from)) return [];
  mkdirSync(join(folder, JOURNAL_FOLDER), { mode: 0o700 });
  const db = new DatabaseSync(join(folder, LEDGER_NAME), { readOnly: true });
  try {
    const find = db.prepare('SELECT 1 FROM runs WHERE id = ? AND deleted_at IS NOT 0');
    return readdirSync(from).flatMap((name) => {
      const isKnown = name.endsWith('.ndjson') && find.get(name.slice(0, -7)) !== undefined;
      if (!isKnown) return [];
      const target = `${JOURNAL_FOLDER}/${name}`;
      return copyWholeLines(join(from, name), join(folder, target)) ? [target] : [];
    });
  } finally {
    db.close();
  }
}

/** Returns false if the file has no line, or is gone because its run was deleted. */
function copyWholeLines(from: string, to: string): boolean {
  if (!existsSync(from)) return false;
  const [source, copy] = [openSync(from, 'r'), openSync(to, 'wx', 0o600)];
  try {
    const buffer = Buffer.alloc(READ_BYTES);
    let wholeBytes = 0;
    let at = 0;
    for (let left = fstatSync(source).size; left > 0; left = left - READ_BYTES) {
      const bytes = readSync(source, buffer, 0, Math.min(READ_BYTES, left), at);
      // A failed write may have been cut off the file meanwhile.
      if (bytes === 0) break;
      writeSync(copy, buffer, 0, bytes);
      const end = buffer.lastIndexOf('\n', bytes - 1);
      if (end !== -1) wholeBytes = at + end + 1;
      at += bytes;
    }
    ftruncateSync(copy, wholeBytes);
    return wholeBytes > 0;
  } finally {
    closeSync(source);
    closeSync(copy);
  }
}

/** Lists the media that a ledger shows. */
export function listHashes(ledger: string): string[] {
  const db = new DatabaseSync(ledger, { readOnly: true });
  try {
    return db
      .prepare('SELECT DISTINCT hash FROM media WHERE hash IS NOT NULL AND deleted_at IS NULL')
      .all()
      .map(({ hash }) => String(hash));
  } finally {
    db.close();
  }
}
