/** Hides deleted rows, keeps them restorable by Undo for a minute, then purges them. */
import type { RestoredName, Undone } from '../../shared/contract/deletions.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { systemTimer, type Timer } from '../base/timer.ts';
import { yieldToEventLoop } from '../base/yield-to-event-loop.ts';
import type { Database } from './database-access.ts';
import { isFileError } from './storage-error.ts';

/** The page offers Undo for ten seconds, or longer while the offer is hovered or focused. */
const KEPT_MS = 60_000;

/** Hiding, restoring or purging this many runs takes a few milliseconds. */
export const RUNS_AT_ONCE = 100;

/** Tables with a `deleted_at` column, in the order in which they are purged. */
const TABLES = [
  'runs',
  'comparisons',
  'checks',
  'messages',
  'conversations',
  'media',
  'saved_items',
  'mcp_servers',
  'prices',
] as const;
type Table = (typeof TABLES)[number];

export interface Deletion {
  /** Sets `deleted_at` of the rows to a unique time that identifies the deletion. */
  hide(deletedAt: number): void;
  /** Called before the rows are restored; throws a `UserFacingError` if their parent is gone. */
  restore?(deletedAt: number): void;
  /** Restores rows in steps before the rest, because restoring all at once would block. */
  restoreSlowly?(deletedAt: number): Promise<void>;
  onRestored(): void;
  /** Returns a sentence if the restored rows still follow a deleted message, or null otherwise. */
  getNote?(): string | null;
}

/** Hides its runs in steps, after `hide`, because hiding all at once would block. */
export interface LargeDeletion extends Deletion {
  hideRuns(deletedAt: number): Promise<void>;
  restoreSlowly(deletedAt: number): Promise<void>;
}

/** Rows that stay hidden until `reveal`; `discard`, or the next start, purges them in steps. */
export interface Stage {
  /** The `deleted_at` to insert the rows with. */
  hiddenAt: number;
  reveal(): void;
  discard(): void;
}

export interface Deletions {
  stage(): Stage;
  /** Hides the rows in one transaction and returns an ID that is valid for undo for a minute. */
  softDelete(deletion: Deletion): string;
  /** Like `softDelete`, but in steps; restores everything if a step fails. */
  softDeleteSlowly(deletion: LargeDeletion): Promise<string>;
  /** Replaces the default purge; if it throws, all rows of the deletion are kept. */
  onPurge(table: Table, purgeRows: (deletedAt: number) => void): void;
  /** Like `onPurge`, but `purgeRows` deletes a few rows and returns true if others are left. */
  onPurgeInSteps(table: Table, purgeRows: (deletedAt: number) => boolean): void;
  /** `nameRows` gives the rows of a deletion free names before Undo restores them. */
  onRestore(table: Table, nameRows: (deletedAt: number) => RestoredName[]): void;
  /** Call this before a large `undo`; if it throws, the deletion can still be undone. */
  prepareUndo(ids: readonly string[]): Promise<void>;
  /**
   * Undoes deletions in one transaction, skipping duplicate IDs; throws a `UserFacingError` on
   * failure.
   */
  undo(ids: readonly string[]): Undone;
  /** Purges the deletions of earlier processes; call this at startup. */
  purgeOld(): void;
  /** Leaves pending purges for the next start. */
  close(): void;
}

