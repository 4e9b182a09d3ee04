/** Times of a transcript that can only be milliseconds, although the convention has seconds. */
import type { Warn } from '../reply/values.ts';
import type { TranscriptSegment, TranscriptWord } from './state.ts';

interface TimedTranscript {
  segments: TranscriptSegment[];
  words: TranscriptWord[];
  durationSeconds: number | null;
}

/** Slower than this nobody speaks, and Whisper's longest segment with a single letter is faster. */
const SLOWEST_LETTERS_PER_SECOND = 0.03;
/** With less, a silence could have misled. */
const LEAST_SPAN = 60;

export function inSeconds(timed: TimedTranscript, warn: Warn): TimedTranscript {
  const { segments, words, durationSeconds } = timed;
  const pieces: { start: number; end: number }[] = segments.length > 0 ? segments : words;
  const letters =
    segments.length > 0
      ? segments.reduce((sum, { text }) => sum + text.length, 0)
      : words.reduce((sum, { word }) => sum + word.length, 0);
  const span = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  const isWhole = pieces.every(
    ({ start, end }) => Number.isInteger(start) && Number.isInteger(end),
  );
  if (!isWhole || span < LEAST_SPAN || letters / span > SLOWEST_LETTERS_PER_SECOND) return timed;
  warn('The timestamps are in milliseconds. Gatehouse converted them to seconds.');
  const scaled = <Item extends { start: number; end: number }>(item: Item): Item => ({
    ...item,
    start: item.start / 1000,
    end: item.end / 1000,
  });
  const lastEnd = Math.max(...pieces.map(({ end }) => end));
  // The duration is in the same unit, unless it is far too short for that.
  const isScaled = durationSeconds !== null && durationSeconds > lastEnd / 100;
  return {
    segments: segments.map(scaled),
    words: words.map(scaled),
    durationSeconds: isScaled ? durationSeconds / 1000 : durationSeconds,
  };
}
