/** What the events of a speech run fold into. JSON all through: it travels to the page as patches. */
import type { Media } from '../../media.ts';

/** The interface's six formats. */
export type SpeechFormat = 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm';

export type SpeechState = {
  /** There from the first byte on (`complete` is false while it grows); measured at the end. */
  media: Media | null;
  /** Milliseconds since the run's start. */
  firstByteAtMs: number | null;
  /** While it grows, at most a quarter of a second old. */
  receivedBytes: number;
  /** As the response's headers declare it. */
  contentType: string | null;
  /** `response_format` as it was sent; null if it was not. */
  requestedFormat: string | null;
  /** Of the text that was sent; missing if that cannot be read. */
  characterCount?: number;
  /**
   * By the bytes, for sure once they are whole. `pcm` has no mark of its own: bytes without any are taken for
   * it where it was requested or declared. Null if the format is unknown.
   */
  receivedFormat: SpeechFormat | null;
  /** Pieces of a reply that is a stream of events, and whether the last one came; missing for others. */
  pieceCount?: number;
  ended?: boolean;
  warnings: string[];
};

export const emptySpeechState: SpeechState = {
  media: null,
  firstByteAtMs: null,
  receivedBytes: 0,
  contentType: null,
  requestedFormat: null,
  receivedFormat: null,
  warnings: [],
};
