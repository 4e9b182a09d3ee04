/**
 * Finds the shortest edit script. Splits large tables as in D. S. Hirschberg, Comm. ACM 18(6), 1975
 * (https://doi.org/10.1145/360825.360861). Runs in a worker.
 */
import {
  type BandEnd,
  type BandRecord,
  type EditBand,
  getBand,
  getBandWidth,
  getFirstBlock,
  sweepBand,
  toEditPattern,
} from './edit-band.ts';

/** Assigns the same number to equal texts. */
export function numberSymbols(
  one: readonly string[],
  other: readonly string[],
): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const getNumber = (text: string) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
  return [Int32Array.from(one, getNumber), Int32Array.from(other, getNumber)];
}

/** Limits the table to 32 MB, enough for 11,000 words with nothing in common. */
const MAX_TABLE_BLOCKS = 4_000_000;

/** Returns the steps from `one` to `other`. Splits tables above `maxTableBlocks` (8 bytes each). */
export function editScript(
  one: Int32Array,
  other: Int32Array,
  maxTableBlocks = MAX_TABLE_BLOCKS,
): Uint8Array {
  const symbolCount = 1 + Math.max(getGreatest(one), getGreatest(other));
  const steps = new Uint8Array(one.length + other.length);
  let count = 0;

  function push(kind: number, times: number): void {
    steps.fill(kind, count, count + times);
    count += times;
  }

  /** `distance` is null until known. */
  function solve(whole: Int32Array, wholeOther: Int32Array, distance: number | null): void {
    const before = countCommonStart(whole, wholeOther);
    const after = countCommonEnd(whole, wholeOther, before);
    const from = whole.subarray(before, whole.length - after);
    const to = wholeOther.subarray(before, wholeOther.length - after);
    push(editKinds.same, before);
    if (from.length === 0) push(editKinds.inserted, to.length);
    else if (to.length === 0) push(editKinds.deleted, from.length);
    else solveDifferent(from, to, distance ?? getDistance(from, to, symbolCount));
    push(editKinds.same, after);
  }

  function solveDifferent(from: Int32Array, to: Int32Array, distance: number): void {
    const band = getBand(from.length, to.length, distance);
    const width = getBandWidth(band, from.length);
    if (to.length === 1 || width * to.length <= maxTableBlocks) {
      const record: BandRecord = {
        width,
        plus: new Int32Array(width * to.length),
        minus: new Int32Array(width * to.length),
      };
      sweepBand(toEditPattern(from, symbolCount), to, to.length, band, record);
      const way = findWayBack(from, to, band, record);
      steps.set(way, count);
      count += way.length;
      return;
    }
    const half = to.length >>> 1;
    const { row, first, second } = divide(from, to, half, band, symbolCount);
    solve(from.subarray(0, row), to.subarray(0, half), first);
    solve(from.subarray(row), to.subarray(half), second);
  }

  solve(one, other, null);
  return alignAroundMatches(one, other, steps.subarray(0, count));
}

const FIRST_LIMIT = 64;

function getGreatest(symbols: Int32Array): number {
  return symbols.reduce((most, symbol) => Math.max(most, symbol), -1);
}

function countCommonStart(one: Int32Array, other: Int32Array): number {
  const length = Math.min(one.length, other.length);
  let count = 0;
  while (count < length && one[count] === other[count]) count += 1;
  return count;
}

function countCommonEnd(one: Int32Array, other: Int32Array, before: number): number {
  const length = Math.min(one.length, other.length) - before;
  let count = 0;
  while (count < length && one.at(-1 - count) === other.at(-1 - count)) count += 1;
  return count;
}

/** Widens the band until the path fits; each result bounds the distance and is the next limit. */
function getDistance(from: Int32Array, to: Int32Array, symbolCount: number): number {
  const pattern = toEditPattern(from, symbolCount);
  let limit = Math.max(FIRST_LIMIT, Math.abs(from.length - to.length));
  for (;;) {
    const band = getBand(from.length, to.length, limit);
    const { bottomValue } = sweepBand(pattern, to, to.length, band);
    if (bottomValue <= limit) return bottomValue;
    limit = Math.min(limit * 4, bottomValue);
  }
}

/** Finds the row where a shortest path leaves the first `half` columns. */
function divide(
  from: Int32Array,
  to: Int32Array,
  half: number,
  band: EditBand,
  symbolCount: number,
): { row: number; first: number; second: number } {
  const ahead = sweepBand(toEditPattern(from, symbolCount), to, half, band);
  const pattern = toEditPattern(from.toReversed(), symbolCount);
  const behind = sweepBand(pattern, to.toReversed(), to.length - half, band);
  const firsts = computeColumn(ahead, from.length, half);
  const seconds = computeColumn(behind, from.length, to.length - half);
  let best = { row: 0, first: Number.POSITIVE_INFINITY, second: 0 };
  for (const [row, first] of firsts.entries()) {
    const second = seconds[from.length - row] ?? Number.POSITIVE_INFINITY;
    if (first + second < best.first + best.second) best = { row, first, second };
  }
  return best;
}

