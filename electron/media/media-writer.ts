/** Writes a media item that can be streamed while it grows. */

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { Media, MediaRole } from '../../shared/media.ts';
import { isDiskFull } from '../storage/storage-error.ts';
import { joinWavFiles } from './join-wav.ts';
import { type Measurement, unmeasured } from './measure-media.ts';
import { toMediaError } from './media-files.ts';
import { SNIFF_BYTES, type Sniffed, sniffMedia } from './sniff.ts';
import { repairWavHeader } from './wav-header.ts';

export interface MediaWriterOptions {
  media: Media;
  role: MediaRole;
  file: GrowingFile;
  measure: (sniffed: Sniffed) => Promise<Measurement>;
  keep: (media: Media, hash: string) => void;
  forget: () => void;
}

export interface MediaWriter {
  readonly id: string;
  /** After a crash, recordings are recovered and items with other roles are deleted. */
  readonly role: MediaRole;
  /** `/media/<id>` serves this file until the item is complete. */
  readonly file: GrowingFile;
  /** Resolves when the bytes have been written in order; `at` works as in `GrowingFile`. */
  write(bytes: Uint8Array, at?: number): Promise<void>;
  /** Detects the type and measures the file; throws and deletes the file if it is empty. */
  finish(): Promise<Media>;
  /** Marks the sender as disconnected until more bytes arrive. */
  leave(): void;
  isLeft(): boolean;
  /** Deletes the item unless it is complete. */
  abort(): Promise<void>;
}

export function createMediaWriter(options: MediaWriterOptions): MediaWriter {
  const { media, role, file, measure, keep, forget } = options;
  let finishing: Promise<Media> | null = null;
  let isEmpty = false;
  let isKept = false;
  let isLeft = false;

  function drop(): void {
    file.breakOff();
    forget();
  }

  function tryDropping(): void {
    try {
      drop();
    } catch {
      // The next start deletes the row.
    }
  }

  const repairs: Record<MediaRole, Repair | null> = {
    upload: null,
    async recording(handle, sizeBytes) {
      isEmpty = (await repairWavHeader(handle, sizeBytes)) === 0;
      return sizeBytes;
    },
    output: joinWavFiles,
    check: null,
  };

  async function complete(): Promise<Media> {
    const hash = await file.end(repairs[role]);
    const { head, sizeBytes } = file;
    if (isEmpty || sizeBytes === 0) throw new UserFacingError(empty(media.name));
    const sniffed = sniffMedia(head, media.declaredType);
    const measured = await measure(sniffed).catch(() => unmeasured);
    const finished: Media = { ...media, ...sniffed, ...measured, sizeBytes, complete: true };
    keep(finished, hash);
    isKept = true;
    file.close();
    return finished;
  }

  return {
    id: media.id,
    role,
    file,

    async write(bytes: Uint8Array, at?: number): Promise<void> {
      isLeft = false;
      try {
        await file.write(bytes, at);
      } catch (cause) {
        if (cause instanceof OffsetMismatchError) throw cause;
        // Drop the incomplete upload: the user still has the file, and the disk is full.
        if (role === 'upload' && isDiskFull(cause)) tryDropping();
        throw toMediaError(cause);
      }
    },

    finish(): Promise<Media> {
      finishing ??= complete().catch((cause: unknown) => {
        file.breakOff();
        // A recording can't be repeated, so let the next start retry.
        if (role !== 'recording' || isEmpty || file.sizeBytes === 0) forget();
        throw toMediaError(cause);
      });
      return finishing;
    },

    leave() {
      isLeft = true;
    },
    isLeft: () => isLeft,

    async abort(): Promise<void> {
      if (!isKept) drop();
    },
  };
}

function empty(name: string | null) {
  return appError(
    'file',
    name === null ? 'The file is empty.' : `The file “${name}” is empty.`,
    'Choose another file, or record again.',
  );
}

/** Returns the new size, or null if the file is unchanged. */
type Repair = (file: FileHandle, sizeBytes: number) => Promise<number | null>;

/** Thrown if a slice is sent twice or is missing. */
export class OffsetMismatchError extends Error {
  readonly expected: number;

