/** Comparisons for every caller: recorded first, sent a few at once, each cell an ordinary run. */
import { setTimeout as pauseFor } from 'node:timers/promises';
import { z } from 'zod';
import type { Cell, CellState, Comparison, ComparisonPlan } from '../../shared/comparison.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import type { StartInput } from '../../shared/contract/runs.ts';
import { type AppError, AppFailure, appError } from '../../shared/errors.ts';
import { isFinished } from '../../shared/is-finished.ts';
import { phaseTraits } from '../../shared/operations/phase.ts';
import type { RunSummary } from '../../shared/run.ts';
import type { Changes } from '../changes.ts';
import type { ComparisonStore, StoredCell } from '../storage/comparison-store.ts';
import type { Deletions } from '../storage/deletions.ts';
import type { Ledger } from '../storage/ledger.ts';
import type { Timer } from '../storage/timer.ts';
import { checkCount, checkPlan, connectionsOf, inputOf } from './comparison-plan.ts';
import { errorOf } from './ending.ts';
import type { Engine } from './engine.ts';
import { createSendQueue, type QueuedRequest } from './send-queue.ts';

/** For what does not exist, every method throws an `AppFailure` of kind `not-found`. Announces every change. */
export interface Comparisons {
  /** Returns the ID. Throws an `invalid-request` failure where one request would not leave; then nothing is recorded. */
  start(plan: ComparisonPlan): string;
  /** The whole first, then what has changed, until the signal. */
  watch(id: string, signal: AbortSignal | undefined): AsyncGenerator<ComparisonUpdate, void>;
  /** What waits is not sent, what runs is stopped; `places` is null for all. */
  stop(id: string, places: readonly number[] | null): Promise<void>;
  /** Sends once more what brought nothing; of `places`, also what succeeded. */
  retry(id: string, places: readonly number[] | null): void;
  /** Sends what an earlier process had not sent when it ended. */
  resume(id: string): void;
  /** Sends everything so many times more. */
  repeat(id: string, times: number): void;
  /** With its runs. Returns the ID with which the deletion can be undone for a while. */
  remove(id: string): Promise<string>;
  /** A run has started, changed or ended. */
  follow(run: RunSummary): void;
  /** `atOnce` may say something else now. */
  review(): void;
  /** Nothing more is sent; what waits is held for the next process. */
  close(): void;
}

interface ComparisonsOptions {
  store: ComparisonStore;
  engine: Pick<Engine, 'start' | 'cancel' | 'release' | 'restored'>;
  ledger: Pick<Ledger, 'ofComparison' | 'removeHidden'>;
  changes: Pick<Changes, 'announce'>;
  deletions: Pick<Deletions, 'kind'>;
  /** How many requests of a connection are under way at once. */
  atOnce: (connectionId: string) => number;
  /** The text without any key that this process knows. */
  redact: (text: string) => string;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds from any fixed point, never going back. */
  clock: () => number;
  timer: Timer;
}

/** How often a watcher is told what has changed. */
const JOIN_MS = 50;

/** One that has something to send, or is watched. */
interface Live {
  comparison: Comparison;
  cells: Map<number, StoredCell>;
  /** By place: what waits to be sent, or is about to be recorded. */
  queued: Map<number, QueuedRequest>;
  /** By run: what takes a place of its connection. */
  running: Map<string, QueuedRequest>;
  /** By place: why it could not be started. */
  problems: Map<number, AppError>;
  watchers: Set<Watcher>;
}

interface Watcher {
  /** Places that have changed since the last update; null where all of it has. */
  dirty: Set<number> | null;
  /** Something else has changed. */
  isOutdated: boolean;
  wake(): void;
}

