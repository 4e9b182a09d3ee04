/** Stores media files once per content hash, each under a random ID. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { LibraryItem, Media, MediaQuery, MediaRole } from '../../shared/media.ts';
import { NPY_TYPE } from '../../shared/operations/embeddings/npy.ts';
import type { WavShape } from '../../shared/wav.ts';
import type { Database } from '../storage/database-access.ts';
import type { Deletions } from '../storage/deletions.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { type Measurement, unmeasured } from './measure-media.ts';
import { createMediaFiles, toMediaError } from './media-files.ts';
import { appendNumber, keepExtension, sanitizeFileName } from './media-name.ts';
import { createMediaRows, type StoredMedia } from './media-rows.ts';
import { createGrowingFile, createMediaWriter, type MediaWriter } from './media-writer.ts';
import { type Sniffed, sniffMedia, UNKNOWN_TYPE } from './sniff.ts';

export interface NewMedia {
  name: string | null;
  declaredType: string | null;
  role?: MediaRole;
  runId?: string | null;
  /** If set, a file that doesn't fit on the disk is rejected immediately. */
  sizeBytes?: number | null;
}

export interface MediaStoreOptions {
  db: Database;
  deletions: Pick<Deletions, 'softDelete' | 'onPurgeInSteps'>;
  folder: string;
  temporary: boolean;
  now: () => number;
  measure: (path: string, sniffed: Sniffed) => Promise<Measurement>;
  onChange: (id: string) => void;
  /** Called after a change of a file that belongs to a run. */
  onRunChange: (runId: string) => void;
}

/** A response may have thousands of files, but a process may open only a few hundred. */
const MAX_SAVED_AT_ONCE = 8;
/** Deleting this many files takes a few milliseconds. */
const PURGED_PER_STEP = 20;

/** Methods throw a `UserFacingError` on a full disk, an empty file or an unknown ID. */
export interface MediaStore {
  /** Creates a media item that `/media/<id>` serves while it is being written. */
  begin(media: NewMedia): MediaWriter;
  /** Runs `work`, which saves an item, after waiting while too many others are being saved. */
  saveInTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns null if the item doesn't exist; `complete` is false while it is being written. */
  get(id: string): Media | null;
  /** Returns null if the item doesn't exist. */
  getRole(id: string): MediaRole | null;
  /** Hides a complete item until the import that it belongs to is revealed. */
  hide(id: string, hiddenAt: number): void;
  /** Returns false if the item doesn't exist. */
  isOutput(id: string): boolean;
  /** Returns the run that made the item, or null if there is none. */
  getRunId(id: string): string | null;
  /** Lists complete items; `more` is true if others follow. */
  list(query: MediaQuery): { media: LibraryItem[]; more: boolean };
  /** Returns the name, or a numbered one such as `boat-2.png` if it is taken. */
  freeName(name: string): string;
  /** Returns the content of a complete item. */
  readBytes(id: string): Promise<Buffer>;
  /** Returns the path of a complete item, which must not be sent to the page. */
  path(id: string): string;
  /** Returns the path for the peaks of a complete item, whether or not they exist. */
  peaksPath(id: string): string;
  /** Returns null if the item is complete or doesn't exist. */
  writer(id: string): MediaWriter | null;
  /** Returns the file of an upload that isn't an item yet; `discard` deletes it. */
  takeUpload(id: string): { path: string; discard: () => Promise<void> };
  /** Counts the recordings that a page is still sending. */
  recordingCount(): number;
  /** Stops counting recordings whose page has closed, unless more bytes arrive. */
  leaveRecordings(): void;
  /**
   * Deletes the item and returns an ID for undo, or null if the item was incomplete or doesn't
   * exist.
   */
  discard(id: string): string | null;
  /** Preserves the extension, and adds a number if the name is taken. */
  rename(id: string, name: string): Media;
  /** Keeps the format of raw samples, whose file doesn't say it. */
  setShape(id: string, shape: WavShape): Media;
  /** Deletes the item without undo; ignores an unknown ID. */
  remove(id: string): void;
  /** Completes recordings and deletes other incomplete items; call this at startup. */
  recover(): Promise<void>;
  /** Leaves recordings for the next start and deletes other incomplete items. */
  close(): Promise<void>;
}

