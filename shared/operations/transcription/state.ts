/** The state of a transcription run. It is plain JSON because it reaches the page as patches. */

/** Times are seconds from the start of the audio. */
export type TranscriptSegment = { id: number; start: number; end: number; text: string };
export type TranscriptWord = { word: string; start: number; end: number };

export type TranscriptionFormat = 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt';

export type TranscriptionState = {
  text: string;
  /** As the gateway wrote it: `en` or `english`. */
  language: string | null;
  durationSeconds: number | null;
  /** In the order received; from srt and vtt too. */
  segments: TranscriptSegment[];
  words: TranscriptWord[];
  /** `response_format` as it was sent; null if it was not. */
  requestedFormat: string | null;
  /** How long the sound is that was sent; missing if that is not known. */
  soundSeconds?: number;
  /** The format of the reply, judged by its content; `unknown` until then. */
  format: TranscriptionFormat | 'unknown';
  /** The reply as received, an error too. */
  raw: string;
  /** A reply with a good status has begun. */
  isAnswered: boolean;
  /** How far the file has been sent; null before its first byte. */
  upload: { doneBytes: number; totalBytes: number | null } | null;
  /** When all of the file was sent: milliseconds since the run's start. */
  uploadedAtMs: number | null;
  /** A reply was received that has neither a text nor segments or words, not even empty ones. */
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
