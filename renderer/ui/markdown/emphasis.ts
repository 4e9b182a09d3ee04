/** Pairs the delimiters of emphasis and strikethrough, in time linear in the text. */
import { type CharacterClass, classifyAfter, classifyBefore } from './characters.ts';

export type EmphasisSpan = {
  kind: 'em' | 'strong' | 'del';
  /** The length of the delimiter at each end. */
  width: 1 | 2;
  /** The index after the closing delimiter. */
  end: number;
};

type Delimiter = {
  mark: string;
  /** The part of the run that isn't used yet. */
  start: number;
  end: number;
  /** The original length of the run, which rules 9 and 10 of CommonMark count. */
  runLength: number;
  canOpen: boolean;
  canClose: boolean;
  /** The previous delimiter that can still open. */
  previous: Delimiter | null;
};

/** Maps each span's start index to the span. */
export function findEmphasis(text: string): ReadonlyMap<number, EmphasisSpan> {
  const spans = new Map<number, EmphasisSpan>();
  /** No opener for closers of the same kind exists before this index. */
  const bottoms = new Map<string, number>();
  let last: Delimiter | null = null;
  for (const delimiter of delimiters(text)) {
    if (delimiter.canClose) last = closeSpans(delimiter, last, bottoms, spans);
    if (!delimiter.canOpen || delimiter.start === delimiter.end) continue;
    delimiter.previous = last;
    last = delimiter;
  }
  return spans;
}

/** Matches `closer` with as many openers as it can, and returns the last opener that remains. */
function closeSpans(
  closer: Delimiter,
  last: Delimiter | null,
  bottoms: Map<string, number>,
  spans: Map<number, EmphasisSpan>,
): Delimiter | null {
  const kind = `${closer.mark}${closer.canOpen}${closer.runLength % 3}`;
  const bottom = bottoms.get(kind) ?? 0;
  let top = last;
  while (closer.start < closer.end) {
    let opener = top;
    while (opener !== null && opener.start >= bottom && !isPair(opener, closer)) {
      opener = opener.previous;
    }
    if (opener === null || opener.start < bottom) {
      bottoms.set(kind, closer.start);
      return top;
    }
    const width = Math.min(opener.end - opener.start, closer.end - closer.start) >= 2 ? 2 : 1;
    opener.end -= width;
    closer.start += width;
    const kindOfSpan = closer.mark === '~' ? 'del' : width === 2 ? 'strong' : 'em';
    spans.set(opener.end, { kind: kindOfSpan, width, end: closer.start });
    top = opener.start === opener.end ? opener.previous : opener;
  }
  return top;
}

function isPair(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.mark !== closer.mark) return false;
  if (!opener.canClose && !closer.canOpen) return true;
  const sum = opener.runLength + closer.runLength;
  return sum % 3 !== 0 || (opener.runLength % 3 === 0 && closer.runLength % 3 === 0);
}

function* delimiters(text: string): Generator<Delimiter> {
  for (const { 0: run, index: start } of text.matchAll(/\*+|_+|~+/g)) {
    const mark = run.charAt(0);
    // Models write a single tilde for “about” or a range. Three or more have no meaning inline.
    if (mark === '~' && run.length !== 2) continue;
    const end = start + run.length;
    const before = classifyBeside(classifyBefore(text, start), mark, text[start - 1]);
    const after = classifyBeside(classifyAfter(text, end), mark, text[end]);
    const canLeft = isLeftFlanking(before, after);
    const canRight = isRightFlanking(before, after);
    const isStrict = mark === '_';
    yield {
      mark,
      start,
      end,
      runLength: run.length,
      canOpen: canLeft && (!isStrict || !canRight || before.isPunctuation),
      canClose: canRight && (!isStrict || !canLeft || after.isPunctuation),
      previous: null,
    };
  }
}

/** Emphasis and strikethrough can start or end at the same place without blocking each other. */
function classifyBeside(
  found: CharacterClass,
  mark: string,
  character: string | undefined,
): CharacterClass {
  const isOther = mark === '~' ? character === '*' || character === '_' : character === '~';
  return isOther ? { ...found, isPunctuation: false } : found;
}

function isLeftFlanking(before: CharacterClass, after: CharacterClass): boolean {
  if (after.isSpace) return false;
  return !isNarrowMark(after) || before.isSpace || before.isPunctuation || before.isCjk;
}

function isRightFlanking(before: CharacterClass, after: CharacterClass): boolean {
  if (before.isSpace) return false;
  return !isNarrowMark(before) || after.isSpace || after.isPunctuation || after.isCjk;
}

function isNarrowMark({ isPunctuation, isCjk }: CharacterClass): boolean {
  return isPunctuation && !isCjk;
}
