/**
 * Defines the state of a transcription run as plain JSON, because patches carry the state to the
 * page.
 */

/** Times are seconds from the start of the audio. */
export type TranscriptSegment = { id: number; start: number; end: number; text: string };
export type TranscriptWord = { word: string; start: number; end: number };

export type TranscriptionFormat = 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt';

export type TranscriptionState = {
  text: string;
  /** The gateway's raw value, such as `en` or `english`. */
  language: string | null;
  durationSeconds: number | null;
  /** Sorted by start time for JSON; in source order for SRT and VTT. */
  segments: TranscriptSegment[];
  words: TranscriptWord[];
  requestedFormat: string | null;
  soundSeconds?: number;
  /** Detected from the response's content; `unknown` until then. */
  format: TranscriptionFormat | 'unknown';
  raw: string;
  /** A response with a success status started. */
  isAnswered: boolean;
  upload: { doneBytes: number; totalBytes: number | null } | null;
  /** Milliseconds from the run's start to the end of the upload. */
  uploadedAtMs: number | null;
  unreadable: boolean;
  warnings: string[];
};

export const emptyTranscriptionState: TranscriptionState = {
  text: '',
  language: null,
  durationSeconds: null,
  segments: [],
  words: [],
  requestedFormat: null,
  format: 'unknown',
  raw: '',
  isAnswered: false,
  upload: null,
  uploadedAtMs: null,
  unreadable: false,
  warnings: [],
};
