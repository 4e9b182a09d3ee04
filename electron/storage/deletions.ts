/** Deletions that can be undone: hidden at once, final a minute later or at the next start. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { RestoredName, Undone } from '../../shared/contract/deletions.ts';
import type { Notice } from '../../shared/contract/system.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { type Database, unreadable } from './database-access.ts';
import { jsonColumn } from './json-column.ts';
import { isFileError } from './storage-error.ts';
import { systemTimer, type Timer } from './timer.ts';

/** The page offers Undo for ten seconds, and longer while the pointer or the focus rests on it. */
const KEPT_MS = 60_000;

export type DeletionKind =
  | 'conversation'
  | 'message'
  | 'media'
  | 'tool'
  | 'saved-request'
  | 'preset'
  | 'price'
  | 'run'
  | 'comparison';

/**
 * How one kind of thing is brought back, and how it is deleted for good. `restore` and `finish` run in the
 * transaction that also forgets the deletion: all of it is done, or nothing.
 */
interface DeletionRules<Target> {
  /** What restoring needs beside the rows that name the deletion. */
  target: z.ZodType<Target>;
  /** Returns false if nothing is left; throws a `UserFacingError` where it has no place any more. */
  restore(target: Target, deletionId: string): boolean;
  /** After `restore`, once that is recorded: announces it. */
  onRestored(target: Target): void;
  /** After `restore`: how it is called now; null if its name is the one it had. */
  renamed?(target: Target): RestoredName | null;
  /** After `onRestored`: a sentence that says what still hides it, such as another deletion; null if nothing does. */
  hiddenBy?(target: Target): string | null;
  /**
   * `target` is null if it cannot be read. What it throws keeps the deletion for the next start, where it is
   * called again.
   */
  finish(deletionId: string, target: Target | null): void;
}

export interface Deletions {
  /**
   * Once for each kind, before `finishOld`. The function it returns records a deletion in the transaction that
   * hides the rows and collects the target, and returns the ID of the deletion.
   */
  kind<Target>(
    name: DeletionKind,
    rules: DeletionRules<Target>,
  ): (hide: (deletionId: string) => Target) => string;
  /**
   * In one transaction; those that were undone before are passed over, so that a call whose answer was lost can
   * be repeated. Throws a `UserFacingError` if something has no place any more, or it is too late for all. Returns
   * what came back under another name, and notes: where it is too late for some, or another deletion still hides one.
   */
  undo(ids: readonly string[]): Undone;
  /** Makes final what an earlier start has left. Does not throw. */
  finishOld(): void;
  /** What is left is made final at the next start. */
  close(): void;
}

export function createDeletions(options: {
  db: Database;
  now: () => number;
  /** Called with what no full disk and no locked file explains. */
  reportDefect: (cause: unknown) => void;
  timer?: Timer;
}): Deletions {
  const { db, now, reportDefect, timer = systemTimer } = options;
  const kinds = new Map<string, Kind>();
  /** Only these can be undone: what failed to finish may be half gone. */
  const kept = new Map<string, () => void>();
  const undone = new Set<string>();

  function read(id: string): { kind: Kind | null; target: unknown } | null {
    const row = db.sql('SELECT kind, target FROM deletions WHERE id = ?').get(id);
    return row === undefined
      ? null
      : { kind: kinds.get(String(row.kind)) ?? null, target: row.target };
  }

  function forget(id: string): void {
    db.sql('DELETE FROM deletions WHERE id = ?').run(id);
  }

  function restore(id: string): Restored {
    const deletion = read(id);
    if (deletion === null || deletion.kind === null) throw new UserFacingError(tooLate);
    forget(id);
    return deletion.kind.restore(deletion.target, id);
  }

  function finish(id: string): void {
    kept.delete(id);
    try {
      db.write(() => {
        const deletion = read(id);
        if (deletion === null) return;
        // It stays for the Gatehouse that hid its rows.
        if (deletion.kind === null) return db.warn(unknownKind);
        deletion.kind.finish(deletion.target, id);
        forget(id);
      });
    } catch (cause) {
      if (!(cause instanceof UserFacingError) && !isFileError(cause)) reportDefect(cause);
      db.warn(unfinished);
    }
  }

  return {
    kind(name, rules) {
      const targetColumn = jsonColumn(rules.target);
      kinds.set(name, {
        finish: (column, id) => rules.finish(id, targetColumn.safeParse(column).data ?? null),
        restore(column, id) {
          const { success, data } = targetColumn.safeParse(column);
          if (!success) db.warn(unreadable('deletions'));
          if (!success || !rules.restore(data, id)) throw new UserFacingError(tooLate);
          return {
            announce: () => rules.onRestored(data),
            renamed: () => rules.renamed?.(data) ?? null,
            hiddenBy: () => rules.hiddenBy?.(data) ?? null,
          };
        },
      });
      return (hide) => {
        const id = randomUUID();
        db.write(() => {
          const target = JSON.stringify(hide(id));
          db.sql('INSERT INTO deletions (id, kind, target, deleted_at) VALUES (?, ?, ?, ?)').run(
            id,
            name,
            target,
            now(),
          );
        });
        kept.set(
          id,
          timer.after(KEPT_MS, () => finish(id)),
        );
        return id;
      };
    },
    undo(ids) {
      const all = [...new Set(ids)];
      const open = all.filter((id) => kept.has(id));
      const expired = all.filter((id) => !kept.has(id) && !undone.has(id));
      if (expired.length === all.length) throw new UserFacingError(tooLate);
      const restored = db.write(() => open.map(restore));
      for (const id of open) {
        kept.get(id)?.();
        kept.delete(id);
        undone.add(id);
      }
      for (const { announce } of restored) announce();
      const late = expired.length > 0 ? [tooLateForSome(expired.length, all.length)] : [];
      const hidden = restored.flatMap(({ hiddenBy }) => hiddenBy() ?? []);
      return {
        renamed: restored.flatMap(({ renamed }) => renamed() ?? []),
        notes: [...new Set([...late, ...hidden])],
      };
    },
    finishOld() {
      const rows = db.sql('SELECT id FROM deletions ORDER BY deleted_at').all();
      for (const { id } of rows) finish(String(id));
    },
    close() {
      for (const cancel of kept.values()) cancel();
      kept.clear();
    },
  };
}

interface Kind {
  /** Throws a `UserFacingError`. */
  restore(targetColumn: unknown, id: string): Restored;
  finish(targetColumn: unknown, id: string): void;
}

interface Restored {
  announce(): void;
  renamed(): RestoredName | null;
  hiddenBy(): string | null;
}

const tooLate = appError(
  'not-found',
  'It is too late to undo this.',
  'Deleted items are kept for one minute.',
  {},
);

function tooLateForSome(expired: number, all: number): string {
  return `${expired} of ${all} could not be restored. Deleted items are kept for one minute.`;
}

const unknownKind: Notice = {
  id: 'deletions-unknown',
  level: 'warning',
  message: 'Some items deleted with a newer version of Gatehouse still use disk space.',
  nextStep: 'Update Gatehouse to remove them.',
};
const unfinished: Notice = {
  id: 'deletions-unfinished',
  level: 'warning',
  message: 'Some deleted items still use disk space.',
  nextStep: 'Restart Gatehouse to remove them.',
};
