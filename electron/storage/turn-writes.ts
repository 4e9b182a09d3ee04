/** Writes what several runs need in one turn of the event loop together, because commits are slow. */
import type { Database } from './database-access.ts';

export interface TurnWrites {
  /** Writes the run's fields at the end of this turn or a later one; resolves then. */
  saveFields(runId: string): Promise<void>;
  /**
   * Calls `work` in a transaction with others, once no fields are waiting. Resolves when it's on
   * disk. Rejects if `work` throws, which undoes only its own changes, or if the disk fails.
   */
  write(work: () => void): Promise<void>;
}

/** So few that the streams of hundreds of other runs are read in between. */
const RUNS_PER_TURN = 4;

/** `saveAll` must not throw. */
export function createTurnWrites(
  db: Pick<Database, 'writeAll'>,
  saveAll: (runIds: readonly string[]) => void,
): TurnWrites {
  const saves = new Map<string, PromiseWithResolvers<void>>();
  const works = new Map<() => void, PromiseWithResolvers<void>>();
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(endTurn);
  }

  function endTurn(): void {
    isScheduled = false;
    const runs = takeFirst(saves);
    saveAll(runs.map(([runId]) => runId));
    for (const [, { resolve }] of runs) resolve();
    if (saves.size === 0) writeWorks(takeFirst(works));
    if (saves.size > 0 || works.size > 0) schedule();
  }

  function writeWorks(all: [() => void, PromiseWithResolvers<void>][]): void {
    if (all.length === 0) return;
    try {
      const errors = db.writeAll(all.map(([work]) => work));
      for (const [work, { resolve, reject }] of all) {
        if (errors.has(work)) reject(errors.get(work));
        else resolve();
      }
    } catch (cause) {
      for (const [, { reject }] of all) reject(cause);
    }
  }

  return {
    saveFields(runId) {
      const saved = saves.get(runId) ?? Promise.withResolvers<void>();
      saves.set(runId, saved);
      schedule();
      return saved.promise;
    },
    write(work) {
      const written = Promise.withResolvers<void>();
      works.set(work, written);
      schedule();
      return written.promise;
    },
  };
}

/** Removes the first entries, and returns them. */
function takeFirst<Key, Value>(map: Map<Key, Value>): [Key, Value][] {
  const taken = [...map].slice(0, RUNS_PER_TURN);
  for (const [key] of taken) map.delete(key);
  return taken;
}
