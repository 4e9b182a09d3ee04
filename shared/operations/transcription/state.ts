/** Defines the state of a transcription run as plain JSON, because patches send it to the page. */

import type { JsonObject } from '../../json.ts';
import type { Usage } from '../response/usage.ts';

/** Times are in seconds from the start of the audio. */
export type TranscriptSegment = {
  id: number | string;
  start: number;
  end: number;
  text: string;
  /** The gateway's label, such as `A` or `SPEAKER_00`; undefined if there are no speakers. */
  speaker?: string;
};
export type TranscriptWord = { word: string; start: number; end: number };

export type TranscriptionFormat =
  | 'json'
  | 'text'
  | 'srt'
  | 'verbose_json'
  | 'vtt'
  | 'diarized_json';

export type TranscriptionState = {
  text: string;
  /** The gateway's raw value, such as `en` or `english`. */
  language: string | null;
  durationSeconds: number | null;
  /** Sorted by start time if from JSON; in source order if from SRT or VTT. */
  segments: TranscriptSegment[];
  words: TranscriptWord[];
  requestedFormat: string | null;
  soundSeconds?: number;
  /** Detected from the response's content; `unknown` until then. */
  format: TranscriptionFormat | 'unknown';
  raw: string;
  /** True once a response with a success status has started. */
  isAnswered: boolean;
  upload: { doneBytes: number; totalBytes: number | null } | null;
  /** Milliseconds from the start of the run to the end of the upload. */
  uploadedAtMs: number | null;
  unreadable: boolean;
  /** How a stream sends its text; undefined if the response isn't a stream. */
  streamed?: 'deltas' | 'texts' | 'segments';
  /** The stream sent a final text; more may follow, because some gateways send one per section. */
  isSettled?: boolean;
  /** The stream's timestamps are in milliseconds. */
  isInMilliseconds?: boolean;
  usage?: Usage & JsonObject;
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
