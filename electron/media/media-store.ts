/** Every image, sound, video and file of Gatehouse: stored once by content, named by a random id. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { LibraryItem, Media, MediaQuery, MediaRole } from '../../shared/media.ts';
import type { Database } from '../storage/database-access.ts';
import type { Deletions } from '../storage/deletions.ts';
import { createGrowingFile } from './growing-file.ts';
import { type Measurement, unmeasured } from './measurement.ts';
import { createMediaFiles, mediaFailure } from './media-files.ts';
import { safeExtension, safeName, uniqueName } from './media-name.ts';
import { createMediaRows, type StoredMedia } from './media-rows.ts';
import { createMediaWriter, type MediaWriter } from './media-writer.ts';
import { type Sniffed, sniffMedia, UNKNOWN_TYPE } from './sniff.ts';

export interface NewMedia {
  name: string | null;
  /** MIME type as its sender declares it. */
  declaredType: string | null;
  /** `output` unless given. */
  role?: MediaRole;
  /** The run that it comes from. */
  runId?: string | null;
  /** Where it is known: refused at once where the disk has no room for it. */
  sizeBytes?: number | null;
}

/** Every method throws a `UserFacingError` for a full disk, an empty file, or an id that is not there. */
export interface MediaStore {
  /** A growing file; `/media/<id>` answers from its first byte. */
  begin(of: NewMedia): MediaWriter;
  /** Null if there is none (any more). `complete` is false while it grows. */
  get(id: string): Media | null;
  /** A run produced it, so that its name says the run's prompt. */
  isOutput(id: string): boolean;
  /** The run that produced it; null if none did, and for what is not there. */
  runOf(id: string): string | null;
  list(query: MediaQuery): { media: LibraryItem[]; more: boolean };
  /** The name, with a number where a medium has it: `boat-2.png`. */
  freeName(name: string): string;
  /** The bytes of a complete medium. */
  readBytes(id: string): Promise<Buffer>;
  /** Where a complete medium lies, for streaming it to the wire. Never leaves main. */
  path(id: string): string;
  /** Where the outline of a complete medium is kept. */
  peaksPath(id: string): string;
  /** The writer of a medium that still grows; null for any other id. */
  writer(id: string): MediaWriter | null;
  /** How many recordings continue. */
  recordingCount(): number;
  /** Their page has gone: none continues, unless more of it arrives. */
  leaveRecordings(): void;
  /** With the ending that the file has, and a number where another medium has that name. */
  rename(id: string, name: string): Media;
  /** For good. */
  remove(id: string): void;
  /**
   * As a user deletes it: returns the ID with which that can be undone for a while; null for one that still
   * grows, which is removed for good, and for one that is not there.
   */
  discard(id: string): string | null;
  /** At the start: completes recordings, drops what else was cut off. */
  recover(): Promise<void>;
  /** Leaves recordings for the next start, drops what else still grows. */
  close(): Promise<void>;
}

export interface MediaStoreOptions {
  db: Database;
  deletions: Pick<Deletions, 'softDelete' | 'onPurge'>;
  /** Made where it is missing. */
  folder: string;
  /** The folder goes with this process. */
  temporary: boolean;
  now: () => number;
  /** What the file's content shows; what it does not show stays null. */
  measure: (path: string, sniffed: Sniffed) => Promise<Measurement>;
  /** Something about this medium is new. */
  onChange: (id: string) => void;
  /** The run that brought it shows it under another name. */
  onRenamed: (runId: string) => void;
}

