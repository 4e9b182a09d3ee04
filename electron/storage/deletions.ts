/** Deletions that can be undone: hidden at once, final a minute later or at the next start. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppFailure, appError } from '../../shared/errors.ts';
import type { Database } from './database-access.ts';
import { jsonColumn } from './json-column.ts';
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
  | 'run';

/** How one kind of thing is brought back, and how it is deleted for good. */
interface DeletionRules<Target> {
  target: z.ZodType<Target>;
  /** Brings it back and announces that. In a transaction; throws an `AppFailure` where it cannot. */
  undo(target: Target, deletionId: string): void;
  /** Called once more where main died in between. */
  finish(target: Target, deletionId: string): void;
}

export interface Deletions {
  /** Once for each kind, before `finishOld`. The answer records a deletion and gives its id. */
  kind<Target>(name: DeletionKind, rules: DeletionRules<Target>): (target: Target) => string;
  /** Throws an `AppFailure` where it is too late, or where what it brings back has no place any more. */
  undo(id: string): void;
  /** Makes final what an earlier start has left. */
  finishOld(): void;
  /** What is left is made final at the next start. */
  close(): void;
}

export function createDeletions(options: {
  db: Database;
  now: () => number;
  timer?: Timer;
}): Deletions {
  const { db, now, timer = systemTimer } = options;
  const kinds = new Map<string, { undo(row: Row): void; finish(row: Row): void }>();
  const timers = new Map<string, () => void>();

  function read(id: string): Row | null {
    const row = db.sql('SELECT id, kind, target FROM deletions WHERE id = ?').get(id);
    return row === undefined ? null : rowSchema.parse(row);
  }

  function forget(id: string): void {
    timers.get(id)?.();
    timers.delete(id);
    db.sql('DELETE FROM deletions WHERE id = ?').run(id);
  }

  function finish(id: string): void {
    timers.delete(id);
    const row = read(id);
    if (row === null) return;
    try {
      kinds.get(row.kind)?.finish(row);
      db.write(() => forget(id));
    } catch (cause) {
      // The disk may be full: tried again at the next start.
      if (!(cause instanceof AppFailure)) throw cause;
    }
  }

  return {
    kind(name, rules) {
      const targetColumn = jsonColumn(rules.target);
      kinds.set(name, {
        undo: ({ id, target }) => rules.undo(targetColumn.parse(target), id),
        finish: ({ id, target }) => rules.finish(targetColumn.parse(target), id),
      });
      return (target) => {
        const id = randomUUID();
        db.write(() =>
          db
            .sql('INSERT INTO deletions (id, kind, target, deleted_at) VALUES (?, ?, ?, ?)')
            .run(id, name, JSON.stringify(target), now()),
        );
        timers.set(
          id,
          timer.after(KEPT_MS, () => finish(id)),
        );
        return id;
      };
    },
    undo(id) {
      db.write(() => {
        const row = read(id);
        if (row === null) throw new AppFailure(tooLate);
        kinds.get(row.kind)?.undo(row);
        forget(id);
      });
    },
    finishOld() {
      const rows = db.sql('SELECT id FROM deletions ORDER BY deleted_at').all();
      for (const { id } of rows) finish(String(id));
    },
    close() {
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
  };
}

const rowSchema = z.object({ id: z.string(), kind: z.string(), target: z.string() });
type Row = z.infer<typeof rowSchema>;

const tooLate = appError(
  'not-found',
  'It is too late to undo this.',
  'Deleted items are kept for one minute.',
  {},
);
