/** Comparisons and their cells as rows; which runs they have become stands with the runs. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type Comparison,
  type ComparisonPlan,
  comparisonPlanSchema,
  comparisonSchema,
} from '../../shared/comparison.ts';
import { AppFailure, appError } from '../../shared/errors.ts';
import { type Database, unreadable } from './database-access.ts';
import { jsonColumn } from './json-column.ts';

export interface StoredCell {
  place: number;
  rowId: string;
  variantId: string;
  repeat: number;
  /** How often it is to be sent, and how often it was. */
  wanted: number;
  sent: number;
}

/** For what does not exist, every method throws an `AppFailure` of kind `not-found`. */
export interface ComparisonStore {
  /** With its cells, none of which was sent. */
  create(plan: ComparisonPlan): Comparison;
  get(id: string): Comparison;
  cells(id: string): StoredCell[];
  /** The cells of further repeats, behind the others. */
  addRepeats(id: string, times: number): void;
  /** Each cell is to be sent as often as `wanted` says. */
  want(id: string, cells: readonly Pick<StoredCell, 'place' | 'wanted'>[]): void;
  /** Part of the transaction that records the run. Returns the cell as it is then. */
  markSent(id: string, place: number): StoredCell;
  /** Hides it and its runs; their IDs. */
  hide(id: string, deletionId: string): string[];
  /** Returns whether there was one to restore. */
  restore(deletionId: string): boolean;
  removeHidden(deletionId: string): void;
}

const cellColumns = 'place, row_id AS rowId, variant_id AS variantId, repeat, wanted, sent';
const planColumn = jsonColumn(comparisonPlanSchema);
const rowSchema = comparisonSchema.pick({ id: true, createdAt: true }).extend({ plan: planColumn });
const cellRowSchema = z.object({
  place: z.int(),
  rowId: z.string(),
  variantId: z.string(),
  repeat: z.int(),
  wanted: z.int(),
  sent: z.int(),
});

export function createComparisonStore(db: Database, now: () => number): ComparisonStore {
  function rowOf(id: string): number {
    const row = db
      .sql('SELECT row FROM comparisons WHERE id = ? AND deletion IS NULL')
      .get(id)?.row;
    if (typeof row !== 'number') throw new AppFailure(noComparison);
    return row;
  }

  function insertCells(row: number, cells: readonly Omit<StoredCell, 'wanted' | 'sent'>[]): void {
    const insert = db.sql(`INSERT INTO comparison_cells
      (comparison, place, row_id, variant_id, repeat, wanted, sent) VALUES (?, ?, ?, ?, ?, 1, 0)`);
    for (const { place, rowId, variantId, repeat } of cells) {
      insert.run(row, place, rowId, variantId, repeat);
    }
  }

  function get(id: string): Comparison {
    const found = db
      .sql(`SELECT id, created_at AS createdAt, plan FROM comparisons WHERE row = ?`)
      .get(rowOf(id));
    const { success, data } = rowSchema.safeParse(found);
    if (!success) {
      db.warn(unreadable('comparisons'));
      throw new AppFailure(noComparison);
    }
    return { ...data.plan, id: data.id, createdAt: data.createdAt };
  }

  function cells(id: string): StoredCell[] {
    return z.array(cellRowSchema).parse(
      db
        .sql(`SELECT ${cellColumns}
          FROM comparison_cells WHERE comparison = ? ORDER BY place`)
        .all(rowOf(id)),
    );
  }

  return {
    create(plan) {
      const comparison = { ...plan, id: randomUUID(), createdAt: now() };
      db.write(() => {
        const { lastInsertRowid } = db
          .sql('INSERT INTO comparisons (id, created_at, plan) VALUES (?, ?, ?)')
          .run(comparison.id, comparison.createdAt, JSON.stringify(plan));
        insertCells(Number(lastInsertRowid), placesOf(plan, 0, plan.repeats, 0));
      });
      return comparison;
    },

    get,
    cells,

    addRepeats(id, times) {
      db.write(() => {
        const { createdAt: _at, id: _id, ...plan } = get(id);
        const row = rowOf(id);
        const next = cells(id).length;
        insertCells(row, placesOf(plan, plan.repeats, plan.repeats + times, next));
        const repeats = plan.repeats + times;
        db.sql('UPDATE comparisons SET plan = ? WHERE row = ?').run(
          JSON.stringify({ ...plan, repeats }),
          row,
        );
      });
    },

    want(id, changed) {
      db.write(() => {
        const row = rowOf(id);
        for (const { place, wanted } of changed) {
          db.sql('UPDATE comparison_cells SET wanted = ? WHERE comparison = ? AND place = ?').run(
            wanted,
            row,
            place,
          );
        }
      });
    },

    markSent(id, place) {
      const cell = db.write(() =>
        db
          .sql(`UPDATE comparison_cells SET sent = sent + 1 WHERE comparison = ? AND place = ?
            RETURNING ${cellColumns}`)
          .get(rowOf(id), place),
      );
      return cellRowSchema.parse(cell);
    },

    hide(id, deletionId) {
      return db.write(() => {
        const runIds = db
          .sql('SELECT id FROM shown_runs WHERE comparison_id = ?')
          .all(id)
          .map((run) => String(run.id));
        db.sql('UPDATE comparisons SET deletion = ? WHERE row = ?').run(deletionId, rowOf(id));
        db.sql('UPDATE runs SET deletion = ? WHERE comparison_id = ? AND deletion IS NULL').run(
          deletionId,
          id,
        );
        return runIds;
      });
    },

    restore(deletionId) {
      const { changes } = db.write(() => {
        db.sql('UPDATE runs SET deletion = NULL WHERE deletion = ?').run(deletionId);
        return db.sql('UPDATE comparisons SET deletion = NULL WHERE deletion = ?').run(deletionId);
      });
      return Number(changes) > 0;
    },

    removeHidden(deletionId) {
      db.write(() => db.sql('DELETE FROM comparisons WHERE deletion = ?').run(deletionId));
    },
  };
}

/** Row by row, variant by variant, of the repeats from `from` to before `to`. */
function placesOf(
  { rows, variants }: Pick<ComparisonPlan, 'rows' | 'variants'>,
  from: number,
  to: number,
  first: number,
): Omit<StoredCell, 'wanted' | 'sent'>[] {
  const repeats = Array.from({ length: to - from }, (_, index) => from + index);
  return rows
    .flatMap((row) => variants.map((variant) => ({ rowId: row.id, variantId: variant.id })))
    .flatMap((cell) => repeats.map((repeat) => ({ ...cell, repeat })))
    .map((cell, index) => ({ ...cell, place: first + index }));
}

const noComparison = appError(
  'not-found',
  'This comparison no longer exists.',
  'Run it again, or choose another one in History.',
  {},
);
