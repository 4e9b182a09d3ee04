/**
 * Of several ways with as few edits, the one that reads best keeps most: “well hello” and “hello friend” share a word,
 * though two substitutions are no more edits than a deletion and an insertion around it. The weights of NIST's sclite
 * (substitution 4, deletion and insertion 3 each: https://github.com/usnistgov/SCTK/blob/master/doc/sclite.htm) prefer
 * the same.
 */
import { editKinds } from './edit-kinds.ts';

/**
 * The steps with the same number of edits, and with more `same` steps where a stretch without any allows it. Stretches
 * of thousands of symbols stay as they are.
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

/** By the table of all cells: fewest edits first, then fewest substitutions, which is most that is the same. */
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
