/** Manages the media folder: `<hash>`, `<hash>.peaks`, and `incoming/` for incomplete files. */
import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { toStorageError } from '../storage/storage-error.ts';

/** Free space to leave for the database and other programs. */
const RESERVE_BYTES = 64 * 1024 * 1024;

export interface MediaFiles {
  /** Returns the path of an incomplete item. */
  incoming(id: string): string;
  getStoredPath(hash: string): string;
  /** Returns the path of the file's peaks, whether or not they exist. */
  peaks(hash: string): string;
  /** Renames an incoming file to its hash, or deletes it if that file already exists. */
  adopt(id: string, hash: string): void;
  /** Deletes an incoming file; ignores a missing one. */
  dropIncoming(id: string): void;
  /** Deletes a stored file and its peaks; ignores missing ones. */
  dropStored(hash: string): void;
  incomingFiles(): { id: string; sizeBytes: number }[];
  /** Throws a `UserFacingError` if the disk is full. */
  requireRoom(sizeBytes: number): void;
}

export function createMediaFiles(folder: string): MediaFiles {
  const incomingFolder = join(folder, 'incoming');
  createFolder(folder);
  createFolder(incomingFolder);

  const incoming = (id: string) => join(incomingFolder, id);
  const getStoredPath = (hash: string) => join(folder, hash);
  const peaks = (hash: string) => join(folder, `${hash}.peaks`);

  return {
    incoming,
    getStoredPath,
    peaks,
    adopt(id: string, hash: string): void {
      const there = statSync(getStoredPath(hash), { throwIfNoEntry: false });
      // The existing file may have been truncated by a disk error.
      if (there?.size === statSync(incoming(id)).size) rmSync(incoming(id), { force: true });
      else renameSync(incoming(id), getStoredPath(hash));
    },
    dropIncoming: (id: string) => rmSync(incoming(id), { force: true }),
    dropStored(hash: string): void {
      // A crash may have left temporary files behind.
      for (const ending of ['', '.new', '.page'])
        rmSync(`${peaks(hash)}${ending}`, { force: true });
      rmSync(getStoredPath(hash), { force: true });
    },
    incomingFiles: () =>
      readdirSync(incomingFolder).map((id) => ({ id, sizeBytes: statSync(incoming(id)).size })),
    requireRoom(sizeBytes: number): void {
      const { bavail, bsize } = statfsSync(folder);
      const freeBytes = bavail * bsize - RESERVE_BYTES;
      if (sizeBytes > freeBytes)
        throw new UserFacingError(createNoRoomError(sizeBytes, Math.max(0, freeBytes)));
    },
  };
}

function createFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new UserFacingError(toStorageError(cause, `The folder ${path} can’t be used`));
  }
}

/** Returns a `UserFacingError` as is. */
export function toMediaError(cause: unknown): UserFacingError {
  if (cause instanceof UserFacingError) return cause;
  return new UserFacingError(toStorageError(cause, 'The file couldn’t be stored'));
}

function createNoRoomError(sizeBytes: number, freeBytes: number) {
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
  return appError(
    'file',
    `Not enough disk space. This file needs ${megabytes(sizeBytes)}; ${megabytes(freeBytes)} is free.`,
    'Free some space on the disk that holds the data folder, then try again.',
  );
}
