/** When each word of a transcript is shown: by the times of its words, else of its segments, else by its place in the text. */
import { alignTranscripts } from './transcript-alignment.ts';
import type { TranscriptToken } from './transcript-tokens.ts';
import { splitWords } from './transcript-units.ts';

/** Seconds from the start of the sound. */
export interface TimedPart {
  text: string;
  startSeconds: number;
  endSeconds: number;
}

export interface TimedTranscript {
  text: string;
  /** Null or empty if there are no times. */
  words: readonly TimedPart[] | null;
  segments: readonly TimedPart[] | null;
  /** Of the sound; null if it is not known. */
  durationSeconds: number | null;
}

/** What a time is taken from; `position`: estimated by the place in the text. */
export type TimeSource = 'word' | 'segment' | 'position';

export interface SpokenStretch {
  startSeconds: number;
  endSeconds: number;
  source: TimeSource;
}

/** The stretch of a token by its index; null if nothing says when, or there is no such token. */
export function timeTokens(
  tokens: readonly TranscriptToken[],
  { text, words, segments, durationSeconds }: TimedTranscript,
): (at: number) => SpokenStretch | null {
  const byWord = fillGaps(findTimes(tokens, words ?? [], 'word'));
  const bySegment = byWord.includes(null) ? findTimes(tokens, segments ?? [], 'segment') : [];
  return (at) => {
    const found = byWord[at] ?? bySegment[at] ?? null;
    const token = tokens[at];
    if (found !== null || durationSeconds === null || token === undefined) return found;
    const secondsPerCharacter = durationSeconds / text.length;
    return {
      startSeconds: token.from * secondsPerCharacter,
      endSeconds: token.to * secondsPerCharacter,
      source: 'position',
    };
  };
}

const spelledAlike = { ignoreCase: true, ignorePunctuation: true, numbersAsDigits: false };

/** Lays the timed parts beside the text, which may be written otherwise or have more words. */
function findTimes(
  tokens: readonly TranscriptToken[],
  timed: readonly TimedPart[],
  source: TimeSource,
): (SpokenStretch | null)[] {
  const times: (SpokenStretch | null)[] = tokens.map(() => null);
  if (timed.length === 0) return times;
  const parts = timed.flatMap((part) => splitWords(part.text).map((word) => ({ word, part })));
  const { words } = alignTranscripts(
    tokens.map((token) => token.text),
    parts.map(({ word }) => word),
    spelledAlike,
  );
  for (const { reference, transcript } of words) {
    const first = transcript === null ? undefined : parts[transcript.from]?.part;
    const last = transcript === null ? undefined : parts[transcript.to - 1]?.part;
    if (reference === null || first === undefined || last === undefined) continue;
    for (let at = reference.from; at < reference.to; at += 1) {
      const known = times[at];
      times[at] = {
        startSeconds: Math.min(first.startSeconds, known?.startSeconds ?? first.startSeconds),
        endSeconds: Math.max(last.endSeconds, known?.endSeconds ?? last.endSeconds),
        source,
      };
    }
  }
  return times;
}

/** A word without a time, between two with one, is shown between them. */
function fillGaps(times: (SpokenStretch | null)[]): (SpokenStretch | null)[] {
  let before: SpokenStretch | null = null;
  for (let at = 0; at < times.length; at += 1) {
    const known: SpokenStretch | null = times[at] ?? null;
    if (known !== null) {
      before = known;
      continue;
    }
    let end = at;
    while (end < times.length && times[end] === null) end += 1;
    const after: SpokenStretch | null = times[end] ?? null;
    if (before !== null && after !== null) times.fill(between(before, after), at, end);
    at = end - 1;
  }
  return times;
}

/** From the end of the one to the start of the other; both of them where no time is left between. */
export function between(before: SpokenStretch, after: SpokenStretch): SpokenStretch {
  const isApart = after.startSeconds > before.endSeconds;
  return {
    startSeconds: isApart ? before.endSeconds : before.startSeconds,
    endSeconds: isApart ? after.startSeconds : after.endSeconds,
    source: before.source,
  };
}
