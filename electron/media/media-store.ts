/** Every image, sound, video and file of Gatehouse: stored once by content, named by a random id. */
import type { Media, MediaQuery } from '../../shared/media.ts';

/** What becomes of a file that main's end cut off: a recording is kept as far as it came, others are not. */
export type MediaRole = 'upload' | 'recording' | 'output';

export interface NewMedia {
  name: string | null;
  /** MIME type as its sender says. */
  declaredType: string | null;
  /** `output` unless given. */
  role?: MediaRole;
  /** Where it is known: refused at once where the disk has no room for it. */
  sizeBytes?: number | null;
}

/** Every method throws an `AppFailure` for a full disk, an empty file, or an id that is not there. */
export interface MediaStore {
  /** A growing file; `/media/<id>` answers from its first byte. */
  begin(of: NewMedia): MediaWriter;
  /** Null where there is none (any more). `complete` is false while it grows. */
  get(id: string): Media | null;
  list(query: MediaQuery): { media: Media[]; more: boolean };
  /** The bytes of a complete medium. */
  readBytes(id: string): Promise<Buffer>;
  /** Where a complete medium lies, for streaming it to the wire. Never leaves main. */
  path(id: string): string;
  remove(id: string): Promise<void>;
}

export interface MediaWriter {
  readonly id: string;
  /** Resolves when the bytes are in the file; calls are taken in their order. */
  write(bytes: Uint8Array): Promise<void>;
  /** Sniffs, measures and names it by its content. Throws and forgets it where it is empty. */
  finish(): Promise<Media>;
  /** Forgets it. */
  abort(): Promise<void>;
}
