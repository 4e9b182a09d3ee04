import { describe, expect, test } from 'vitest';
import { editKinds, editScript } from '../../renderer/run/compare/metrics/edit-script.ts';

describe('the edit script', () => {
  let seed = 11;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const sequence = (length: number, symbols: number) =>
    Int32Array.from({ length }, () => next(symbols));
  /** Edits about one of every `every` symbols. */
  const edited = (symbols: Int32Array, every: number, count: number) =>
    Int32Array.from(
      [...symbols].flatMap((symbol) => {
        if (next(every) > 0) return [symbol];
        return [[], [next(count)], [symbol, next(count)]][next(3)] ?? [];
      }),
    );

  test('finds one of the shortest scripts that turn one sequence into the other', () => {
    for (let round = 0; round < 300; round += 1) {
      const one = sequence(next(130), 1 + next(6));
      const other = next(2) === 0 ? sequence(next(130), 1 + next(6)) : edited(one, 4, 6);
      expect(costOf(one, other)).toBe(distanceByTable(one, other));
    }
  });

  test('finds a shortest script in a narrow band and in a divided table', () => {
    for (let round = 0; round < 20; round += 1) {
      const one = sequence(600 + next(600), 2 + next(40));
      const other = edited(one, 2 + next(30), 40);
      expect(costOf(one, other, 300)).toBe(distanceByTable(one, other));
    }
  });

  /** Checks that the script is valid, and counts its edits. */
  function costOf(one: Int32Array, other: Int32Array, maxTableBlocks?: number): number {
    let [row, column, cost] = [0, 0, 0];
    for (const step of editScript(one, other, maxTableBlocks)) {
      if (step === editKinds.same && one[row] !== other[column]) throw new Error('Not the same');
      if (step !== editKinds.inserted) row += 1;
      if (step !== editKinds.deleted) column += 1;
      if (step !== editKinds.same) cost += 1;
    }
    expect([row, column]).toEqual([one.length, other.length]);
    return cost;
  }

  function distanceByTable(one: Int32Array, other: Int32Array): number {
    let above = Array.from({ length: other.length + 1 }, (_, column) => column);
    for (const [row, symbol] of one.entries()) {
      const line = [row + 1];
      for (const [column, against] of other.entries()) {
        const diagonal = (above[column] ?? 0) + (symbol === against ? 0 : 1);
        line.push(Math.min((above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1, diagonal));
      }
      above = line;
    }
    return above[other.length] ?? 0;
  }
});