  constructor(expected: number) {
    super(`The next byte is number ${expected}.`);
    this.expected = expected;
  }
}

const READ_BYTES = 1024 * 1024;

export interface GrowingFile {
  readonly sizeBytes: number;
  /** The first bytes, from which the type is detected. */
  readonly head: Buffer;
  /** `broken` means that no more bytes will arrive. */
  readonly state: 'growing' | 'ended' | 'broken';
  /** Writes in order, all or nothing; rejects if `at` isn't the current end of the file. */
  write(bytes: Uint8Array, at?: number): Promise<void>;
  /** Returns the number of bytes read, which is 0 at the current end. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Resolves at the next write or when the file ends. */
  waitForChange(): Promise<void>;
  /** Ends the file after queued writes and `repair`; returns the content hash. */
  end(repair: Repair | null): Promise<string>;
  /** Makes readers fail when they reach the current end. */
  breakOff(): void;
  /** Closes the file for writing; readers may still have it open. */
  close(): void;
  /**
   * Keeps the file open until the returned function is called, so that readers don't depend on its
   * name, which changes at the end.
   */
  retain(): () => void;
}

export function createGrowingFile(path: string, existing = 0): GrowingFile {
  let opening: Promise<FileHandle> | null = null;
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let sizeBytes = existing;
  let state: GrowingFile['state'] = 'growing';
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = new Set<() => void>();
  let holders = 0;

  function wake(): void {
    const woken = waiting;
    waiting = new Set();
    for (const resolve of woken) resolve();
  }

  function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  }

  /** Opens the file at its first use, because many may wait for their turn to be written. */
  function openFile(): Promise<FileHandle> {
    opening ??= open(path, existing > 0 ? 'r+' : 'wx+', 0o600);
    return opening;
  }

  function hold(): () => void {
    holders += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      holders -= 1;
      if (holders === 0) void opening?.then((file) => file.close()).catch(() => undefined);
    };
  }
  const close = hold();

  function settle(as: 'ended' | 'broken'): void {
    if (state !== 'growing') return;
    state = as;
    wake();
  }

  return {
    get sizeBytes(): number {
      return sizeBytes;
    },
    get head(): Buffer {
      return head;
    },
    get state(): GrowingFile['state'] {
      return state;
    },

    write: (bytes: Uint8Array, at?: number): Promise<void> =>
      inOrder(async () => {
        if (state !== 'growing') throw new Error('The file has ended.');
        if (at !== undefined && at !== sizeBytes) throw new OffsetMismatchError(sizeBytes);
        const file = await openFile();
        try {
          for (let done = 0; done < bytes.length; ) {
            const position = sizeBytes + done;
            done += (await file.write(bytes, done, bytes.length - done, position)).bytesWritten;
          }
        } catch (cause) {
          await file.truncate(sizeBytes).catch(() => undefined);
          throw cause;
        }
        hash.update(bytes);
        if (head.length < SNIFF_BYTES && sizeBytes === head.length) {
          head = Buffer.concat([head, bytes.subarray(0, SNIFF_BYTES - head.length)]);
        }
        sizeBytes += bytes.length;
        wake();
      }),

    async read(into: Uint8Array, position: number): Promise<number> {
      const room = Math.min(into.length, sizeBytes - position);
      if (room <= 0) return 0;
      const file = await openFile();
      return (await file.read(into, 0, room, position)).bytesRead;
    },

    waitForChange: (): Promise<void> =>
      state === 'growing' ? new Promise((resolve) => waiting.add(resolve)) : Promise.resolve(),

    end: (repair: Repair | null): Promise<string> =>
      inOrder(async () => {
        if (state !== 'growing') throw new Error('The file has ended.');
        const file = await openFile();
        const repaired = repair && (await repair(file, sizeBytes));
        let digest: string;
        if (repaired === null) {
          digest = hash.digest('hex');
        } else {
          sizeBytes = repaired;
          digest = await hashContent(file);
          head = await readHead(file);
        }
        await file.datasync();
        settle('ended');
        return digest;
      }),

    breakOff() {
      settle('broken');
      close();
    },

    close,
    retain: hold,
  };
}

async function hashContent(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(READ_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

async function readHead(file: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(SNIFF_BYTES);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}
