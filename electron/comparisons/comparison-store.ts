/** Stores comparisons and their cells; each run references its comparison. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type Comparison,
  type ComparisonPlan,
  comparisonPlanSchema,
  comparisonSchema,
  countStaged,
} from '../../shared/comparison.ts';
import {
  applyNote,
  type ComparisonNotes,
  comparisonNotesSchema,
  copyNotes,
  type NoteChange,
  noNotes,
} from '../../shared/comparison-notes.ts';
import { appErrorSchema } from '../../shared/error-schema.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { runInSteps } from '../base/yield-to-event-loop.ts';
import type { Database } from '../storage/database-access.ts';
import type { Stage } from '../storage/deletions.ts';
import {
  createJsonColumn,
  insertFields,
  readColumn,
  readIds,
  readRows,
  selectFields,
} from '../storage/rows.ts';
import { replaceVariants } from './replace-variants.ts';

export interface ChatTurn extends Pick<Comparison, 'title' | 'variants'> {
  conversationId: string;
  asBefore: boolean;
  row: Comparison['rows'][number];
  cells: readonly { variantId: string; messageId: string }[];
}

type NewCell = Omit<StoredCell, 'wanted' | 'sent' | 'problem'>;

const planSchema = comparisonPlanSchema.omit({ title: true });
const planColumn = createJsonColumn(planSchema);
const notesColumn = createJsonColumn(comparisonNotesSchema);
const rowSchema = comparisonSchema
  .pick({ id: true, createdAt: true, title: true, conversationId: true })
  .extend({ plan: planColumn });
const storedCellSchema = z.object({
  place: z.int(),
  rowId: z.string(),
  variantId: z.string(),
  repeat: z.int(),
  messageId: z.string().nullable(),
  wanted: z.int(),
  sent: z.int(),
  problem: createJsonColumn(appErrorSchema).nullable().catch(null),
});
const cellColumns = selectFields(storedCellSchema);
export type StoredCell = z.infer<typeof storedCellSchema>;

export interface NewComparison {
  comparison: Comparison;
  cells: StoredCell[];
}

/** Inserting this many cells takes a few milliseconds. */
const CELLS_PER_STEP = 200;

/** Methods throw a `not-found` error if the comparison doesn't exist. */
export interface ComparisonStore {
  /** Copies notes about equal inputs from the comparison `notesFrom`. */
  create(plan: ComparisonPlan, notesFrom?: string | null): Comparison;
  /**
   * Creates the comparisons in steps, hidden at first; shows them and calls `record` with their IDs
   * in one transaction. If that throws, or `signal` aborts first, none of them exists.
   */
  createAll(
    plans: readonly ComparisonPlan[],
    stage: Stage,
    signal: AbortSignal,
    record: (ids: string[]) => void,
  ): Promise<NewComparison[]>;
  get(id: string): Comparison;
  notes(id: string): ComparisonNotes;
  /** Returns the IDs of the comparisons whose model names are hidden. */
  blind(): string[];
  cells(id: string): StoredCell[];
  /** Lists comparisons with unsent cells, newest first; skips damaged rows. */
  unsent(): { comparison: Comparison; cells: StoredCell[] }[];
  rename(id: string, title: string): void;
  /** Applies the change and returns all notes. */
  note(id: string, change: NoteChange): ComparisonNotes;
  /**
   * Adds a turn and calls `record` in one transaction; a null ID creates a comparison. Returns the
   * ID.
   */
  addTurn(id: string | null, turn: ChatTurn, record: () => void): string;
  /** Adds `times` repeats of every cell. */
  addRepeats(id: string, times: number): void;
  /** Stores how many attempts each cell should have, and why it wasn't sent, or null. */
  want(id: string, changed: readonly Pick<StoredCell, 'place' | 'wanted' | 'problem'>[]): void;
  /** Returns the updated cell; call this in the transaction that records the run. */
  markSent(id: string, place: number): StoredCell;
  /** Hides the comparison and its runs, except a chat's runs; returns the run IDs. */
  hide(id: string, deletedAt: number): string[];
  /** Purges comparisons hidden at that time and clears the references in remaining runs. */
  purge(deletedAt: number): void;
}

