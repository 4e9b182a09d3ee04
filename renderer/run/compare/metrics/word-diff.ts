/**
 * Diffs texts by word and ignores whitespace. Short coincidental matches count as changed, as in N.
 * Fraser, “Diff strategies”, 2006 (https://neil.fraser.name/writing/diff/).
 */
import { editKinds, editScript, numberSymbols } from './edit-script.ts';

/** `same` uses the second text's spelling; `removed` precedes `added`. */
export interface DiffRun {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Runs without `added` form the first text; runs without `removed` form the second. */
export function diffWords(one: string, other: string): DiffRun[] {
  const [ones, others] = [splitTokens(one), splitTokens(other)];
  const getText = ({ core }: Token) => core;
  const steps = editScript(...numberSymbols(ones.map(getText), others.map(getText)));
  const stretches = joinIslands(toStretches(steps, ones, others));
  slideToBoundaries(stretches);
  return stretches.flatMap(({ isSame, removed, added }, at): DiffRun[] => {
    if (!isSame) return [...getRun('removed', removed), ...getRun('added', added)];
    // The second text may have no space before removed words.
    const isBeforeRemoved = (stretches[at + 1]?.removed.length ?? 0) > 0;
    const last = (isBeforeRemoved ? removed : added).slice(-1);
    return getRun('same', [...added.slice(0, -1), ...last]);
  });
}

/** A word or symbol with its trailing whitespace. */
interface Token {
  core: string;
  text: string;
}

interface Stretch {
  isSame: boolean;
  removed: Token[];
  added: Token[];
}

function splitTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let before = '';
  for (const { segment } of new Intl.Segmenter('und', { granularity: 'word' }).segment(text)) {
    const last = tokens.at(-1);
    if (segment.trim() !== '') {
      tokens.push({ core: segment, text: before + segment });
      before = '';
    } else if (last === undefined) before += segment;
    else last.text += segment;
  }
  return tokens;
}

function toStretches(steps: Uint8Array, ones: Token[], others: Token[]): Stretch[] {
  const stretches: Stretch[] = [];
  let row = 0;
  let column = 0;
  for (const step of steps) {
    const isSame = step === editKinds.same;
    let stretch = stretches.at(-1);
    if (stretch?.isSame !== isSame) {
      stretch = { isSame, removed: [], added: [] };
      stretches.push(stretch);
    }
    if (step !== editKinds.inserted) {
      stretch.removed.push(...ones.slice(row, row + 1));
      row += 1;
    }
    if (step !== editKinds.deleted) {
      stretch.added.push(...others.slice(column, column + 1));
      column += 1;
    }
  }
  return stretches;
}

/** Longer shared passages are never coincidental. */
const MAX_ISLAND_WORDS = 3;

/** Treats a short shared passage as changed if both surrounding changes are at least as long. */
function joinIslands(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const stretch of stretches) {
    joined.push(stretch);
    for (;;) {
      const [before, island, after] = joined.slice(-3);
      if (!before || !island || !after || after.isSame || !isIsland(before, island, after)) break;
      const merged: Stretch = {
        isSame: false,
        removed: [before, island, after].flatMap(({ removed }) => removed),
        added: [before, island, after].flatMap(({ added }) => added),
      };
      joined.splice(-3, 3, merged);
    }
  }
  return joined;
}

function isIsland(before: Stretch, island: Stretch, after: Stretch): boolean {
  const wordCount = island.added.filter(({ core }) => /[\p{L}\p{N}]/u.test(core)).length;
  const length = getLength(island.added);
  return (
    wordCount <= MAX_ISLAND_WORDS &&
    length <= getChangeLength(before) &&
    length <= getChangeLength(after)
  );
}

function getLength(tokens: readonly Token[]): number {
  return tokens.reduce((length, { core }) => length + core.length, 0);
}

function getChangeLength({ removed, added }: Stretch): number {
  return Math.max(getLength(removed), getLength(added));
}

/** Moves a change to the start of a paragraph or sentence, if the text allows it. */
function slideToBoundaries(stretches: Stretch[]): void {
  for (let at = 1; at + 1 < stretches.length; at += 1) {
    const [before, change, after] = stretches.slice(at - 1, at + 2);
    if (!before || !change || !after || change.isSame) continue;
    if (change.removed.length > 0 && change.added.length > 0) continue;
    const side = change.removed.length > 0 ? 'removed' : 'added';
    const all = [...before[side], ...change[side], ...after[side]];
    const length = change[side].length;
    const start = findBestStart(all, before[side].length, length, after[side].length);
    const by = start - before[side].length;
    if (by === 0) continue;
    change[side] = all.slice(start, start + length);
    moveSame(before, after, by, side);
    before[side] = all.slice(0, start);
    after[side] = all.slice(start + length);
  }
}

function moveSame(before: Stretch, after: Stretch, by: number, side: 'removed' | 'added'): void {
  const rest = side === 'removed' ? 'added' : 'removed';
  const all = [...before[rest], ...after[rest]];
  const start = before[rest].length + by;
  before[rest] = all.slice(0, start);
  after[rest] = all.slice(start);
}

/** Keep one equal word on each side, so that no range becomes empty. */
function findBestStart(
  all: readonly Token[],
  start: number,
  length: number,
  behind: number,
): number {
  let first = start;
  while (first > 1 && all[first - 1]?.core === all[first + length - 1]?.core) first -= 1;
  let last = start;
  while (last < start + behind - 1 && all[last]?.core === all[last + length]?.core) last += 1;
  let best = start;
  for (let at = first; at <= last; at += 1) {
    if (rankBoundary(all[at - 1]) > rankBoundary(all[best - 1])) best = at;
  }
  return best;
}

/** Ranks how natural a change boundary looks after a token. */
function rankBoundary(token: Token | undefined): number {
  if (token === undefined) return 0;
  if (token.text.includes('\n')) return 3;
  if (/[.!?…。！？]$/u.test(token.core)) return 2;
  return /[,;:、，；：]$/u.test(token.core) ? 1 : 0;
}

function getRun(kind: DiffRun['kind'], tokens: readonly Token[]): DiffRun[] {
  return tokens.length === 0 ? [] : [{ kind, text: tokens.map(({ text }) => text).join('') }];
}
