/**
 * Finds the shortest edit script with bit vectors of 32 rows: G. Myers, J. ACM 46(3), 1999
 * (https://doi.org/10.1145/316542.316550), as adapted by H. Hyyrö, Nordic Journal of Computing
 * 10(1), 2003. Splits large tables as in D. S. Hirschberg, Comm. ACM 18(6), 1975
 * (https://doi.org/10.1145/360825.360861). Runs in a worker.
 */

/** Assigns equal texts the same number. */
export function numberSymbols(
  one: readonly string[],
  other: readonly string[],
): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const getNumber = (text: string) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  return [Int32Array.from(one, getNumber), Int32Array.from(other, getNumber)];
}

/** Limits the table to 32 MB, which fits 11,000 words without a common word. */
const MAX_TABLE_BLOCKS = 4_000_000;

/** Returns the steps from `one` to `other`. Splits tables above `maxTableBlocks` (8 bytes each). */
export function editScript(
  one: Int32Array,
  other: Int32Array,
  maxTableBlocks = MAX_TABLE_BLOCKS,
): Uint8Array {
  const steps = new Uint8Array(one.length + other.length);
  let count = 0;

  function push(kind: number, times: number): void {
    steps.fill(kind, count, count + times);
    count += times;
  }

  function solve(whole: Int32Array, wholeOther: Int32Array): void {
    const shorter = Math.min(whole.length, wholeOther.length);
    let before = 0;
    while (before < shorter && whole[before] === wholeOther[before]) before += 1;
    let after = 0;
    while (after < shorter - before && whole.at(-1 - after) === wholeOther.at(-1 - after)) {
      after += 1;
    }
    const from = whole.subarray(before, whole.length - after);
    const to = wholeOther.subarray(before, wholeOther.length - after);
    push(editKinds.same, before);
    if (from.length === 0) push(editKinds.inserted, to.length);
    else if (to.length === 0) push(editKinds.deleted, from.length);
    else if (to.length === 1 || blockCount(from) * to.length <= maxTableBlocks) {
      const way = wayBack(from, to);
      steps.set(way, count);
      count += way.length;
    } else {
      const half = to.length >>> 1;
      const row = divide(from, to, half);
      solve(from.subarray(0, row), to.subarray(0, half));
      solve(from.subarray(row), to.subarray(half));
    }
    push(editKinds.same, after);
  }

  solve(one, other);
  return alignAroundMatches(one, other, steps.subarray(0, count));
}

/** Bits of rows whose value is one more (`plus`) or one less (`minus`) than the row above. */
interface Differences {
  plus: Int32Array;
  minus: Int32Array;
}

function blockCount(symbols: Int32Array): number {
  return (symbols.length + 31) >>> 5;
}

/** Maps each symbol to its rows. */
function getRows(symbols: Int32Array): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (const [row, symbol] of symbols.entries()) {
    const own = rows.get(symbol);
    if (own === undefined) rows.set(symbol, [row]);
    else own.push(row);
  }
  return rows;
}

/** Returns the differences of the last column, and writes every column to `table`. */
function sweep(from: Int32Array, to: Int32Array, table: Differences | null = null): Differences {
  const blocks = blockCount(from);
  const plus = new Int32Array(blocks).fill(-1);
  const minus = new Int32Array(blocks);
  const rows = getRows(from);
  const matches = new Int32Array(blocks);
  for (const [column, symbol] of to.entries()) {
    const own = rows.get(symbol) ?? [];
    for (const row of own) matches[row >>> 5] = (matches[row >>> 5] ?? 0) | (1 << (row & 31));
    let carryPlus = 1;
    let carryMinus = 0;
    for (let block = 0; block < blocks; block += 1) {
      let equal = matches[block] ?? 0;
      const down = plus[block] ?? 0;
      const downMinus = minus[block] ?? 0;
      const vertical = equal | downMinus;
      equal |= carryMinus;
      const horizontal = ((((equal & down) + down) | 0) ^ down) | equal;
      const right = downMinus | ~(horizontal | down);
      const rightMinus = down & horizontal;
      const shifted = (right << 1) | carryPlus;
      const shiftedMinus = (rightMinus << 1) | carryMinus;
      carryPlus = right >>> 31;
      carryMinus = rightMinus >>> 31;
      plus[block] = shiftedMinus | ~(vertical | shifted);
      minus[block] = shifted & vertical;
    }
    for (const row of own) matches[row >>> 5] = 0;
    table?.plus.set(plus, column * blocks);
    table?.minus.set(minus, column * blocks);
  }
  return { plus, minus };
}