export function createComparisonStore(db: Database, now: () => number): ComparisonStore {
  function findRow(id: string): number | null {
    const row = db
      .sql('SELECT row FROM comparisons WHERE id = ? AND deleted_at IS NULL')
      .get(id)?.row;
    return typeof row === 'number' ? row : null;
  }

  function getRow(id: string): number {
    const row = findRow(id);
    if (row === null) throw new UserFacingError(noComparison);
    return row;
  }

  function insertCells(row: number, cells: readonly NewCell[]): void {
    for (const { place, rowId, variantId, repeat, messageId } of cells) {
      const cell = { place, rowId, variantId, repeat, messageId, wanted: 1, sent: 0 };
      insertFields(db, 'comparison_cells', { comparison: row, ...cell });
    }
  }

  function* insertInSteps(
    row: number,
    cells: readonly NewCell[],
    signal: AbortSignal,
  ): Generator<void> {
    for (let from = 0; from < cells.length; from += CELLS_PER_STEP) {
      signal.throwIfAborted();
      yield db.write(() => insertCells(row, cells.slice(from, from + CELLS_PER_STEP)));
    }
  }

  async function createHidden(
    plan: ComparisonPlan,
    hiddenAt: number,
    signal: AbortSignal,
  ): Promise<NewComparison> {
    const cells = getCells(plan);
    const comparison = db.write(() => insert(plan, null, hiddenAt));
    const row = db.sql('SELECT row FROM comparisons WHERE id = ?').get(comparison.id)?.row;
    await runInSteps(insertInSteps(Number(row), cells, signal));
    const unsent = { wanted: 1, sent: 0, problem: null };
    return { comparison, cells: cells.map((cell) => ({ ...cell, ...unsent })) };
  }

  function insert(
    plan: ComparisonPlan,
    conversationId: string | null,
    deletedAt: number | null = null,
  ): Comparison {
    const comparison = { ...plan, id: randomUUID(), createdAt: now(), conversationId };
    const { id, createdAt } = comparison;
    const { title } = plan;
    const { checkId } = plan;
    insertFields(db, 'comparisons', {
      id,
      createdAt,
      title,
      conversationId,
      checkId,
      deletedAt,
      plan: planText(plan),
    });
    return comparison;
  }

  function savePlan(id: string, plan: ComparisonPlan): void {
    db.sql('UPDATE comparisons SET plan = ? WHERE row = ?').run(planText(plan), getRow(id));
  }

  function find(id: string): Comparison | null {
    const row = findRow(id);
    if (row === null) return null;
    const found = db
      .sql(`SELECT id, created_at AS createdAt, title, conversation_id AS conversationId, plan
        FROM comparisons WHERE row = ?`)
      .get(row);
    const [read] = readRows(db, rowSchema, [found], 'comparisons');
    if (read === undefined) return null;
    const { plan, ...rest } = read;
    return { ...plan, ...rest };
  }

  function get(id: string): Comparison {
    const comparison = find(id);
    if (comparison === null) throw new UserFacingError(noComparison);
    return comparison;
  }

  function notes(id: string): ComparisonNotes {
    const column = db.sql('SELECT notes FROM comparisons WHERE row = ?').get(getRow(id))?.notes;
    return readColumn(db, notesColumn, column, noNotes, 'notes of comparisons');
  }

  function saveNotes(id: string, all: ComparisonNotes): void {
    const column = JSON.stringify(all);
    db.sql('UPDATE comparisons SET notes = ? WHERE row = ?').run(column, getRow(id));
  }

  function cells(id: string): StoredCell[] {
    const rows = db
      .sql(`SELECT ${cellColumns} FROM comparison_cells WHERE comparison = ? ORDER BY place`)
      .all(getRow(id));
    return readRows(db, storedCellSchema, rows, 'cells of comparisons');
  }

  function unsent(): { comparison: Comparison; cells: StoredCell[] }[] {
    const rows = db
      .sql(`SELECT id FROM comparisons WHERE deleted_at IS NULL AND row IN
        (SELECT comparison FROM comparison_cells WHERE wanted > sent) ORDER BY created_at DESC, row DESC`)
      .all();
    return rows.flatMap((row) => {
      const comparison = find(String(row.id));
      if (comparison === null) return [];
      return {
        comparison,
        cells: cells(comparison.id).filter(({ wanted, sent }) => wanted > sent),
      };
    });
  }

  function create(plan: ComparisonPlan, notesFrom: string | null = null): Comparison {
    return db.write(() => {
      const comparison = insert(plan, null);
      const source = notesFrom === null ? null : find(notesFrom);
      if (source !== null) {
        saveNotes(comparison.id, copyNotes(source, notes(source.id), plan));
      }
      insertCells(getRow(comparison.id), getCells(plan));
      return comparison;
    });
  }

  return {
    create,

    async createAll(
      plans: readonly ComparisonPlan[],
      stage: Stage,
      signal: AbortSignal,
      record: (ids: string[]) => void,
    ): Promise<NewComparison[]> {
      const created: NewComparison[] = [];
      try {
        for (const plan of plans) created.push(await createHidden(plan, stage.hiddenAt, signal));
        signal.throwIfAborted();
        db.write(() => {
          stage.reveal();
          record(created.map(({ comparison }) => comparison.id));
        });
      } catch (cause) {
        stage.discard();
        throw cause;
      }
      return created;
    },

    get,
    notes,

    blind(): string[] {
      return readIds(
        db,
        `SELECT id FROM comparisons WHERE deleted_at IS NULL
          AND CASE WHEN json_valid(notes) THEN notes ->> '$.blind.isHidden' END = 1`,
      );
    },

    cells,
    unsent,

    rename(id: string, title: string): void {
      db.write(() =>
        db.sql('UPDATE comparisons SET title = ? WHERE row = ?').run(title, getRow(id)),
      );
    },

    note(id: string, change: NoteChange): ComparisonNotes {
      return db.write(() => {
        const after = applyNote(notes(id), change);
        saveNotes(id, after);
        return after;
      });
    },

    addTurn(id: string | null, turn: ChatTurn, record: () => void): string {
      const { conversationId, title, variants, asBefore, row, cells: added } = turn;
      return db.write(() => {
        record();
        const known = id === null ? null : get(id);
        if (known !== null && known.conversationId !== conversationId) {
          throw new UserFacingError(noComparison);
        }
        const sent = known === null ? [] : cells(known.id);
        const before = { rows: known?.rows ?? [], variants: known?.variants ?? [] };
        const keeps = asBefore && known !== null;
        const replaced = keeps ? before : replaceVariants(before, variants, sent);
        const plan = {
          operation: 'chat' as const,
          title,
          repeats: 1,
          sourceComparisonId: null,
          ...known,
          ...replaced,
          rows: [...replaced.rows, row],
        };
        const comparison = known ?? insert(plan, conversationId);
        if (known !== null) savePlan(known.id, plan);
        insertCells(
          getRow(comparison.id),
          added.map((cell, index) => ({
            ...cell,
            rowId: row.id,
            repeat: 0,
            place: sent.length + index,
          })),
        );
        return comparison.id;
      });
    },

    addRepeats(id: string, times: number): void {
      db.write(() => {
        const comparison = get(id);
        insertCells(getRow(id), repeatCells(cells(id), comparison.repeats, times));
        savePlan(id, { ...comparison, repeats: comparison.repeats + times });
      });
    },

    want(id: string, changed: readonly Pick<StoredCell, 'place' | 'wanted' | 'problem'>[]): void {
      db.write(() => {
        const row = getRow(id);
        const update = db.sql(`UPDATE comparison_cells SET wanted = ?, problem = ?
          WHERE comparison = ? AND place = ?`);
        for (const { place, wanted, problem } of changed) {
          update.run(wanted, problem === null ? null : JSON.stringify(problem), row, place);
        }
      });
    },

    markSent(id: string, place: number): StoredCell {
      const cell = db.write(() =>
        db
          .sql(`UPDATE comparison_cells SET sent = sent + 1 WHERE comparison = ? AND place = ?
            RETURNING ${cellColumns}`)
          .get(getRow(id), place),
      );
      return storedCellSchema.parse(cell);
    },

    hide(id: string, deletedAt: number): string[] {
      return db.write(() => {
        const { conversationId } = get(id);
        db.sql('UPDATE comparisons SET deleted_at = ? WHERE row = ?').run(deletedAt, getRow(id));
        if (conversationId !== null) return [];
        return readIds(
          db,
          `UPDATE runs SET deleted_at = ? WHERE comparison_id = ? AND deleted_at IS NULL
            RETURNING id`,
          deletedAt,
          id,
        );
      });
    },

    purge(deletedAt: number): void {
      db.write(() => {
        db.sql(`UPDATE runs SET comparison_id = NULL, cell = NULL WHERE deleted_at IS NOT 0
          AND comparison_id IN (SELECT id FROM comparisons WHERE deleted_at = ?)`).run(deletedAt);
        db.sql('DELETE FROM comparisons WHERE deleted_at = ?').run(deletedAt);
      });
    },
  };
}

