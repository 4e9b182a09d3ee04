/** Writes what several runs need in one turn of the event loop together, because commits are slow. */
import type { Database } from './database-access.ts';

export interface TurnWrites {
  /** Calls `saveFields` at the end of this turn; resolves then. */
  saveFields(): Promise<void>;
  /**
   * Calls `work` in a transaction with others, after `saveFields`. Resolves when it's on disk.
   * Rejects if `work` throws, which undoes only its own changes, or if the disk fails.
   */
  write(work: () => void): Promise<void>;
}

interface Waiting extends PromiseWithResolvers<void> {
  work: () => void;
}

/** `saveFields` must not throw. */
export function createTurnWrites(
  db: Pick<Database, 'writeAll'>,
  saveFields: () => void,
): TurnWrites {
  let turn: Promise<void> | null = null;
  let waiting: Waiting[] = [];

  function endTurn(): void {
    turn = null;
    saveFields();
    const all = waiting;
    waiting = [];
    if (all.length === 0) return;
    try {
      const errors = db.writeAll(all.map(({ work }) => work));
      for (const { work, resolve, reject } of all) {
        if (errors.has(work)) reject(errors.get(work));
        else resolve();
      }
    } catch (cause) {
      for (const { reject } of all) reject(cause);
    }
  }

  function schedule(): Promise<void> {
    turn ??= new Promise((resolve) =>
      setImmediate(() => {
        endTurn();
        resolve();
      }),
    );
    return turn;
  }

  return {
    saveFields: schedule,
    write(work) {
      void schedule();
      const added = { work, ...Promise.withResolvers<void>() };
      waiting.push(added);
      return added.promise;
    },
  };
}