export function createDeletions(options: {
  db: Database;
  now: () => number;
  reportDefect: (cause: unknown) => void;
  timer?: Timer;
}): Deletions {
  const { db, now, reportDefect, timer = systemTimer } = options;
  const pending = new Map<string, Deletion & { cancel: () => void }>();
  const undone = new Set<string>();
  /** Each returns true if it leaves rows for the next step. */
  const purges = new Map<Table, (deletedAt: number) => boolean>();
  const namings = new Map<Table, (deletedAt: number) => RestoredName[]>();
  const nextSteps = new Map<number, () => void>();
  let lastDeletedAt = 0;

  /** Returns the names that changed because others took them. */
  function show(deletedAt: number, deletion?: Deletion): RestoredName[] {
    const exists = TABLES.some((table) =>
      db.sql(`SELECT 1 FROM ${table} WHERE deleted_at = ? LIMIT 1`).get(deletedAt),
    );
    if (!exists && deletion?.restoreSlowly === undefined) throw new UserFacingError(tooLate);
    deletion?.restore?.(deletedAt);
    return TABLES.flatMap((table) => {
      const renamed = namings.get(table)?.(deletedAt) ?? [];
      db.sql(`UPDATE ${table} SET deleted_at = NULL WHERE deleted_at = ?`).run(deletedAt);
      return renamed;
    });
  }

  function purgeSome(deletedAt: number): boolean {
    for (const table of TABLES) {
      const purgeRows = purges.get(table);
      if (purgeRows?.(deletedAt)) return true;
      if (purgeRows === undefined) {
        db.sql(`DELETE FROM ${table} WHERE deleted_at = ?`).run(deletedAt);
      }
    }
    return false;
  }

  /** Purges in steps, because the main process is also the desktop's UI thread. */
  function purge(deletedAt: number): void {
    pending.delete(String(deletedAt));
    nextSteps.delete(deletedAt);
    try {
      if (!db.write(() => purgeSome(deletedAt))) return;
      nextSteps.set(
        deletedAt,
        timer.after(0, () => purge(deletedAt)),
      );
    } catch (cause) {
      if (!(cause instanceof UserFacingError) && !isFileError(cause)) reportDefect(cause);
      db.warn({
        id: 'deletions-unfinished',
        level: 'warning',
        message: 'Some deleted items still use disk space.',
        nextStep: 'Restart Gatehouse to remove them.',
      });
    }
  }

  function keep(id: string, deletion: Deletion): void {
    pending.set(id, { ...deletion, cancel: timer.after(KEPT_MS, () => purge(Number(id))) });
  }

  function takeTime(): number {
    lastDeletedAt = Math.max(now(), lastDeletedAt + 1);
    return lastDeletedAt;
  }

  function softDelete(deletion: Deletion): string {
    const deletedAt = takeTime();
    const id = String(deletedAt);
    db.write(() => deletion.hide(deletedAt));
    keep(id, deletion);
    return id;
  }

  async function prepareUndo(ids: readonly string[]): Promise<void> {
    for (const id of new Set(ids)) {
      const deletion = pending.get(id);
      if (deletion?.restoreSlowly === undefined) continue;
      deletion.cancel();
      try {
        await deletion.restoreSlowly(Number(id));
      } finally {
        keep(id, deletion);
      }
    }
  }

  function undo(ids: readonly string[]): Undone {
    const all = [...new Set(ids)];
    const open = all.flatMap((id) => {
      const deletion = pending.get(id);
      return deletion === undefined ? [] : { id, deletion };
    });
    const expired = all.filter((id) => !pending.has(id) && !undone.has(id));
    if (expired.length === all.length) throw new UserFacingError(tooLate);
    const renamed = db.write(() => open.flatMap(({ id, deletion }) => show(Number(id), deletion)));
    for (const { id, deletion } of open) {
      deletion.cancel();
      pending.delete(id);
      undone.add(id);
      deletion.onRestored();
    }
    const late =
      expired.length === 0
        ? []
        : [
            `${expired.length} of ${all.length} couldn’t be restored. You can undo a deletion for one minute.`,
          ];
    const notes = open.flatMap(({ deletion }) => deletion.getNote?.() ?? []);
    return {
      renamed,
      notes: [...new Set([...late, ...notes])],
    };
  }

  return {
    stage() {
      const hiddenAt = takeTime();
      return {
        hiddenAt,
        reveal: () => void show(hiddenAt),
        discard: () => purge(hiddenAt),
      };
    },
    softDelete,
    async softDeleteSlowly(deletion) {
      const id = softDelete(deletion);
      try {
        await deletion.hideRuns(Number(id));
      } catch (cause) {
        await prepareUndo([id]);
        undo([id]);
        throw cause;
      }
      return id;
    },
    onPurge: (table, purgeRows) =>
      void purges.set(table, (deletedAt) => {
        purgeRows(deletedAt);
        return false;
      }),
    onPurgeInSteps: (table, purgeRows) => void purges.set(table, purgeRows),
    onRestore: (table, nameRows) => void namings.set(table, nameRows),
    prepareUndo,
    undo,
    purgeOld() {
      const times = TABLES.map((table) => `SELECT deleted_at FROM ${table} WHERE deleted_at > 0`);
      for (const row of db.sql(`${times.join(' UNION ')} ORDER BY deleted_at`).all()) {
        lastDeletedAt = Number(row.deleted_at);
        purge(lastDeletedAt);
      }
    },
    close() {
      for (const { cancel } of pending.values()) cancel();
      for (const cancel of nextSteps.values()) cancel();
      pending.clear();
      nextSteps.clear();
    },
  };
}

/** Restores the runs of the deletion in steps. */
export async function showRuns(db: Database, deletedAt: number): Promise<void> {
  let shown = RUNS_AT_ONCE;
  while (shown > 0) {
    await yieldToEventLoop(Number.POSITIVE_INFINITY);
    const show = db.sql(`UPDATE runs SET deleted_at = NULL WHERE row IN
      (SELECT row FROM runs WHERE deleted_at = ? LIMIT ${RUNS_AT_ONCE})`);
    shown = db.write(() => Number(show.run(deletedAt).changes));
  }
}

const tooLate = appError(
  'not-found',
  'This can no longer be undone.',
  'Deleted items are kept for one minute.',
);