function planText(plan: ComparisonPlan): string {
  return JSON.stringify(planSchema.parse(plan));
}

/**
 * Orders cells by repeat, so that every variant is sent once before any is repeated; stages take the
 * rows in turn.
 */
function getCells({ rows, variants, repeats, stages }: ComparisonPlan): NewCell[] {
  const once = rows
    .flatMap((row) => variants.map((variant) => ({ rowId: row.id, variantId: variant.id })))
    .map((cell, place) => ({ ...cell, place, repeat: 0, messageId: null }));
  if (stages !== undefined) {
    return Array.from({ length: countStaged(stages) }, (_, place) => {
      const cell = once[place % once.length];
      if (cell === undefined) throw new Error('A plan has at least one row and variant.');
      return { ...cell, place };
    });
  }
  return [...once, ...repeatCells(once, 1, repeats - 1)];
}

/** Copies the first repeat's cells `times` times, numbering the repeats from `from`. */
function repeatCells(cells: readonly NewCell[], from: number, times: number): NewCell[] {
  const first = cells.filter(({ repeat }) => repeat === 0);
  return Array.from({ length: times }, (_, index) => from + index)
    .flatMap((repeat) => first.map((cell) => ({ ...cell, repeat })))
    .map((cell, index) => ({ ...cell, place: cells.length + index }));
}

const noComparison = appError(
  'not-found',
  'This comparison no longer exists.',
  'Choose another one in History.',
);
