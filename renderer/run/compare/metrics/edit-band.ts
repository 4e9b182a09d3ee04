/**
 * Computes a band of the Levenshtein table, 32 rows at a time. Bit vectors: G. Myers, J. ACM 46(3),
 * 1999 (https://doi.org/10.1145/316542.316550), as adapted by H. Hyyrö, Nordic Journal of Computing
 * 10(1), 2003. Band: E. Ukkonen, Information and Control 64, 1985
 * (https://doi.org/10.1016/S0019-9958(85)80046-2).
 */

/** Indexes the rows of each symbol. */
export interface EditPattern {
  rows: number;
  /** The entries of symbol `s`, one per block, are at `starts[s]` to `starts[s + 1]`. */
  starts: Int32Array;
  blockOf: Int32Array;
  /** Which of the block's 32 rows contain the symbol. */
  bitsOf: Int32Array;
}

/** Limits row minus column of the computed cells. */
export interface EditBand {
  low: number;
  high: number;
}

/** Stores each column's vertical differences for the traceback. */
export interface BandRecord {
  width: number;
  /** Rows whose value is one more (`plus`) or one less (`minus`) than in the row above. */
  plus: Int32Array;
  minus: Int32Array;
}

export interface BandEnd {
  firstBlock: number;
  /** The last computed row (1-based) and its value. */
  bottomRow: number;
  bottomValue: number;
  plus: Int32Array;
  minus: Int32Array;
}

/** Symbols are integers from 0 to `symbolCount` - 1. */
export function toEditPattern(symbols: Int32Array, symbolCount: number): EditPattern {
  const starts = new Int32Array(symbolCount + 1);
  const latestBlock = new Int32Array(symbolCount).fill(-1);
  for (let row = 0; row < symbols.length; row += 1) {
    const symbol = symbols[row] ?? 0;
    if (latestBlock[symbol] === row >>> 5) continue;
    latestBlock[symbol] = row >>> 5;
    starts[symbol + 1] = (starts[symbol + 1] ?? 0) + 1;
  }
  for (let symbol = 0; symbol < symbolCount; symbol += 1) {
    starts[symbol + 1] = (starts[symbol + 1] ?? 0) + (starts[symbol] ?? 0);
  }
  const blockOf = new Int32Array(starts[symbolCount] ?? 0);
  const bitsOf = new Int32Array(blockOf.length);
  const ends = starts.slice();
  latestBlock.fill(-1);
  for (let row = 0; row < symbols.length; row += 1) {
    const symbol = symbols[row] ?? 0;
    const block = row >>> 5;
    if (latestBlock[symbol] !== block) {
      latestBlock[symbol] = block;
      blockOf[ends[symbol] ?? 0] = block;
      ends[symbol] = (ends[symbol] ?? 0) + 1;
    }
    const entry = (ends[symbol] ?? 0) - 1;
    bitsOf[entry] = (bitsOf[entry] ?? 0) | (1 << (row & 31));
  }
  return { rows: symbols.length, starts, blockOf, bitsOf };
}

/** Returns a band that contains every path of at most `limit` edits. */
export function getBand(rows: number, columns: number, limit: number): EditBand {
  const longer = rows - columns;
  const slack = (limit - Math.abs(longer)) >> 1;
  return { low: Math.min(0, longer) - slack, high: Math.max(0, longer) + slack };
}

/** Returns the maximum number of blocks in a column of the band. */
export function getBandWidth({ low, high }: EditBand, rows: number): number {
  return Math.min((rows + 31) >>> 5, ((high - low) >>> 5) + 2);
}

export function getFirstBlock({ low }: EditBand, column: number): number {
  return Math.max(0, column + low) >>> 5;
}

/** Computes the first `columns` columns; a value is too high if its best path leaves the band. */
export function sweepBand(
  pattern: EditPattern,
  text: Int32Array,
  columns: number,
  band: EditBand,
  record: BandRecord | null = null,
): BandEnd {
  const { rows, starts, blockOf, bitsOf } = pattern;
  const plus = new Int32Array((rows + 31) >>> 5).fill(-1);
  const minus = new Int32Array(plus.length);
  const cursors = starts.slice();
  let firstBlock = 0;
  let bottomRow = 0;
  let bottomValue = 0;
  for (let column = 0; column < columns; column += 1) {
    firstBlock = getFirstBlock(band, column);
    const lastBlock = (Math.min(rows, column + 1 + band.high) - 1) >>> 5;
    const newBottom = Math.min(rows, (lastBlock + 1) << 5);
    bottomValue += newBottom - bottomRow;
    bottomRow = newBottom;

    const symbol = text[column] ?? 0;
    const end = starts[symbol + 1] ?? 0;
    let entry = cursors[symbol] ?? 0;
    while (entry < end && (blockOf[entry] ?? 0) < firstBlock) entry += 1;
    cursors[symbol] = entry;

    let carryPlus = 1;
    let carryMinus = 0;
    let right = 0;
    let rightMinus = 0;
    for (let block = firstBlock; block <= lastBlock; block += 1) {
      let equal = 0;
      if (entry < end && blockOf[entry] === block) {
        equal = bitsOf[entry] ?? 0;
        entry += 1;
      }
      const down = plus[block] ?? 0;
      const downMinus = minus[block] ?? 0;
      const vertical = equal | downMinus;
      equal |= carryMinus;
      const horizontal = ((((equal & down) + down) | 0) ^ down) | equal;
      right = downMinus | ~(horizontal | down);
      rightMinus = down & horizontal;
      const shifted = (right << 1) | carryPlus;
      const shiftedMinus = (rightMinus << 1) | carryMinus;
      carryPlus = right >>> 31;
      carryMinus = rightMinus >>> 31;
      plus[block] = shiftedMinus | ~(vertical | shifted);
      minus[block] = shifted & vertical;
    }
    const bottomBit = (bottomRow - 1) & 31;
    bottomValue += ((right >>> bottomBit) & 1) - ((rightMinus >>> bottomBit) & 1);
    if (record !== null) {
      record.plus.set(plus.subarray(firstBlock, lastBlock + 1), column * record.width);
      record.minus.set(minus.subarray(firstBlock, lastBlock + 1), column * record.width);
    }
  }
  return { firstBlock, bottomRow, bottomValue, plus, minus };
}