/** Finds the row at which a shortest path leaves the first `half` columns. */
function divide(from: Int32Array, to: Int32Array, half: number): number {
  const firsts = lastColumn(from, to.subarray(0, half));
  const seconds = lastColumn(from.toReversed(), to.subarray(half).toReversed());
  const getTotal = (row: number) => (firsts[row] ?? 0) + (seconds[from.length - row] ?? 0);
  let best = 0;
  for (let row = 1; row <= from.length; row += 1) if (getTotal(row) < getTotal(best)) best = row;
  return best;
}

/** Returns the edit distance between each start of `from` and the whole of `to`. */
function lastColumn(from: Int32Array, to: Int32Array): Int32Array {
  const end = sweep(from, to);
  const values = new Int32Array(from.length + 1);
  values[0] = to.length;
  for (let row = 1; row <= from.length; row += 1) {
    values[row] = (values[row - 1] ?? 0) + difference(end, 0, row);
  }
  return values;
}

/** Returns the difference between a row (from 1) and the row above. */
function difference({ plus, minus }: Differences, firstBlock: number, row: number): number {
  const block = firstBlock + ((row - 1) >>> 5);
  const bit = (row - 1) & 31;
  return (((plus[block] ?? 0) >>> bit) & 1) - (((minus[block] ?? 0) >>> bit) & 1);
}

function wayBack(from: Int32Array, to: Int32Array): Uint8Array {
  const blocks = blockCount(from);
  const size = blocks * to.length;
  const table = { plus: new Int32Array(size), minus: new Int32Array(size) };
  sweep(from, to, table);
  const steps = new Uint8Array(from.length + to.length);
  let count = 0;
  let row = from.length;
  let column = to.length;
  while (row > 0 && column > 0) {
    let kind: number = editKinds.substituted;
    if (difference(table, (column - 1) * blocks, row) === 1) kind = editKinds.deleted;
    else if (column > 1 && difference(table, (column - 2) * blocks, row) === -1) {
      kind = editKinds.inserted;
    } else if (from[row - 1] === to[column - 1]) kind = editKinds.same;
    steps[count] = kind;
    count += 1;
    if (kind !== editKinds.inserted) row -= 1;
    if (kind !== editKinds.deleted) column -= 1;
  }
  steps.fill(editKinds.deleted, count, count + row);
  steps.fill(editKinds.inserted, count + row, count + row + column);
  return steps.slice(0, count + row + column).reverse();
}

/** `inserted` consumes no symbol of the first sequence, and `deleted` none of the second. */
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
  const costAt = (row: number, column: number) => costs[row * width + column] ?? 0;
  const isSame = (row: number, column: number) => from[row - 1] === to[column - 1];
  const diagonal = (row: number, column: number) =>
    costAt(row - 1, column - 1) + (isSame(row, column) ? 0 : edit + 1);
  for (let column = 1; column < width; column += 1) costs[column] = column * edit;
  for (let row = 1; row <= from.length; row += 1) {
    costs[row * width] = row * edit;
    for (let column = 1; column < width; column += 1) {
      costs[row * width + column] = Math.min(
        costAt(row - 1, column) + edit,
        costAt(row, column - 1) + edit,
        diagonal(row, column),
      );
    }
  }
  const steps: number[] = [];
  let [row, column] = [from.length, to.length];
  while (row > 0 || column > 0) {
    const cost = costAt(row, column);
    let kind: number = editKinds.inserted;
    if (row > 0 && cost === costAt(row - 1, column) + edit) kind = editKinds.deleted;
    else if (row > 0 && column > 0 && cost === diagonal(row, column)) {
      kind = isSame(row, column) ? editKinds.same : editKinds.substituted;
    }
    steps.push(kind);
    if (kind !== editKinds.inserted) row -= 1;
    if (kind !== editKinds.deleted) column -= 1;
  }
  return Uint8Array.from(steps.reverse());
}
