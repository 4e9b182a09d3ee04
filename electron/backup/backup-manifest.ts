/** Reads the first file of a backup, which lists all others with their checksums. */
import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from '../../shared/parse-json.ts';
import { createValueCounter } from '../base/count-json-values.ts';
import { LEDGER_NAME } from '../storage/file-names.ts';
import {
  CHOOSE_ANOTHER_BACKUP,
  createBackupError,
  INCOMPLETE,
  MANIFEST_NAME,
  NOT_A_BACKUP,
} from './backup-names.ts';
import {
  getPaddedSize,
  readTarHeader,
  TAR_BLOCK_BYTES,
  TAR_END_BYTES,
  type TarHeader,
} from './tar-file.ts';

export const BACKUP_FORMAT = 'gatehouse-backup';
/** Version 1 had streams in a second database and was never released. */
export const BACKUP_VERSION = 2;

/** Enough for about 150,000 files; parsing more would block the main process for too long. */
const MAX_MANIFEST_BYTES = 32 * 1024 * 1024;
/** A valid list of that size has fewer values; more would only exhaust memory. */
const MAX_MANIFEST_VALUES = 2_000_000;

export const backupFileSchema = z.object({
  name: z.union([
    z.literal(LEDGER_NAME),
    z.string().regex(/^journal\/[\w-]{1,64}\.ndjson$/),
    z.string().regex(/^media\/[0-9a-f]{64}$/),
  ]),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type BackupFile = z.infer<typeof backupFileSchema>;

/** Returns false if a media file's name isn't its hash, because it could replace another file. */
export function isNamedByHash({ name, sha256 }: BackupFile): boolean {
  return !name.startsWith('media/') || name === `media/${sha256}`;
}

/** The last moment that a `Date` can hold. */
const MAX_DATE_MS = 8.64e15;

const headSchema = z.object({ format: z.literal(BACKUP_FORMAT), version: z.number() });

export const manifestSchema = headSchema.extend({
  version: z.literal(BACKUP_VERSION),
  appVersion: z.string().max(40),
  createdAt: z.number().min(0).max(MAX_DATE_MS),
  /** In archive order, with the database first. */
  files: z
    .array(backupFileSchema)
    .refine((files) => files.every(isNamedByHash), 'A media file isn’t named by its checksum.')
    .refine(
      (files) => new Set(files.map(({ name }) => name)).size === files.length,
      'A file is listed twice.',
    )
    .refine(([first]) => first?.name === LEDGER_NAME, 'The database is missing.'),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Returns the manifest and the offset of the next file; throws a `UserFacingError`. */
export async function readManifest(path: string): Promise<{ manifest: Manifest; nextAt: number }> {
  const file = await open(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle): Promise<{ manifest: Manifest; nextAt: number }> {
  const archiveBytes = (await file.stat()).size;
  const header = readHeader(await readBytes(file, 0, TAR_BLOCK_BYTES));
  const { isFile, name, sizeBytes } = header ?? { isFile: false, name: '', sizeBytes: 0 };
  if (!isFile || name !== MANIFEST_NAME || sizeBytes > MAX_MANIFEST_BYTES) throw notABackup();
  const bytes = await readBytes(file, TAR_BLOCK_BYTES, sizeBytes);
  if (createValueCounter()(bytes) > MAX_MANIFEST_VALUES) throw notABackup();
  const json = parseJson(bytes.toString('utf8'));
  const head = headSchema.safeParse(json).data;
  if (head === undefined) throw notABackup();
  if (head.version > BACKUP_VERSION) {
    throw createBackupError(
      'The backup was made by a newer version of Gatehouse.',
      'Nothing was changed. Update Gatehouse, then try again.',
    );
  }
  if (head.version < BACKUP_VERSION) {
    throw createBackupError(
      'The backup was made by an earlier version of Gatehouse.',
      'Nothing was changed. Restore it with the version of Gatehouse that made it.',
    );
  }
  const manifest = manifestSchema.safeParse(json).data;
  if (manifest === undefined) {
    throw createBackupError('The list of files in the backup isn’t valid.');
  }
  const nextAt = TAR_BLOCK_BYTES + getPaddedSize(sizeBytes);
  const listedBytes = manifest.files.reduce(
    (sum, { bytes }) => sum + TAR_BLOCK_BYTES + getPaddedSize(bytes),
    nextAt + TAR_END_BYTES,
  );
  if (listedBytes > archiveBytes) throw createBackupError(INCOMPLETE);
  return { manifest, nextAt };
}

function readHeader(block: Buffer): TarHeader | null {
  try {
    return readTarHeader(block);
  } catch {
    throw notABackup();
  }
}

async function readBytes(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, from);
  if (bytesRead < length) throw createBackupError(INCOMPLETE);
  return bytes;
}

const notABackup = () => createBackupError(NOT_A_BACKUP, CHOOSE_ANOTHER_BACKUP);
