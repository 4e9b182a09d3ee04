/**
 * Aligns transcripts and computes error rates as in A. C. Morris, V. Maier and P. Green,
 * Interspeech 2004 (https://doi.org/10.21437/Interspeech.2004-668) and
 * https://jitsi.github.io/jiwer/. Other tools may count error kinds differently if several
 * alignments are equally short.
 */
import { editKinds, editScript, numberSymbols } from './edit-script.ts';
import {
  splitWords,
  type TranscriptNormalization,
  type TranscriptToken,
  type TranscriptUnit,
  toTranscriptUnits,
} from './transcript-units.ts';

export type AlignedWordKind = keyof typeof editKinds;

/** A range of word indexes; `to` is exclusive. */
export interface WordSpan {
  from: number;
  to: number;
}

/** An `inserted` word has no reference word; a `deleted` word has no transcript word. */
export interface AlignedWord {
  kind: AlignedWordKind;
  reference: WordSpan | null;
  transcript: WordSpan | null;
}

export interface ErrorCounts {
  same: number;
  substituted: number;
  deleted: number;
  inserted: number;
  /** Exceeds 1 if there are more errors than reference words; null if the reference is empty. */
  rate: number | null;
}

export interface TranscriptAlignment {
  words: AlignedWord[];
  wordErrors: ErrorCounts;
}

export function alignTranscripts(
  reference: readonly string[],
  transcript: readonly string[],
  normalization: TranscriptNormalization,
): TranscriptAlignment {
  const references = toTranscriptUnits(reference, normalization);
  const units = toTranscriptUnits(transcript, normalization);
  const getText = ({ text }: TranscriptUnit) => text;
  const steps = editScript(...numberSymbols(references.map(getText), units.map(getText)));
  let row = 0;
  let column = 0;
  const words = Array.from(steps, (step): AlignedWord => {
    const kind = getKind(step);
    const one = kind === 'inserted' ? undefined : references[row];
    const other = kind === 'deleted' ? undefined : units[column];
    if (kind !== 'inserted') row += 1;
    if (kind !== 'deleted') column += 1;
    return { kind, reference: toSpan(one), transcript: toSpan(other) };
  });
  return { words, wordErrors: countErrors(steps) };
}

/** Compares characters, with one space between words. */
export function countCharacterErrors(
  reference: readonly string[],
  transcript: readonly string[],
  normalization: TranscriptNormalization,
): ErrorCounts {
  const getCharacters = (words: readonly string[]) =>
    toTranscriptUnits(words, normalization).flatMap(({ text, isGlued }, index) =>
      index === 0 || isGlued ? [...text] : [' ', ...text],
    );
  return countErrors(
    editScript(...numberSymbols(getCharacters(reference), getCharacters(transcript))),
  );
}

export interface ErrorRates {
  words: ErrorCounts;
  characters: ErrorCounts;
}

export function computeErrorRates(
  reference: string,
  hypothesis: string,
  normalization: TranscriptNormalization,
): ErrorRates {
  const [references, words] = [splitWords(reference), splitWords(hypothesis)];
  return {
    words: alignTranscripts(references, words, normalization).wordErrors,
    characters: countCharacterErrors(references, words, normalization),
  };
}

function toSpan(unit: TranscriptUnit | undefined): WordSpan | null {
  return unit === undefined ? null : { from: unit.from, to: unit.to };
}

function getKind(step: number): AlignedWordKind {
  switch (step) {
    case editKinds.same:
      return 'same';
    case editKinds.substituted:
      return 'substituted';
    case editKinds.deleted:
      return 'deleted';
    default:
      return 'inserted';
  }
}

function countErrors(steps: Uint8Array): ErrorCounts {
  const counts = { same: 0, substituted: 0, deleted: 0, inserted: 0 };
  for (const step of steps) counts[getKind(step)] += 1;
  const { same, substituted, deleted, inserted } = counts;
  const length = same + substituted + deleted;
  return { ...counts, rate: length === 0 ? null : (substituted + deleted + inserted) / length };
}

export interface TimedPart {
  text: string;
  startSeconds: number;
  endSeconds: number;
}

export interface TimedTranscript {
  text: string;
  words: readonly TimedPart[] | null;
  segments: readonly TimedPart[] | null;
  /** Null if the duration is unknown. */
  durationSeconds: number | null;
}

/** `position`: estimated from the word's position in the text. */
export type TimeSource = 'word' | 'segment' | 'position';

export interface SpokenStretch {
  startSeconds: number;
  endSeconds: number;
  source: TimeSource;
}

/** Returns a function that maps a token index to its time, or to null if unknown. */
export function createTokenTimes(
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

/** Aligns timed parts with the text, because their spelling may differ. */
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

/** Interpolates the times of words between neighbors with known times. */
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
    if (before !== null && after !== null) times.fill(getGap(before, after), at, end);
    at = end - 1;
  }
  return times;
}

/** Returns the gap between two time ranges, or their span if there's no gap. */
export function getGap(before: SpokenStretch, after: SpokenStretch): SpokenStretch {
  const isApart = after.startSeconds > before.endSeconds;
  return {
    startSeconds: isApart ? before.endSeconds : before.startSeconds,
    endSeconds: isApart ? after.startSeconds : after.endSeconds,
    source: before.source,
  };
}
