/** Deletes runs that are older than the user wants to keep: at start, and then once a day. */
import type { KeepRunsDays } from '../../shared/settings.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import type { Timer } from '../base/timer.ts';
import { yieldToEventLoop } from '../base/yield-to-event-loop.ts';
import type { Database } from '../storage/database-access.ts';
import type { Deletions } from '../storage/deletions.ts';
import type { SettingsStore } from '../storage/settings-store.ts';
import { countOldRuns, hideComparison, hideOldRuns, listOldComparisons } from './clear-data.ts';

export interface RetentionOptions {
  db: Database;
  settings: Pick<SettingsStore, 'get'>;
  deletions: Pick<Deletions, 'stage'>;
  changes: Pick<ChangeEmitter, 'announce' | 'listen'>;
  reportDefect: (cause: unknown) => void;
  now: () => number;
  timer: Timer;
}

const DAY_MS = 24 * 3_600_000;
/** The first deletion mustn't slow down the start. */
const FIRST_MS = 10_000;

export interface Retention {
  /** Counts the runs that keeping this many days would delete. */
  count(keptDays: KeepRunsDays): number;
  /** Resolves when no deletion is in progress. */
  close(): Promise<void>;
  /** Resolves when the current deletions are done. */
  idle(): Promise<void>;
}

export function createRetention(options: RetentionOptions): Retention {
  const { db, settings, deletions, changes, timer } = options;
  let days = settings.get().keepRunsDays;
  let closed = false;
  let working: Promise<void> = Promise.resolve();
  let stopTimer = timer.after(FIRST_MS, run);

  function run(): void {
    stopTimer();
    if (closed) return;
    stopTimer = timer.after(DAY_MS, run);
    working = working.then(deleteOld).catch(options.reportDefect);
  }

  async function deleteOld(): Promise<void> {
    const { keepRunsDays } = settings.get();
    if (keepRunsDays === null) return;
    const before = getStart(keepRunsDays);
    for (const id of listOldComparisons(db, before)) {
      await deleteSome((hiddenAt) => hideComparison(db, id, hiddenAt));
    }
    let row: number | null = 0;
    while (row !== null && !closed) {
      const from: number = row;
      await deleteSome((hiddenAt) => {
        row = hideOldRuns(db, { before, row: from, hiddenAt });
      });
    }
  }

  /** Purges the rows that `hide` hides, a few at a time and without Undo. */
  async function deleteSome(hide: (hiddenAt: number) => void): Promise<void> {
    if (closed) return;
    const { hiddenAt, discard } = deletions.stage();
    hide(hiddenAt);
    discard();
    changes.announce('runs');
    await yieldToEventLoop(Number.POSITIVE_INFINITY);
  }

  const getStart = (keptDays: KeepRunsDays) => options.now() - keptDays * DAY_MS;

  changes.listen(({ topic }) => {
    if (topic !== 'settings') return;
    const { keepRunsDays } = settings.get();
    if (keepRunsDays === days) return;
    days = keepRunsDays;
    run();
  });

  return {
    count: (keptDays: KeepRunsDays) => countOldRuns(db, getStart(keptDays)),
    async close(): Promise<void> {
      closed = true;
      stopTimer();
      await working;
    },
    idle: () => working,
  };
}
