/** Splits aligned transcripts into rows of one or two sentences. Runs in a worker. */
import {
  type AlignedWord,
  type AlignedWordKind,
  alignTranscripts,
  createTokenTimes,
  type ErrorCounts,
  getGap,
  type SpokenStretch,
  type TimedTranscript,
  type WordSpan,
} from './transcript-alignment.ts';
import {
  splitTokens,
  type TranscriptNormalization,
  type TranscriptToken,
} from './transcript-units.ts';

export type DifferenceKind = Exclude<AlignedWordKind, 'same'>;

/** `isApart` means that a space precedes this part. */
export type AlignedPart =
  | { kind: 'same'; text: string; isApart: boolean }
  | {
      kind: DifferenceKind;
      /** The reference text; empty for an inserted word. */
      expected: string;
      /** The transcript text; empty for a deleted word. */
      text: string;
      isApart: boolean;
      /** Null if the time is unknown. */
      stretch: SpokenStretch | null;
    };

export interface AlignedRow {
  base: string;
  cells: AlignedPart[][];
}

export interface AlignedTexts {
  rows: AlignedRow[];
  wordErrors: ErrorCounts[];
}

export function alignInRows(
  base: string,
  transcripts: readonly TimedTranscript[],
  normalization: TranscriptNormalization,
): AlignedTexts {
  const baseTokens = splitTokens(base);
  const starts = listRowStarts(baseTokens);
  const rows = starts.map((start, at): AlignedRow => {
    const first = baseTokens[start];
    const last = baseTokens[(starts[at + 1] ?? baseTokens.length) - 1];
    return { base: first && last ? base.slice(first.from, last.to) : '', cells: [] };
  });
  const wordErrors = transcripts.map((transcript) => {
    const tokens = splitTokens(transcript.text);
    const aligned = alignTranscripts(getTexts(baseTokens), getTexts(tokens), normalization);
    const pieces = joinSharedWords(aligned.words);
    const cells = toCells(pieces, starts, { base, baseTokens, transcript, tokens });
    for (const [at, row] of rows.entries()) row.cells.push(cells[at] ?? []);
    return aligned.wordErrors;
  });
  return { rows, wordErrors };
}

/**
 * Ends a row at the first sentence end after `ROW_LENGTH` characters, or anywhere after `MAX_ROW`.
 */
const ROW_LENGTH = 120;
const MAX_ROW = 260;
const SENTENCE_END = /[.!?…。！？]["'”’)»]*$/u;

function listRowStarts(tokens: readonly TranscriptToken[]): number[] {
  const starts = [0];
  let from = 0;
  for (const [at, { text, to }] of tokens.entries()) {
    const isEnd = to - from >= MAX_ROW || (to - from >= ROW_LENGTH && SENTENCE_END.test(text));
    const next = tokens[at + 1];
    if (!isEnd || next === undefined) continue;
    starts.push(at + 1);
    from = next.from;
  }
  return starts;
}

/** Merges the units of one written word; for example, “well-known” has two units. */
function joinSharedWords(words: readonly AlignedWord[]): AlignedWord[] {
  const joined: AlignedWord[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    if (
      last &&
      (overlaps(last.reference, word.reference) || overlaps(last.transcript, word.transcript))
    ) {
      joined[joined.length - 1] = {
        kind: last.kind === word.kind ? last.kind : 'substituted',
        reference: unite(last.reference, word.reference),
        transcript: unite(last.transcript, word.transcript),
      };
    } else joined.push(word);
  }
  return joined;
}

function overlaps(one: WordSpan | null, next: WordSpan | null): boolean {
  return one !== null && next !== null && next.from < one.to;
}

function unite(one: WordSpan | null, next: WordSpan | null): WordSpan | null {
  if (one === null || next === null) return one ?? next;
  return { from: Math.min(one.from, next.from), to: Math.max(one.to, next.to) };
}

interface Sources {
  base: string;
  baseTokens: readonly TranscriptToken[];
  transcript: TimedTranscript;
  tokens: readonly TranscriptToken[];
}

function toCells(pieces: readonly AlignedWord[], starts: readonly number[], sources: Sources) {
  const { base, baseTokens, transcript, tokens } = sources;
  const stretchAt = createTokenTimes(tokens, transcript);
  const cells: AlignedPart[][] = starts.map(() => []);
  let row = 0;
  /** The index of the transcript's next token. */
  let next = 0;
  /** The current run of equal words. */
  let run: { part: AlignedPart; from: number } | null = null;
  for (const { kind, reference, transcript: span } of pieces) {
    while (reference !== null && reference.from >= (starts[row + 1] ?? Number.POSITIVE_INFINITY)) {
      row += 1;
      run = null;
    }
    const written = span === null ? null : getPlace(tokens, span);
    const text = written === null ? '' : transcript.text.slice(written.from, written.to);
    if (kind === 'same') {
      if (run !== null && written !== null) {
        run.part.text = transcript.text.slice(run.from, written.to);
      } else if (written !== null) {
        const part: AlignedPart = { kind, text, isApart: isApart(tokens, span) };
        cells[row]?.push(part);
        run = { part, from: written.from };
      }
    } else {
      const place = reference === null ? null : getPlace(baseTokens, reference);
      cells[row]?.push({
        kind,
        expected: place === null ? '' : base.slice(place.from, place.to),
        text,
        isApart: span === null ? isApart(baseTokens, reference) : isApart(tokens, span),
        stretch: getStretch(stretchAt, span ?? { from: next, to: next }),
      });
      run = null;
    }
    next = span?.to ?? next;
  }
  return cells;
}

function getPlace(tokens: readonly TranscriptToken[], { from, to }: WordSpan) {
  return { from: tokens[from]?.from ?? 0, to: tokens[to - 1]?.to ?? 0 };
}

function isApart(tokens: readonly TranscriptToken[], span: WordSpan | null): boolean {
  const at = span?.from ?? 0;
  return at === 0 || tokens[at]?.from !== tokens[at - 1]?.to;
}

/** Estimates the time of a missing word from its neighbors. */
function getStretch(
  stretchAt: (at: number) => SpokenStretch | null,
  { from, to }: WordSpan,
): SpokenStretch | null {
  const first = stretchAt(from === to ? from - 1 : from);
  const last = stretchAt(from === to ? from : to - 1);
  if (first === null || last === null) return from === to ? (first ?? last) : null;
  return from === to
    ? { ...getGap(first, last), startSeconds: first.startSeconds, endSeconds: last.endSeconds }
    : { ...first, endSeconds: Math.max(first.endSeconds, last.endSeconds) };
}

function getTexts(tokens: readonly TranscriptToken[]): string[] {
  return tokens.map(({ text }) => text);
}
