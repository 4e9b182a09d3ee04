/** Times of a transcript that can only be milliseconds, although the convention has seconds. */
import type { Warn } from '../response/values.ts';
import type { TranscriptSegment, TranscriptWord } from './state.ts';

interface TimedTranscript {
  segments: TranscriptSegment[];
  words: TranscriptWord[];
  durationSeconds: number | null;
}

type Piece = { start: number; end: number; text: string };

/** Slower than this nobody speaks, and Whisper's longest segment with a single letter is faster. */
const SLOWEST_LETTERS_PER_SECOND = 0.03;
/** With less, a silence could have misled. */
const MIN_PIECES = 3;
const MIN_SPAN = 60;
/**
 * In seconds, what Whisper ends a short sound at where it hears nothing more: its window is 30 s long, and it may
 * add one.
 */
const WINDOWS = 60;
/** Times in seconds that are beyond the windows end at most this many times later than the sound. */
const MAX_BEYOND = 10;
/** `[Music]`, `(applause)` */
const SOUND = /\[[^\]]*\]|\([^)]*\)/g;

/** `soundSeconds`: how long the sound is, null if that is not known. */
export function inSeconds(
  timed: TimedTranscript,
  soundSeconds: number | null,
  warn: Warn,
): TimedTranscript {
  const { segments, words, durationSeconds } = timed;
  const pieces: Piece[] =
    segments.length > 0 ? segments : words.map(({ word, ...times }) => ({ ...times, text: word }));
  const lastEnd = Math.max(...pieces.map(({ end }) => end));
  const isClear =
    lastEnd > WINDOWS &&
    (isThousandfold(lastEnd, durationSeconds) || isBeyond(lastEnd, soundSeconds));
  if (!isClear && !isTooSlow(pieces)) return timed;
  warn('The timestamps are in milliseconds. Gatehouse converted them to seconds.');
  const scaled = <Item extends { start: number; end: number }>(item: Item): Item => ({
    ...item,
    start: item.start / 1000,
    end: item.end / 1000,
  });
  // The duration is in the same unit, unless it is far too short for that.
  const isScaled = durationSeconds !== null && durationSeconds > lastEnd / 100;
  return {
    segments: segments.map(scaled),
    words: words.map(scaled),
    durationSeconds: isScaled ? durationSeconds / 1000 : durationSeconds,
  };
}

/** The length of the sound settles it, where the reply has that in seconds. */
function isThousandfold(lastEnd: number, durationSeconds: number | null): boolean {
  if (durationSeconds === null || durationSeconds <= 0) return false;
  const ratio = lastEnd / durationSeconds;
  return ratio > 500 && ratio < 2000;
}

/** Speech may end long before the sound does, and a measured length may be a little off. */
function isBeyond(lastEnd: number, soundSeconds: number | null): boolean {
  if (soundSeconds === null || soundSeconds <= 0) return false;
  const ratio = lastEnd / soundSeconds;
  return ratio > MAX_BEYOND && ratio < 2000;
}

/** In seconds, this would be slower than anybody speaks. Music and turns without text say nothing. */
function isTooSlow(pieces: readonly Piece[]): boolean {
  const spoken = pieces.filter(({ text }) => /\p{L}/u.test(text.replace(SOUND, '')));
  const letters = spoken.reduce((sum, { text }) => sum + text.length, 0);
  const span = spoken.reduce((sum, { start, end }) => sum + end - start, 0);
  return (
    spoken.length >= MIN_PIECES &&
    pieces.every(({ start, end }) => Number.isInteger(start) && Number.isInteger(end)) &&
    span >= MIN_SPAN &&
    letters / span <= SLOWEST_LETTERS_PER_SECOND
  );
}
