/** Sends comparison cells as capacity becomes available on their connections. */
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Cell, Comparison } from '../../shared/comparison.ts';
import { type ComparisonNotes, noNotes } from '../../shared/comparison-notes.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { isFinished, phaseTraits, type RunSummary } from '../../shared/run.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import type { Timer } from '../base/timer.ts';
import { getError } from '../runs/ending.ts';
import type { Engine } from '../runs/engine.ts';
import type { RequestPrice, Spending } from '../runs/spending.ts';
import type { Ledger } from '../storage/ledger.ts';
import {
  type CellConversations,
  getCellInput,
  getCellState,
  getConnections,
  getInput,
  getInputToPrice,
  planRequests,
} from './comparison-plan.ts';
import type { ComparisonStore, StoredCell } from './comparison-store.ts';
import { createRequestQueue, type QueuedRequest, type QueueStage } from './request-queue.ts';

export interface OpenComparison {
  comparison: Comparison;
  notes: ComparisonNotes;
  cells: Map<number, StoredCell>;
  /** Cells that are not yet recorded in the ledger, keyed by place. */
  queued: Map<number, QueuedCell>;
  /** Keyed by row and variant; cleared when a price or an input may have changed. */
  prices: Map<string, RequestPrice>;
  /** Empty without stages. */
  stages: readonly OpenStage[];
  watchers: Set<Watcher>;
  isDeleted: boolean;
}

interface OpenStage extends QueueStage {
  /** The place after the stage's last cell. */
  end: number;
}

interface QueuedCell extends QueuedRequest {
  /** True if the user allowed this request to exceed a daily cap. */
  overCap: boolean;
}

interface Watcher {
  lastComparison: Comparison | null;
  lastNotes: ComparisonNotes | null;
  places: Set<number>;
  isOutdated: boolean;
  wake: () => void;
}

/** Changes within this window are batched. */
const JOIN_MS = 50;
/** Reading and sending this many cells takes a few milliseconds. */
const MAX_CELLS_PER_UPDATE = 100;

export interface SchedulerOptions {
  store: Pick<ComparisonStore, 'get' | 'notes' | 'cells' | 'want' | 'markSent'>;
  engine: Pick<Engine, 'start'>;
  spending: Pick<Spending, 'check' | 'price'>;
  changes: Pick<ChangeEmitter, 'listen'>;
  ledger: Pick<Ledger, 'getAttempts'>;
  conversations: () => CellConversations;
  /** Called when a request couldn't start; its cell says why. */
  onUnsent: (comparison: Comparison) => void;
  atOnce: (connectionId: string) => number;
  /** `now` returns Unix milliseconds; `clock` returns monotonic milliseconds. */
  now: () => number;
  clock: () => number;
  timer: Timer;
}

/** A comparison is open while it has watchers or queued cells. */
export interface ComparisonScheduler {
  /** Returns the comparison if it is open. */
  find(id: string): OpenComparison | undefined;
  /** Reads a comparison from the store; throws `not-found` if it doesn't exist. */
  read(id: string): Pick<OpenComparison, 'comparison' | 'notes' | 'cells'>;
  /** Returns the cells at `places`, or all cells if null. */
  getCells(live: OpenComparison, places: readonly number[] | null): StoredCell[];
  /** Returns the cells with the summaries of their newest runs. */
  listCells(live: OpenComparison, places: readonly number[]): Cell[];
  /** Returns the cells that wait for the user's confirmation. */
  listHeld(live: OpenComparison): StoredCell[];
  /** Returns the cap error if a cap paused any of the held cells, or null otherwise. */
  describeCap(live: OpenComparison): AppError | null;
  /** Throws `beyond-cap` if sending the cells `times` times would exceed a cap. */
  checkCaps(live: OpenComparison, cells: readonly StoredCell[], times?: number): void;
  enqueue(live: OpenComparison, cells: readonly StoredCell[], overCap: boolean): void;
  /** Opens a comparison that was just stored with these cells, and queues them. */
  start(comparison: Comparison, cells: readonly StoredCell[], overCap: boolean): void;
  /** Sends these cells and all other pending changes to the watchers. */
  notify(live: OpenComparison, cells?: readonly Pick<Cell, 'place'>[]): void;
  /** Opens the comparison for one action; throws `not-found` if it doesn't exist. */
  use<Result>(id: string, action: (live: OpenComparison) => Result): Result;
  /** Yields the full comparison, then its changes, until it is deleted or the signal aborts. */
  watch(id: string, signal?: AbortSignal): AsyncGenerator<ComparisonUpdate, void>;
  /**
   * Reloads the comparison after its plan has changed, and queues all cells after the `known` ones.
   */
  reload(live: OpenComparison, known: number, overCap: boolean): void;
  /** Throws a `beyond-cap` error unless `overCap` is set. */
  resend(live: OpenComparison, cells: readonly StoredCell[], overCap: boolean): void;
  /** Removes waiting cells from the queue, or all of them if null. */
  withdraw(live: OpenComparison, places: readonly number[] | null): void;
  /** Changes the comparison if it is open, and notifies its watchers. */
  update(id: string, change: (live: OpenComparison) => Partial<OpenComparison>): void;
  /** Ends all watches of a deleted comparison. */
  forget(id: string): void;
  /** Withdraws the cells and ends all watches of a conversation's comparisons. */
  forgetConversation(conversationId: string): void;
  /** Counts the requests that wait for this connection. */
  countWaiting(connectionId: string): number;
  /** Counts the queued cells, including those being recorded. */
  countAllWaiting(): number;
  /** Updates the run's cell, and sends the next request once the run has ended. */
  follow(run: RunSummary): void;
  /** Sends waiting requests that a changed setting now allows. */
  review(): void;
  /** Stops sending. */
  close(): void;
}