export function createComparisons(options: ComparisonsOptions): Comparisons {
  const { store, engine, ledger, changes } = options;
  const lives = new Map<string, Live>();
  let closed = false;
  const queue = createSendQueue({ ...options, onChange: laneChanged });

  function liveOf(id: string): Live {
    const known = lives.get(id);
    if (known !== undefined) return known;
    const live: Live = {
      ...readCells(id),
      queued: new Map(),
      running: new Map(),
      problems: new Map(),
      watchers: new Set(),
    };
    lives.set(id, live);
    return live;
  }

  function readCells(id: string): Pick<Live, 'comparison' | 'cells'> {
    const cells = store.cells(id).map((cell): [number, StoredCell] => [cell.place, cell]);
    return { comparison: store.get(id), cells: new Map(cells) };
  }

  /** Read again when somebody needs it. */
  function letGo(live: Live): void {
    const { comparison, queued, running, problems, watchers } = live;
    const inUse = queued.size + running.size + problems.size + watchers.size;
    if (inUse === 0 && lives.get(comparison.id) === live) lives.delete(comparison.id);
  }

  /** `places`: null for all of it. */
  function tell({ watchers }: Live, places: readonly number[] | null): void {
    for (const watcher of watchers) {
      if (places === null) watcher.dirty = null;
      else for (const place of places) watcher.dirty?.add(place);
      watcher.isOutdated = true;
      watcher.wake();
    }
  }

  function laneChanged(connectionId: string): void {
    for (const live of lives.values()) {
      if (connectionsOf(live.comparison).includes(connectionId)) tell(live, []);
    }
  }

  function want(live: Live, cells: readonly StoredCell[]): void {
    store.want(live.comparison.id, cells);
    for (const cell of cells) live.cells.set(cell.place, cell);
  }

  function cellsAt(live: Live, places: readonly number[] | null): StoredCell[] {
    if (places === null) return [...live.cells.values()];
    return places.flatMap((place) => live.cells.get(place) ?? []);
  }

  function enqueue(live: Live, cells: readonly StoredCell[]): void {
    for (const cell of cells) {
      const input = inputOf(live.comparison, cell);
      const request: QueuedRequest = {
        connectionId: input.connectionId,
        send: () => void send(live, cell.place, request, input),
      };
      live.problems.delete(cell.place);
      live.queued.set(cell.place, request);
      queue.add(request);
    }
    tell(
      live,
      cells.map(({ place }) => place),
    );
  }

  async function send(
    live: Live,
    place: number,
    request: QueuedRequest,
    input: StartInput,
  ): Promise<void> {
    const { id } = live.comparison;
    let recorded: string | null = null;
    try {
      await engine.start(input, {
        cell: { comparisonId: id, place },
        record(runId) {
          // It was stopped while the key was fetched.
          if (live.queued.get(place) !== request) throw new AppFailure(stopped);
          live.cells.set(place, store.markSent(id, place));
          live.queued.delete(place);
          live.running.set(runId, request);
          recorded = runId;
        },
      });
    } catch (cause) {
      // Otherwise it was stopped meanwhile, and may be asked for again by now.
      const isAsked = recorded !== null || live.queued.get(place) === request;
      if (recorded !== null) live.running.delete(recorded);
      queue.ended(request, null);
      if (!closed && isAsked) refuse(live, place, errorOf(cause));
    }
    tell(live, [place]);
    letGo(live);
  }

  /** It could not be started: it no longer waits, and says why. */
  function refuse(live: Live, place: number, problem: AppError): void {
    live.queued.delete(place);
    live.problems.set(place, problem);
    try {
      // What was recorded with it is undone.
      Object.assign(live, readCells(live.comparison.id));
      want(
        live,
        cellsAt(live, [place]).map((cell) => ({ ...cell, wanted: cell.sent })),
      );
    } catch (cause) {
      // It stays held.
      if (!(cause instanceof AppFailure)) throw cause;
    }
  }

  function shownCells(live: Live, places: readonly number[] | null): Cell[] {
    const runs = new Map(
      ledger.ofComparison(live.comparison.id, places).map((run) => [run.cell, run]),
    );
    return cellsAt(live, places).map(({ place, rowId, variantId, repeat, wanted, sent }) => ({
      place,
      rowId,
      variantId,
      repeat,
      state: stateOf({ wanted, sent }, live.queued.has(place)),
      attempts: sent,
      run: runs.get(place) ?? null,
      problem: live.problems.get(place) ?? null,
    }));
  }

  const recordDeletion = options.deletions.kind('comparison', {
    target: z.object({ id: z.string(), runIds: z.array(z.string()) }),
    restore: (_target, deletionId) => store.restore(deletionId),
    onRestored({ id, runIds }) {
      for (const runId of runIds) engine.restored(runId);
      changes.announce('comparisons', id);
    },
    finish(deletionId) {
      ledger.removeHidden(deletionId);
      store.removeHidden(deletionId);
    },
  });

  /** Takes back what waits. */
  function withdraw(live: Live, places: readonly number[] | null): void {
    const waiting = cellsAt(live, places).filter(({ wanted, sent }) => wanted > sent);
    want(
      live,
      waiting.map((cell) => ({ ...cell, wanted: cell.sent })),
    );
    for (const { place } of waiting) {
      const request = live.queued.get(place);
      if (request !== undefined) queue.drop(request);
      live.queued.delete(place);
    }
    tell(
      live,
      waiting.map(({ place }) => place),
    );
  }

  return {
    start(plan) {
      checkPlan(plan, options.redact);
      const { id } = store.create(plan);
      const live = liveOf(id);
      enqueue(live, cellsAt(live, null));
      changes.announce('comparisons', id);
      return id;
    },

    async *watch(id, signal) {
      const live = liveOf(id);
      let wake = () => {};
      const watcher: Watcher = { dirty: null, isOutdated: true, wake: () => wake() };
      const onAbort = () => wake();
      live.watchers.add(watcher);
      signal?.addEventListener('abort', onAbort);
      try {
        // Another takes its place once it was deleted.
        while (signal?.aborted !== true && lives.get(id) === live) {
          if (watcher.isOutdated) {
            const places = watcher.dirty === null ? null : [...watcher.dirty];
            watcher.dirty = new Set();
            watcher.isOutdated = false;
            yield {
              comparison: places === null ? live.comparison : null,
              cells: shownCells(live, places),
              sending: connectionsOf(live.comparison).map((each) => queue.state(each)),
            };
            await pauseFor(JOIN_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
            continue;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        live.watchers.delete(watcher);
        signal?.removeEventListener('abort', onAbort);
        letGo(live);
      }
    },

    async stop(id, places) {
      const live = liveOf(id);
      withdraw(live, places);
      const running = ledger.ofComparison(id, places).filter(({ status }) => !isFinished(status));
      await Promise.all(running.map((run) => engine.cancel(run.id)));
      letGo(live);
    },

    retry(id, places) {
      const live = liveOf(id);
      const brought = new Map(ledger.ofComparison(id, places).map((run) => [run.cell, run.status]));
      const again = cellsAt(live, places).filter(({ place, wanted, sent }) => {
        const status = brought.get(place);
        if (wanted > sent || (status !== undefined && !isFinished(status))) return false;
        const wasDeleted = sent > 0 && status === undefined;
        return places !== null || !(wasDeleted || status === 'succeeded');
      });
      want(
        live,
        again.map((cell) => ({ ...cell, wanted: cell.sent + 1 })),
      );
      enqueue(
        live,
        cellsAt(
          live,
          again.map(({ place }) => place),
        ),
      );
      letGo(live);
    },

    resume(id) {
      const live = liveOf(id);
      const held = cellsAt(live, null).filter(
        ({ place, wanted, sent }) => wanted > sent && !live.queued.has(place),
      );
      enqueue(live, held);
      letGo(live);
    },

    repeat(id, times) {
      const live = liveOf(id);
      const { rows, variants, repeats } = live.comparison;
      checkCount(rows.length * variants.length * (repeats + times));
      const known = live.cells.size;
      store.addRepeats(id, times);
      Object.assign(live, readCells(id));
      tell(live, null);
      enqueue(live, cellsAt(live, null).slice(known));
      changes.announce('comparisons', id);
    },

    async remove(id) {
      const live = liveOf(id);
      withdraw(live, null);
      const runIds = ledger.ofComparison(id, null).map((run) => run.id);
      await Promise.all(runIds.map((runId) => engine.release(runId)));
      const deletionId = recordDeletion((deletion) => ({ id, runIds: store.hide(id, deletion) }));
      lives.delete(id);
      tell(live, null);
      changes.announce('comparisons', id);
      changes.announce('runs');
      return deletionId;
    },

    follow(run) {
      const live = run.comparisonId === null ? undefined : lives.get(run.comparisonId);
      if (live === undefined || run.cell === null) return;
      const request = live.running.get(run.id);
      const isOver = isFinished(run.status) || !phaseTraits[run.phase.name].isActive;
      if (request !== undefined && isOver) {
        live.running.delete(run.id);
        queue.ended(request, waitOf(run.error));
      }
      tell(live, [run.cell]);
      letGo(live);
    },

    review: () => queue.review(),

    close() {
      closed = true;
      queue.close();
    },
  };
}

function stateOf(
  { wanted, sent }: Pick<StoredCell, 'wanted' | 'sent'>,
  isQueued: boolean,
): CellState {
  if (isQueued) return 'waiting';
  if (wanted > sent) return 'held';
  return sent > 0 ? 'sent' : 'dropped';
}

/** How long the gateway wants no other request, in seconds; null where it does not say. */
function waitOf(error: AppError | null): number | null {
  if (error === null || !('retryAfterSeconds' in error)) return null;
  return error.retryAfterSeconds;
}

const stopped = appError('cancelled', 'Stopped before it was sent.', 'Run it again.', {});
