/** Detects timestamps in milliseconds and converts them to the API's seconds. */
import type { Warn } from '../response/values.ts';
import type { TranscriptSegment, TranscriptWord } from './state.ts';

export interface TimedParts {
  segments: TranscriptSegment[];
  words: TranscriptWord[];
  durationSeconds: number | null;
}

type Piece = { start: number; end: number; text: string };

/** Nobody speaks slower, and even one-letter segments from Whisper are faster. */
const SLOWEST_LETTERS_PER_SECOND = 0.03;
/** With fewer pieces, a pause could look like slow speech. */
const MIN_PIECES = 3;
const MIN_SPAN = 60;
/** Whisper may extend short audio by up to two 30-second windows, so 60 s proves nothing. */
const WINDOWS = 60;
/** Valid timestamps in seconds exceed the audio's duration by at most this factor. */
const MAX_BEYOND = 10;
/** Matches sound labels such as `[Music]` or `(applause)`. */
const SOUND_LABEL = /\[[^\]]*\]|\([^)]*\)/g;

/** Returns the same transcript if its times are in seconds; `soundSeconds` is null if unknown. */
export function convertToSeconds(
  timed: TimedParts,
  soundSeconds: number | null,
  warn: Warn,
): TimedParts {
  const { segments, words, durationSeconds } = timed;
  const pieces: Piece[] =
    segments.length > 0 ? segments : words.map(({ word, ...times }) => ({ ...times, text: word }));
  const lastEnd = Math.max(...pieces.map(({ end }) => end));
  const isClear =
    lastEnd > WINDOWS &&
    (isThousandfold(lastEnd, durationSeconds) || isBeyond(lastEnd, soundSeconds));
  if (!isClear && !isTooSlow(pieces)) return timed;
  warn('The timestamps are in milliseconds. Gatehouse converted them to seconds.');
  return toSeconds(timed, lastEnd);
}

/** `lastEnd` is the end of the last piece so far, in milliseconds. */
export function toSeconds(
  { segments, words, durationSeconds }: TimedParts,
  lastEnd: number,
): TimedParts {
  const scaleTimes = <Item extends { start: number; end: number }>(item: Item): Item => ({
    ...item,
    start: item.start / 1000,
    end: item.end / 1000,
  });
  // The duration has the same unit, unless it's far too small.
  const isScaled = durationSeconds !== null && durationSeconds > lastEnd / 100;
  return {
    segments: segments.map(scaleTimes),
    words: words.map(scaleTimes),
    durationSeconds: isScaled ? durationSeconds / 1000 : durationSeconds,
  };
}

/** Compares timestamps with the response's duration, which may be in seconds. */
function isThousandfold(lastEnd: number, durationSeconds: number | null): boolean {
  if (durationSeconds === null || durationSeconds <= 0) return false;
  const ratio = lastEnd / durationSeconds;
  return ratio > 500 && ratio < 2000;
}

/** Speech may end long before the audio, and a measured duration may be slightly off. */
function isBeyond(lastEnd: number, soundSeconds: number | null): boolean {
  if (soundSeconds === null || soundSeconds <= 0) return false;
  const ratio = lastEnd / soundSeconds;
  return ratio > MAX_BEYOND && ratio < 2000;
}

/** Ignores sound labels and segments without letters, whose speaking rate is meaningless. */
function isTooSlow(pieces: readonly Piece[]): boolean {
  const spoken = pieces.filter(({ text }) => /\p{L}/u.test(text.replace(SOUND_LABEL, '')));
  const letters = spoken.reduce((sum, { text }) => sum + text.length, 0);
  const span = spoken.reduce((sum, { start, end }) => sum + end - start, 0);
  return (
    spoken.length >= MIN_PIECES &&
    pieces.every(({ start, end }) => Number.isInteger(start) && Number.isInteger(end)) &&
    span >= MIN_SPAN &&
    letters / span <= SLOWEST_LETTERS_PER_SECOND
  );
}