/** Returns each row's value in the last column, or infinity outside the band. */
function computeColumn(end: BandEnd, rows: number, columns: number): Float64Array {
  const values = new Float64Array(rows + 1).fill(Number.POSITIVE_INFINITY);
  let value = end.bottomValue;
  for (let row = end.bottomRow; row > end.firstBlock * 32; row -= 1) {
    values[row] = value;
    value -= getDifference(end.plus, end.minus, (row - 1) >>> 5, row);
  }
  if (end.firstBlock === 0) values[0] = columns;
  return values;
}

function getDifference(plus: Int32Array, minus: Int32Array, block: number, row: number): number {
  const bit = (row - 1) & 31;
  return (((plus[block] ?? 0) >>> bit) & 1) - (((minus[block] ?? 0) >>> bit) & 1);
}

function findWayBack(
  from: Int32Array,
  to: Int32Array,
  band: EditBand,
  { width, plus, minus }: BandRecord,
): Uint8Array {
  const steps = new Uint8Array(from.length + to.length);
  let count = 0;
  let row = from.length;
  let column = to.length;
  /** Returns the difference from the cell above; columns are counted from 1. */
  const down = (at: number) => {
    const block = ((row - 1) >>> 5) - getFirstBlock(band, at - 1);
    if (block < 0 || block >= width) return 0;
    return getDifference(plus, minus, (at - 1) * width + block, row);
  };
  while (row > 0 && column > 0) {
    let kind: number = editKinds.substituted;
    if (down(column) === 1) kind = editKinds.deleted;
    else if (column > 1 && down(column - 1) === -1) kind = editKinds.inserted;
    else if (from[row - 1] === to[column - 1]) kind = editKinds.same;
    steps[count] = kind;
    count += 1;
    if (kind !== editKinds.inserted) row -= 1;
    if (kind !== editKinds.deleted) column -= 1;
  }
  steps.fill(editKinds.deleted, count, count + row);
  steps.fill(editKinds.inserted, count + row, count + row + column);
  return steps.slice(0, count + row + column).reverse();
}

/** `inserted` consumes no symbol of the first sequence; `deleted` consumes none of the second. */
export const editKinds = { same: 0, substituted: 1, deleted: 2, inserted: 3 } as const;

/**
 * Maximizes `same` steps at equal cost, as NIST's sclite does
 * (https://github.com/usnistgov/SCTK/blob/master/doc/sclite.htm). Skips stretches of thousands of
 * symbols.
 */
export function alignAroundMatches(
  one: Int32Array,
  other: Int32Array,
  steps: Uint8Array,
): Uint8Array {
  const kept = new Uint8Array(one.length + other.length);
  let count = 0;
  let row = 0;
  let column = 0;
  for (let at = 0; at < steps.length; ) {
    let end = at;
    let [rows, columns] = [0, 0];
    while (end < steps.length && steps[end] !== editKinds.same) {
      if (steps[end] !== editKinds.inserted) rows += 1;
      if (steps[end] !== editKinds.deleted) columns += 1;
      end += 1;
    }
    const stretch = steps.subarray(at, end);
    const from = one.subarray(row, row + rows);
    const to = other.subarray(column, column + columns);
    const better = mayShare(from, to) ? alignStretch(from, to) : stretch;
    kept.set(better, count);
    count += better.length;
    row += rows;
    column += columns;
    for (at = end; at < steps.length && steps[at] === editKinds.same; at += 1) {
      kept[count] = editKinds.same;
      count += 1;
      row += 1;
      column += 1;
    }
  }
  return kept.slice(0, count);
}

const MAX_CELLS = 16_384;

function mayShare(from: Int32Array, to: Int32Array): boolean {
  if (Math.min(from.length, to.length) < 2 || from.length * to.length > MAX_CELLS) return false;
  const symbols = new Set(from);
  return to.some((symbol) => symbols.has(symbol));
}

/** Minimizes edits first, then substitutions. */
function alignStretch(from: Int32Array, to: Int32Array): Uint8Array {
  const edit = from.length + to.length + 1;
  const width = to.length + 1;
  const costs = new Int32Array((from.length + 1) * width);
  const getCost = (row: number, column: number) => costs[row * width + column] ?? 0;
  const isSame = (row: number, column: number) => from[row - 1] === to[column - 1];
  const diagonal = (row: number, column: number) =>
    getCost(row - 1, column - 1) + (isSame(row, column) ? 0 : edit + 1);
  for (let column = 1; column < width; column += 1) costs[column] = column * edit;
  for (let row = 1; row <= from.length; row += 1) {
    costs[row * width] = row * edit;
    for (let column = 1; column < width; column += 1) {
      costs[row * width + column] = Math.min(
        getCost(row - 1, column) + edit,
        getCost(row, column - 1) + edit,
        diagonal(row, column),
      );
    }
  }
  const steps: number[] = [];
  let [row, column] = [from.length, to.length];
  while (row > 0 || column > 0) {
    const cost = getCost(row, column);
    let kind: number = editKinds.inserted;
    if (row > 0 && cost === getCost(row - 1, column) + edit) kind = editKinds.deleted;
    else if (row > 0 && column > 0 && cost === diagonal(row, column)) {
      kind = isSame(row, column) ? editKinds.same : editKinds.substituted;
    }
    steps.push(kind);
    if (kind !== editKinds.inserted) row -= 1;
    if (kind !== editKinds.deleted) column -= 1;
  }
  return Uint8Array.from(steps.reverse());
}
