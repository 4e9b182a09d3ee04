/**
 * Defines the state of a transcription run as plain JSON, because patches carry the state to the
 * page.
 */

import type { JsonObject } from '../../json.ts';
import type { Usage } from '../response/usage.ts';

/** Times are seconds from the start of the audio. */
export type TranscriptSegment = {
  id: number | string;
  start: number;
  end: number;
  text: string;
  /** The gateway's name, such as `A` or `SPEAKER_00`; undefined if it names no speakers. */
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
  /** How the text of a stream arrives; undefined for a response that isn't a stream. */
  streamed?: 'deltas' | 'texts' | 'segments';
  /** The stream sent a final text, but some gateways send one per part of the audio. */
  isSettled?: boolean;
  /** The stream's timestamps turned out to be milliseconds. */
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
