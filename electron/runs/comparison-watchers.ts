/** Those who look at a comparison: each is sent all of it first, then what has changed, joined. */
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';

/** What has changed; what is left out has not. */
export interface ComparisonChange {
  /** Null for all. */
  cells?: readonly number[] | null;
  /** Title, repeats, variants or rows. */
  plan?: boolean;
  notes?: boolean;
}

export interface ComparisonWatchers {
  /** Until the signal, or until the comparison is gone. */
  watch(signal: AbortSignal | undefined): AsyncGenerator<ComparisonUpdate, void>;
  /** Without a change: how its connections are doing. */
  tell(change: ComparisonChange): void;
  /** The comparison is gone. */
  close(): void;
  count(): number;
}

/** What a watcher has not been sent yet. */
interface Watcher extends Required<Pick<ComparisonChange, 'plan' | 'notes'>> {
  cells: Set<number>;
  isOutdated: boolean;
  wake(): void;
}

/** How often a watcher is told what has changed. */
const JOIN_MS = 50;
/** Cells of one update: reading and sending them takes main a few milliseconds. */
const MAX_CELLS = 100;

/** `read` gives the update that says so; `places`, those of all cells. */
export function createComparisonWatchers(options: {
  places: () => Iterable<number>;
  read: (change: ComparisonChange & { cells: number[] }) => Omit<ComparisonUpdate, 'more'>;
}): ComparisonWatchers {
  const { places, read } = options;
  const watchers = new Set<Watcher>();
  let isGone = false;

  function takeUpdate(watcher: Watcher): ComparisonUpdate {
    const cells = [...watcher.cells].slice(0, MAX_CELLS);
    for (const place of cells) watcher.cells.delete(place);
    const { plan, notes } = watcher;
    Object.assign(watcher, { plan: false, notes: false, isOutdated: watcher.cells.size > 0 });
    return { ...read({ cells, plan, notes }), more: watcher.isOutdated };
  }

  return {
    async *watch(signal) {
      let wake = () => {};
      const cells = new Set(places());
      const all = { cells, plan: true, notes: true, isOutdated: true };
      const watcher: Watcher = { ...all, wake: () => wake() };
      const onAbort = () => wake();
      watchers.add(watcher);
      signal?.addEventListener('abort', onAbort);
      try {
        while (signal?.aborted !== true && !isGone) {
          if (watcher.isOutdated) {
            const update = takeUpdate(watcher);
            yield update;
            await pauseFor(update.more ? 0 : JOIN_MS, undefined, signal ? { signal } : {}).catch(
              () => undefined,
            );
            continue;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        watchers.delete(watcher);
        signal?.removeEventListener('abort', onAbort);
      }
    },

    tell({ cells = [], plan = false, notes = false }) {
      for (const watcher of watchers) {
        for (const place of cells ?? places()) watcher.cells.add(place);
        watcher.plan ||= plan;
        watcher.notes ||= notes;
        watcher.isOutdated = true;
        watcher.wake();
      }
    },

    close() {
      isGone = true;
      for (const watcher of watchers) watcher.wake();
    },

    count: () => watchers.size,
  };
}
