/** Where media lie: `<folder>/<hash>`, what still arrives in `incoming/`, outlines beside the file. */
import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { storageError } from '../storage/storage-error.ts';

export interface MediaFiles {
  incoming(id: string): string;
  stored(hash: string): string;
  peaks(hash: string): string;
  /** Gives an incoming file its content's name, or drops it where that content is there. */
  adopt(id: string, hash: string): void;
  dropIncoming(id: string): void;
  dropStored(hash: string): void;
  /** Ids that still lie in `incoming/`, with their sizes. */
  incomingFiles(): { id: string; sizeBytes: number }[];
  /** Throws a `UserFacingError` if the disk has no room for so much. */
  requireRoom(sizeBytes: number): void;
}

/** Left free for the ledger and for everybody else. */
const RESERVE_BYTES = 64 * 1024 * 1024;

export function createMediaFiles(folder: string): MediaFiles {
  const incomingFolder = join(folder, 'incoming');
  mkdirSync(incomingFolder, { recursive: true, mode: 0o700 });

  const incoming = (id: string) => join(incomingFolder, id);
  const stored = (hash: string) => join(folder, hash);
  const peaks = (hash: string) => join(folder, `${hash}.peaks`);

  return {
    incoming,
    stored,
    peaks,
    adopt(id, hash) {
      const there = statSync(stored(hash), { throwIfNoEntry: false });
      // One that a disk error cut short is replaced.
      if (there?.size === statSync(incoming(id)).size) rmSync(incoming(id), { force: true });
      else renameSync(incoming(id), stored(hash));
    },
    dropIncoming: (id) => rmSync(incoming(id), { force: true }),
    dropStored(hash) {
      // Half-written outlines too: main may have ended in the middle of one.
      for (const ending of ['', '.new', '.page'])
        rmSync(`${peaks(hash)}${ending}`, { force: true });
      rmSync(stored(hash), { force: true });
    },
    incomingFiles: () =>
      readdirSync(incomingFolder).map((id) => ({ id, sizeBytes: statSync(incoming(id)).size })),
    requireRoom(sizeBytes) {
      const { bavail, bsize } = statfsSync(folder);
      const freeBytes = bavail * bsize - RESERVE_BYTES;
      if (sizeBytes > freeBytes)
        throw new UserFacingError(noRoom(sizeBytes, Math.max(0, freeBytes)));
    },
  };
}

/** Trouble with the disk, in words; a `UserFacingError` stays what it is. */
export function mediaFailure(cause: unknown): UserFacingError {
  if (cause instanceof UserFacingError) return cause;
  return new UserFacingError(storageError(cause, 'The file could not be stored'));
}

function noRoom(sizeBytes: number, freeBytes: number) {
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
  return appError(
    'file',
    `Not enough disk space: this file needs ${megabytes(sizeBytes)}, but only ${megabytes(freeBytes)} is free.`,
    'Free some space on the disk that holds the data folder, then try again.',
    {},
  );
}