export function createComparisonScheduler(options: SchedulerOptions): ComparisonScheduler {
  const { store, engine, ledger, spending, conversations } = options;
  const all = new Map<string, OpenComparison>();
  /** Running requests by run ID, each of which occupies a slot of its connection. */
  const running = new Map<string, QueuedCell>();
  let closed = false;
  const queue = createRequestQueue({
    ...options,
    onChange(connectionId) {
      for (const live of all.values()) {
        if (getConnections(live.comparison).includes(connectionId)) notify(live);
      }
    },
  });

  options.changes.listen(({ topic, id }) => {
    for (const live of all.values()) {
      // The duration is known when a recording is complete, which may change the price.
      const isInput = topic === 'media' || (id !== null && live.comparison.conversationId === id);
      if (topic === 'prices' || isInput) live.prices.clear();
      // Daily caps are stored in the settings.
      if (topic === 'prices' || topic === 'settings') notify(live);
    }
  });

  function read(id: string) {
    const cells = new Map(store.cells(id).map((cell) => [cell.place, cell]));
    return { comparison: store.get(id), notes: store.notes(id), cells };
  }

  function open(id: string): OpenComparison {
    return all.get(id) ?? add(read(id));
  }

  function add(stored: ReturnType<typeof read>): OpenComparison {
    const { id } = stored.comparison;
    const own = { queued: new Map(), prices: new Map(), watchers: new Set<Watcher>() };
    const stages = openStages(stored.comparison);
    const live: OpenComparison = { ...stored, ...own, stages, isDeleted: false };
    all.set(id, live);
    return live;
  }

  function closeIfUnused(live: OpenComparison): void {
    const { comparison, queued, watchers } = live;
    if (queued.size + watchers.size === 0 && all.get(comparison.id) === live) {
      all.delete(comparison.id);
    }
  }

  function notify(live: OpenComparison, cells: readonly Pick<Cell, 'place'>[] = []): void {
    for (const watcher of live.watchers) {
      for (const { place } of cells) watcher.places.add(place);
      watcher.isOutdated = true;
      watcher.wake();
    }
  }

  function takeUpdate(live: OpenComparison, watcher: Watcher): ComparisonUpdate {
    const places = [...watcher.places].slice(0, MAX_CELLS_PER_UPDATE);
    for (const place of places) watcher.places.delete(place);
    watcher.isOutdated = watcher.places.size > 0;
    const { comparison, notes } = live;
    const { lastComparison, lastNotes } = watcher;
    Object.assign(watcher, { lastComparison: comparison, lastNotes: notes });
    return {
      comparison: comparison === lastComparison ? null : comparison,
      notes: notes === lastNotes ? null : notes,
      cells: listCells(live, places),
      more: watcher.isOutdated,
      heldBy: describeCap(live),
      sending: getConnections(comparison).map((each) => queue.state(each)),
    };
  }

  function getCells(live: OpenComparison, places: readonly number[] | null): StoredCell[] {
    if (places === null) return [...live.cells.values()];
    return places.flatMap((place) => live.cells.get(place) ?? []);
  }

  function listCells(live: OpenComparison, places: readonly number[]): Cell[] {
    const runs = ledger.getAttempts(live.comparison.id, places);
    const byPlace = new Map(runs.map((run) => [run.cell, run]));
    return getCells(live, places).map((stored) => {
      const { wanted: _, sent: attempts, ...cell } = stored;
      const run = byPlace.get(cell.place) ?? null;
      return { ...cell, state: getCellState(stored, live.queued), attempts, run };
    });
  }

  function listHeld(live: OpenComparison): StoredCell[] {
    return getCells(live, null).filter((cell) => getCellState(cell, live.queued) === 'held');
  }

  function checkCaps(live: OpenComparison, cells: readonly StoredCell[], times = 1): void {
    spending.check(
      planRequests(cells, times, (cell, key) => {
        const price =
          live.prices.get(key) ??
          spending.price(getInputToPrice(conversations(), live.comparison, cell));
        live.prices.set(key, price);
        return price;
      }),
    );
  }

  function describeCap(live: OpenComparison): AppError | null {
    const held = listHeld(live);
    if (!held.some(({ problem }) => problem?.kind === 'beyond-cap')) return null;
    try {
      checkCaps(live, held);
    } catch (cause) {
      if (cause instanceof UserFacingError) return cause.error;
      throw cause;
    }
    return null;
  }

  function want(live: OpenComparison, cells: readonly StoredCell[]): void {
    store.want(live.comparison.id, cells);
    for (const cell of cells) live.cells.set(cell.place, cell);
  }

  function enqueue(live: OpenComparison, cells: readonly StoredCell[], overCap: boolean): void {
    const getConnection = createConnectionFinder(live.comparison);
    const requests = cells.map((cell) => {
      const request: QueuedCell = {
        connectionId: getConnection(cell),
        share: `${live.comparison.id} ${cell.variantId}`,
        stage: live.stages.find(({ end }) => cell.place < end),
        overCap,
        send: () => void send(live, cell, request),
      };
      live.queued.set(cell.place, request);
      return request;
    });
    queue.add(...requests);
    notify(live, cells);
  }

  async function send(live: OpenComparison, cell: StoredCell, request: QueuedCell): Promise<void> {
    const { place } = cell;
    const { id, checkId } = live.comparison;
    let recordedRunId: string | null = null;
    try {
      const { input, chat } = getCellInput(conversations(), live.comparison, cell);
      await engine.start(
        { ...input, overCap: request.overCap },
        {
          ...(chat !== null && { conversationId: chat.conversationId }),
          cell: { comparisonId: id, place, checkId },
          record(runId) {
            // The user stopped the cell while its key was being read.
            if (live.queued.get(place) !== request) throw new UserFacingError(stopped);
            chat?.answers.record(runId);
            live.cells.set(place, store.markSent(id, place));
            live.queued.delete(place);
            running.set(runId, request);
            queue.left(request);
            recordedRunId = runId;
          },
        },
      );
      if (chat !== null) conversations().answersAdded(chat.conversationId, chat.answers.ids());
    } catch (cause) {
      // A stopped cell may already be queued again with another request.
      const isCurrent = recordedRunId !== null || live.queued.get(place) === request;
      if (recordedRunId !== null) running.delete(recordedRunId);
      queue.handleEnd(request, null);
      if (!closed && isCurrent) {
        fail(live, place, getError(cause));
        // The other requests of a stage would fail alike, and figures with gaps would mislead.
        if (live.stages.length > 0) hold(live);
        options.onUnsent(live.comparison);
      }
    }
    notify(live, [cell]);
    closeIfUnused(live);
  }

  /** Records why the cell couldn't start. */
  function fail(live: OpenComparison, place: number, problem: AppError): void {
    live.queued.delete(place);
    try {
      // The error rolled back the transaction that recorded the run.
      Object.assign(live, read(live.comparison.id));
      const isHeld = problem.kind === 'beyond-cap';
      for (const cell of getCells(live, [place])) {
        want(live, [{ ...cell, wanted: isHeld ? cell.wanted : cell.sent, problem }]);
      }
    } catch (cause) {
      if (!(cause instanceof UserFacingError)) throw cause;
      // If the disk is full, the cell stays held and only connected watchers see the reason.
      for (const cell of getCells(live, [place])) live.cells.set(place, { ...cell, problem });
    }
  }

  /** Takes the waiting cells from the queue, so that they wait for the user. */
  function hold(live: OpenComparison): void {
    for (const request of live.queued.values()) queue.drop(request);
    live.queued.clear();
  }

  function withdraw(live: OpenComparison, places: readonly number[] | null): void {
    const waiting = getCells(live, places)
      .filter(({ wanted, sent }) => wanted > sent)
      .map((cell) => ({ ...cell, wanted: cell.sent, problem: null }));
    want(live, waiting);
    for (const { place } of waiting) {
      const request = live.queued.get(place);
      if (request !== undefined) queue.drop(request);
      live.queued.delete(place);
    }
    notify(live, waiting);
  }

  function forget(id: string): void {
    const live = all.get(id);
    if (live === undefined) return;
    all.delete(id);
    live.isDeleted = true;
    notify(live);
  }

  return {
    find: (id: string) => all.get(id),
    read,
    getCells,
    listCells,
    listHeld,
    describeCap,
    checkCaps,
    enqueue,
    notify,

    start(comparison: Comparison, cells: readonly StoredCell[], overCap: boolean): void {
      const byPlace = new Map(cells.map((cell) => [cell.place, cell]));
      enqueue(add({ comparison, notes: noNotes, cells: byPlace }), cells, overCap);
    },

    use<Result>(id: string, action: (live: OpenComparison) => Result): Result {
      const live = open(id);
      try {
        return action(live);
      } finally {
        closeIfUnused(live);
      }
    },

    async *watch(id: string, signal?: AbortSignal) {
      const live = open(id);
      const watcher: Watcher = {
        lastComparison: null,
        lastNotes: null,
        isOutdated: true,
        places: new Set(live.cells.keys()),
        wake() {},
      };
      const onAbort = () => watcher.wake();
      live.watchers.add(watcher);
      signal?.addEventListener('abort', onAbort);
      try {
        while (signal?.aborted !== true && !live.isDeleted) {
          if (watcher.isOutdated) {
            const update = takeUpdate(live, watcher);
            yield update;
            const delayMs = update.more ? 0 : JOIN_MS;
            await pauseFor(delayMs, null, signal ? { signal } : {}).catch(() => null);
          } else {
            await new Promise<void>((resolve) => {
              watcher.wake = resolve;
            });
          }
        }
      } finally {
        live.watchers.delete(watcher);
        signal?.removeEventListener('abort', onAbort);
        closeIfUnused(live);
      }
    },

    reload(live: OpenComparison, known: number, overCap: boolean): void {
      Object.assign(live, read(live.comparison.id));
      live.prices.clear();
      enqueue(live, getCells(live, null).slice(known), overCap);
    },

    resend(live: OpenComparison, cells: readonly StoredCell[], overCap: boolean): void {
      if (!overCap) checkCaps(live, cells);
      const again = cells.map((cell) => ({ ...cell, problem: null }));
      want(live, again);
      enqueue(live, again, overCap);
    },

    withdraw,

    update(id: string, change: (live: OpenComparison) => Partial<OpenComparison>): void {
      const live = all.get(id);
      if (live === undefined) return;
      Object.assign(live, change(live));
      notify(live);
    },

    forget,

    forgetConversation(conversationId: string): void {
      for (const live of [...all.values()]) {
        if (live.comparison.conversationId !== conversationId) continue;
        withdraw(live, null);
        forget(live.comparison.id);
      }
    },

    countWaiting: (connectionId: string) => queue.state(connectionId).waiting,
    countAllWaiting: () => [...all.values()].reduce((sum, { queued }) => sum + queued.size, 0),

    follow(run: RunSummary): void {
      const request = running.get(run.id);
      if (request && (isFinished(run.status) || !phaseTraits[run.phase.name].isActive)) {
        running.delete(run.id);
        const { error } = run;
        queue.handleEnd(
          request,
          error && 'retryAfterSeconds' in error ? error.retryAfterSeconds : null,
        );
      }
      const live = run.comparisonId === null ? undefined : all.get(run.comparisonId);
      if (live === undefined || run.cell === null) return;
      notify(live, [{ place: run.cell }]);
      closeIfUnused(live);
    },

    review: queue.review,

    close(): void {
      closed = true;
      queue.close();
    },
  };
}

/** Looks up each row once, because thousands of cells may share a thousand rows. */
function createConnectionFinder(
  comparison: Comparison,
): (cell: Pick<StoredCell, 'rowId' | 'variantId'>) => string {
  const known = new Map<string, string>();
  return ({ rowId, variantId }) => {
    const key = `${rowId} ${variantId}`;
    const found = known.get(key) ?? getInput(comparison, { rowId, variantId }).connectionId;
    known.set(key, found);
    return found;
  };
}

function openStages({ stages = [] }: Comparison): OpenStage[] {
  let end = 0;
  return stages.map(({ atOnce, requests }) => {
    end += requests;
    return { atOnce, end };
  });
}

const stopped = appError('cancelled', 'Stopped before sending.', 'Retry the request.');