export function createMediaStore(options: MediaStoreOptions): MediaStore {
  const { folder, now, onChange } = options;
  const rows = createMediaRows(options.db);
  const files = createMediaFiles(folder);
  const writers = new Map<string, MediaWriter>();
  let lastCreatedAt = 0;

  options.deletions.onPurge('media', (deletedAt) => {
    // A file that can't be removed throws and keeps its row, by which it is found again.
    for (const hash of rows.purge(deletedAt)) if (!rows.isUsed(hash)) files.dropStored(hash);
  });

  const recordings = () => [...writers.values()].filter(({ role }) => role === 'recording');

  function forget(id: string): void {
    writers.delete(id);
    rows.remove(id);
    files.dropIncoming(id);
    onChange(id);
  }

  /** The row has the hash before the file has that name: `recover` repairs a crash between the two. */
  function keep(media: Media, hash: string): void {
    // Removed while it was measured.
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

  /** Unix milliseconds: what is stored in the same one is listed in its order. */
  function laterThanLast(): number {
    const at = now();
    // A clock that was set back is followed.
    const isTie = at <= lastCreatedAt && lastCreatedAt - at < 1000;
    lastCreatedAt = isTie ? lastCreatedAt + 1 : at;
    return lastCreatedAt;
  }

  /** Beside the names of all but `id`. */
  function freeName(name: string, id: string | null): string {
    let free = name;
    for (let number = 2; rows.isNamed(free, id); number += 1) free = uniqueName(name, number);
    return free;
  }

  function remove(id: string): void {
    const stored = rows.get(id);
    if (stored === null) return;
    writers.get(id)?.file.breakOff();
    forget(id);
    if (stored.hash !== null && !rows.isUsed(stored.hash)) files.dropStored(stored.hash);
  }

  return {
    begin({ name, declaredType, role = 'output', runId = null, sizeBytes = null }) {
      try {
        if (sizeBytes !== null) files.requireRoom(sizeBytes);
        const id = randomBytes(16).toString('base64url');
        const media: Media = {
          id,
          kind: 'file',
          type: UNKNOWN_TYPE,
          declaredType,
          name: safeName(name ?? '') || null,
          sizeBytes: 0,
          ...unmeasured,
          complete: false,
          createdAt: laterThanLast(),
        };
        const stored: StoredMedia = { media, role, runId, hash: null };
        rows.insert(stored);
        return startWriter(stored, 0);
      } catch (cause) {
        throw mediaFailure(cause);
      }
    },

    get(id) {
      const file = writers.get(id)?.file;
      const media = rows.get(id)?.media ?? null;
      if (media === null || file === undefined) return media;
      const { sizeBytes, head } = file;
      return { ...media, ...sniffMedia(head, media.declaredType), sizeBytes };
    },
    isOutput: (id) => rows.get(id)?.role === 'output',
    runOf: (id) => rows.get(id)?.runId ?? null,
    list: (query) => rows.list(query),
    freeName: (name) => freeName(name, null),
    async readBytes(id) {
      try {
        return await readFile(files.stored(getHash(id)));
      } catch (cause) {
        throw unreadable(cause);
      }
    },
    path: (id) => files.stored(getHash(id)),
    peaksPath: (id) => files.peaks(getHash(id)),
    writer: (id) => writers.get(id) ?? null,
    recordingCount: () => recordings().filter(({ isLeft }) => !isLeft()).length,
    leaveRecordings() {
      for (const writer of recordings()) writer.leave();
    },

    discard(id) {
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

    rename(id, name) {
      const stored = rows.get(id);
      if (stored === null) throw new UserFacingError(gone);
      const media = { ...stored.media, name: freeName(safeExtension(name, stored.media), id) };
      rows.rename(id, media.name);
      onChange(id);
      if (stored.runId !== null) options.onRenamed(stored.runId);
      return media;
    },

    remove,

    async recover() {
      for (const { id, sizeBytes } of files.incomingFiles()) {
        const stored = rows.get(id);
        if (stored === null) {
          files.dropIncoming(id);
        } else if (stored.hash !== null) {
          files.adopt(id, stored.hash);
        } else if (stored.role === 'recording' && sizeBytes > 0) {
          // Not reported: whoever recorded it finds it in the list, or it was empty.
          await startWriter(stored, sizeBytes)
            .finish()
            .catch(() => undefined);
        }
      }
      for (const { media } of rows.unfinished()) {
        if (!writers.has(media.id)) forget(media.id);
      }
    },

    async close() {
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
      'The stored file could not be read.',
      'Check the disk that holds the data folder, or add the file again.',
      { detail: cause instanceof Error ? cause.message : String(cause) },
    ),
  );
}

const gone = appError(
  'not-found',
  'This file is no longer in the library.',
  'Add the file again.',
  {},
);
const stillArriving = appError(
  'file',
  'This file is incomplete.',
  'Wait for it to finish, then try again.',
  {},
);
