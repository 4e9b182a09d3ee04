/** One medium from its first byte until it is complete or given up. */
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { Media, MediaRole } from '../../shared/media.ts';
import { type GrowingFile, OffsetMismatchError } from './growing-file.ts';
import { type Measurement, unmeasured } from './measurement.ts';
import { mediaFailure } from './media-files.ts';
import { type Sniffed, sniffMedia } from './sniff.ts';
import { repairWavHeader } from './wav-header.ts';

export interface MediaWriter {
  readonly id: string;
  /** Of a file that main's end cut off, a recording is kept as far as it arrived, others are not. */
  readonly role: MediaRole;
  /** What `/media/<id>` reads until then. */
  readonly file: GrowingFile;
  /** Resolves when the bytes are in the file; calls are carried out in order. `at` as in `GrowingFile`. */
  write(bytes: Uint8Array, at?: number): Promise<void>;
  /** Sniffs and measures it; it keeps the name that it began with. Throws and drops it if it is empty. */
  finish(): Promise<Media>;
  /** Whoever sends it has gone, as long as no more of it arrives. */
  leave(): void;
  isLeft(): boolean;
  /** Forgets it; without effect once it is complete. */
  abort(): Promise<void>;
}

export interface MediaWriterOptions {
  media: Media;
  role: MediaRole;
  file: GrowingFile;
  measure: (sniffed: Sniffed) => Promise<Measurement>;
  keep: (media: Media, hash: string) => void;
  forget: () => void;
}

export function createMediaWriter(options: MediaWriterOptions): MediaWriter {
  const { media, role, file, measure, keep, forget } = options;
  let finishing: Promise<Media> | null = null;
  let isEmpty = false;
  let isKept = false;
  let isLeft = false;

  async function complete(): Promise<Media> {
    const hash = await file.end(
      role === 'recording'
        ? async (handle) => {
            isEmpty = (await repairWavHeader(handle, file.sizeBytes)) === 0;
          }
        : null,
    );
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

    async write(bytes, at) {
      isLeft = false;
      try {
        await file.write(bytes, at);
      } catch (cause) {
        throw cause instanceof OffsetMismatchError ? cause : mediaFailure(cause);
      }
    },

    finish() {
      finishing ??= complete().catch((cause: unknown) => {
        file.breakOff();
        // What was recorded cannot be had again: the next start tries once more.
        if (role !== 'recording' || isEmpty || file.sizeBytes === 0) forget();
        throw mediaFailure(cause);
      });
      return finishing;
    },

    leave() {
      isLeft = true;
    },
    isLeft: () => isLeft,

    async abort() {
      if (isKept) return;
      file.breakOff();
      forget();
    },
  };
}

function empty(name: string | null) {
  return appError(
    'file',
    name === null ? 'The file is empty.' : `The file “${name}” is empty.`,
    'Choose another file, or record again.',
    {},
  );
}
