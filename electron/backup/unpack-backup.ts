/** Unpacks a backup into a folder; rejects anything that Gatehouse wouldn't have written. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DataContents } from '../../shared/contract/backups.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { JOURNAL_FOLDER, LEDGER_NAME } from '../storage/file-names.ts';
import type { BackupFile, Manifest } from './backup-manifest.ts';
import { createBackupError, INCOMPLETE } from './backup-names.ts';
import { checkDatabases } from './check-databases.ts';
import { cleanLedger } from './clean-ledger.ts';
import { listHashes } from './take-snapshot.ts';
import { getPaddedSize, readTarHeader, TAR_BLOCK_BYTES, type TarHeader } from './tar-file.ts';
import { recordVerified } from './verified-files.ts';

export interface UnpackJob {
  kind: 'unpack';
  path: string;
  manifest: Manifest;
  /** Where the files after the manifest begin. */
  nextAt: number;
  /** An empty folder, which the caller deletes if this fails. */
  folder: string;
}

type OnProgress = (doneBytes: number, totalBytes: number) => void;

const READ_BYTES = 1024 * 1024;
/** Free space to leave for the databases and other programs. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** Call this in a thread, because it blocks; throws a `UserFacingError` that names the problem. */
export function unpackBackup(
  { path, manifest, nextAt, folder }: UnpackJob,
  onProgress: OnProgress,
): DataContents {
  const { files } = manifest;
  const file = openSync(path, 'r');
  try {
    const sizeBytes = fstatSync(file).size;
    const reader = createReader(file, nextAt, (doneBytes) => onProgress(doneBytes, sizeBytes));
    const needed = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const { bavail, bsize } = statfsSync(folder);
    if (needed > bavail * bsize - RESERVE_BYTES) throw new UserFacingError(noRoom);
    for (const name of ['media', JOURNAL_FOLDER]) mkdirSync(join(folder, name), { mode: 0o700 });
    for (const entry of files) unpackFile(reader, entry, folder);
    if (readHeader(reader) !== null || reader.position() + TAR_BLOCK_BYTES !== sizeBytes) {
      throw createBackupError('The backup has more files than it lists.');
    }
    const contents = checkDatabases(folder);
    requireShownMedia(files, folder);
    cleanLedger(folder);
    recordVerified(folder, manifest);
    return contents;
  } finally {
    closeSync(file);
  }
}

/** Rejects other media files, because nothing would ever delete them. */
function requireShownMedia(files: readonly BackupFile[], folder: string): void {
  const hashes = new Set(listHashes(join(folder, LEDGER_NAME)));
  const other = files.find(({ name }) => name.startsWith('media/') && !hashes.has(name.slice(6)));
  if (other !== undefined)
    throw createBackupError(`The backup doesn’t use its file ${other.name}.`);
}

interface Reader {
  position(): number;
  /** Returns a view that the next call overwrites; throws at the end of the file. */
  read(maxBytes: number): Buffer;
}

function createReader(file: number, from: number, onRead: (position: number) => void): Reader {
  const buffer = Buffer.alloc(READ_BYTES);
  let position = from;
  return {
    position: () => position,
    read(maxBytes: number): Buffer {
      const length = Math.min(maxBytes, buffer.length);
      const bytes = readSync(file, buffer, 0, length, position);
      if (bytes === 0) throw createBackupError(INCOMPLETE);
      position += bytes;
      onRead(position);
      return buffer.subarray(0, bytes);
    },
  };
}

function readExactly(reader: Reader, sizeBytes: number): Buffer {
  const whole = Buffer.alloc(sizeBytes);
  for (let at = 0; at < sizeBytes; ) at += reader.read(sizeBytes - at).copy(whole, at);
  return whole;
}

/** Returns null at the end of the archive. */
function readHeader(reader: Reader): TarHeader | null {
  const block = readExactly(reader, TAR_BLOCK_BYTES);
  try {
    return readTarHeader(block);
  } catch {
    throw createBackupError('The backup is damaged.');
  }
}

/** Writes only to the path of the listed file, even if the archive has another path. */
function unpackFile(reader: Reader, entry: BackupFile, folder: string): void {
  const header = readHeader(reader);
  if (header === null) throw createBackupError(INCOMPLETE);
  if (!header.isFile) {
    throw createBackupError(`The backup contains a link or a folder: “${shorten(header.name)}”.`);
  }
  if (header.name !== entry.name || header.sizeBytes !== entry.bytes) {
    throw createBackupError(
      `The backup contains a file that it doesn’t list: “${shorten(header.name)}”.`,
    );
  }
  const hash = createHash('sha256');
  const file = openSync(join(folder, entry.name), 'wx', 0o600);
  try {
    for (let left = entry.bytes; left > 0; ) {
      const bytes = reader.read(left);
      hash.update(bytes);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      left -= bytes.length;
    }
  } finally {
    closeSync(file);
  }
  skipPadding(reader, entry.bytes);
  if (hash.digest('hex') !== entry.sha256) {
    throw createBackupError(`The backup is damaged: the checksum of ${entry.name} is wrong.`);
  }
}

function skipPadding(reader: Reader, sizeBytes: number): void {
  const padding = getPaddedSize(sizeBytes) - sizeBytes;
  if (padding > 0) readExactly(reader, padding);
}

function shorten(name: string): string {
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}

const noRoom = appError(
  'file',
  'Not enough disk space to unpack the backup.',
  'Nothing was changed. Free some space on the disk that holds the data folder, then try again.',
);
