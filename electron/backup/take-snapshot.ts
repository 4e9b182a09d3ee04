/** Takes a consistent copy of the databases, and lists all files with their checksums. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type BackupFile, isNamedByHash } from './backup-manifest.ts';
import { FRAMES_NAME, LEDGER_NAME } from './backup-names.ts';
import { hashFile } from './hash-file.ts';

export interface SnapshotJob {
  kind: 'snapshot';
  home: string;
  /** An empty folder for the copies. */
  folder: string;
}

type OnProgress = (doneBytes: number, totalBytes: number) => void;

/** Call this in a thread, because copying and hashing block. */
export function takeSnapshot({ home, folder }: SnapshotJob, onProgress: OnProgress): BackupFile[] {
  const databases = [LEDGER_NAME, FRAMES_NAME];
  for (const name of databases) copyDatabase(join(home, name), join(folder, name));
  const wanted = [
    ...databases.map((name) => ({ name, path: join(folder, name) })),
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