export function createMediaStore(options: MediaStoreOptions): MediaStore {
  const { folder, now, onChange } = options;
  const rows = createMediaRows(options.db);
  const files = createMediaFiles(folder);
  const writers = new Map<string, MediaWriter>();
  let lastCreatedAt = 0;

  options.deletions.onPurgeInSteps('media', (deletedAt) => {
    const hashes = rows.purge(deletedAt, PURGED_PER_STEP);
    // Throw if a file can't be removed, so that its row stays for the next purge.
    for (const hash of hashes) if (!rows.isUsed(hash)) files.dropStored(hash);
    return hashes.length === PURGED_PER_STEP;
  });

  const recordings = () => [...writers.values()].filter(({ role }) => role === 'recording');

  function forget(id: string): void {
    writers.delete(id);
    // Delete the file first, because a full disk has no space to delete the row.
    files.dropIncoming(id);
    rows.remove(id);
    onChange(id);
  }

  /** Saves the hash before the rename, so that `recover` can repair a crash in between. */
  function keep(media: Media, hash: string): void {
    // The user may have deleted the item while it was being measured.
    if (!writers.delete(media.id)) throw new UserFacingError(gone);
    rows.complete(media, hash);
    try {
      files.adopt(media.id, hash);
    } catch (cause) {
      rows.reopen(media.id);
      throw cause;
    }
    onChange(media.id);
  }

  function startWriter({ media, role }: StoredMedia, existingBytes: number): MediaWriter {
    const path = files.incoming(media.id);
    const writer = createMediaWriter({
      media,
      role,
      file: createGrowingFile(path, existingBytes),
      measure: (sniffed) => options.measure(path, sniffed),
      keep,
      forget: () => forget(media.id),
    });
    writers.set(media.id, writer);
    return writer;
  }

  function getHash(id: string): string {
    const stored = rows.get(id);
    if (stored === null) throw new UserFacingError(gone);
    if (stored.hash === null) throw new UserFacingError(stillArriving);
    return stored.hash;
  }

  /** Returns unique Unix milliseconds, so that the list preserves the creation order. */
  function laterThanLast(): number {
    const at = now();
    // A clock that was set back by more than a second isn't a tie.
    const isTie = at <= lastCreatedAt && lastCreatedAt - at < 1000;
    lastCreatedAt = isTie ? lastCreatedAt + 1 : at;
    return lastCreatedAt;
  }

  /**
   * Doubles the number until it is free, then bisects, because a run may have thousands of files.
   */
  function freeName(name: string, id: string | null): string {
    if (!rows.isNamed(name, id)) return name;
    const isTaken = (number: number) => rows.isNamed(appendNumber(name, number), id);
    let free = 2;
    while (isTaken(free)) free *= 2;
    for (let taken = free / 2; free - taken > 1; ) {
      const middle = Math.floor((taken + free) / 2);
      if (isTaken(middle)) taken = middle;
      else free = middle;
    }
    return appendNumber(name, free);
  }

  function remove(id: string): void {
    const stored = rows.get(id);
    if (stored === null) return;
    writers.get(id)?.file.breakOff();
    forget(id);
    if (stored.hash !== null && !rows.isUsed(stored.hash)) files.dropStored(stored.hash);
  }

  return {
    begin({
      name,
      declaredType,
      role = 'output',
      runId = null,
      sizeBytes = null,
    }: NewMedia): MediaWriter {
      try {
        if (sizeBytes !== null) files.requireRoom(sizeBytes);
        const id = randomBytes(16).toString('base64url');
        const media: Media = {
          id,
          kind: 'file',
          type: UNKNOWN_TYPE,
          declaredType,
          name: sanitizeFileName(name ?? '') || null,
          sizeBytes: 0,
          ...unmeasured,
          complete: false,
          createdAt: laterThanLast(),
        };
        const stored: StoredMedia = { media, role, runId, hash: null };
        rows.insert(stored);
        return startWriter(stored, 0);
      } catch (cause) {
        throw toMediaError(cause);
      }
    },

    saveInTurn: limitConcurrency(MAX_SAVED_AT_ONCE),

    get(id: string): Media | null {
      const file = writers.get(id)?.file;
      const media = rows.get(id)?.media ?? null;
      if (media === null || file === undefined) return media;
      const { sizeBytes, head } = file;
      return { ...media, ...sniffMedia(head, media.declaredType), sizeBytes };
    },
    getRole: (id: string) => rows.get(id)?.role ?? null,
    hide: (id: string, hiddenAt: number) => rows.hide(id, hiddenAt),
    isOutput: (id: string) => rows.get(id)?.role === 'output',
    getRunId: (id: string) => rows.get(id)?.runId ?? null,
    list: (query: MediaQuery) => rows.list(query),
    freeName: (name: string) => freeName(name, null),
    async readBytes(id: string): Promise<Buffer> {
      try {
        return await readFile(files.getStoredPath(getHash(id)));
      } catch (cause) {
        throw unreadable(cause);
      }
    },
    path: (id: string) => files.getStoredPath(getHash(id)),
    peaksPath: (id: string) => files.peaks(getHash(id)),
    writer: (id: string) => writers.get(id) ?? null,
    takeUpload(id: string): { path: string; discard: () => Promise<void> } {
      const writer = writers.get(id);
      if (writer?.role !== 'upload') throw new UserFacingError(gone);
      return { path: files.incoming(id), discard: () => writer.abort() };
    },
    recordingCount: () => recordings().filter(({ isLeft }) => !isLeft()).length,
    leaveRecordings(): void {
      for (const writer of recordings()) writer.leave();
    },

    discard(id: string): string | null {
      const stored = rows.get(id);
      if (stored === null) return null;
      if (stored.hash === null) {
        remove(id);
        return null;
      }
      const deletionId = options.deletions.softDelete({
        hide: (deletedAt) => rows.hide(id, deletedAt),
        onRestored: () => onChange(id),
      });
      onChange(id);
      return deletionId;
    },

    rename(id: string, name: string): Media {
      const stored = rows.get(id);
      if (stored === null) throw new UserFacingError(gone);
      const media = { ...stored.media, name: freeName(keepExtension(name, stored.media), id) };
      rows.rename(id, media.name);
      onChange(id);
      if (stored.runId !== null) options.onRunChange(stored.runId);
      return media;
    },

    setShape(id: string, { sampleRate, channels }: WavShape): Media {
      const stored = rows.get(id);
      if (stored === null) throw new UserFacingError(gone);
      const media = { ...stored.media, sampleRate, channels };
      rows.setShape(id, media);
      onChange(id);
      if (stored.runId !== null) options.onRunChange(stored.runId);
      return media;
    },

    remove,

    async recover(): Promise<void> {
      for (const { id, sizeBytes } of files.incomingFiles()) {
        const stored = rows.get(id);
        if (stored === null) {
          files.dropIncoming(id);
        } else if (stored.hash !== null) {
          files.adopt(id, stored.hash);
        } else if (isWorthKeeping(stored) && sizeBytes > 0) {
          // Ignore errors, because the recording was empty or remains in the list.
          await startWriter(stored, sizeBytes)
            .finish()
            .catch(() => undefined);
        }
      }
      for (const { media } of rows.listUnfinished()) {
        if (!writers.has(media.id)) forget(media.id);
      }
    },

    async close(): Promise<void> {
      for (const writer of [...writers.values()]) {
        if (writer.role === 'recording') writer.file.breakOff();
        else await writer.abort();
      }
      writers.clear();
      if (options.temporary) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function unreadable(cause: unknown): unknown {
  if (cause instanceof UserFacingError) return cause;
  return new UserFacingError(
    appError(
      'file',
      'Couldn’t read this file.',
      'Check the disk that holds the data folder, or add the file again.',
      { detail: cause instanceof Error ? cause.message : String(cause) },
    ),
  );
}

const gone = appError('not-found', 'This file is no longer in the library.', 'Add the file again.');
const stillArriving = appError(
  'file',
  'This file is incomplete.',
  'Wait for it to finish, then try again.',
);

/** Recordings can't be repeated and vectors are billed, so a crash must not lose them. */
function isWorthKeeping({ role, media }: StoredMedia): boolean {
  return role === 'recording' || media.declaredType === NPY_TYPE;
}
