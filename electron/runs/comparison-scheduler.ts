/** Sends the cells of open comparisons as their connections have room, and reports changes. */
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Cell, Comparison } from '../../shared/comparison.ts';
import type { ComparisonNotes } from '../../shared/comparison-notes.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { isFinished, phaseTraits, type RunSummary } from '../../shared/run.ts';
import type { ChangeEmitter } from '../changes.ts';
import type { ComparisonStore, StoredCell } from '../storage/comparison-store.ts';
import type { Ledger } from '../storage/ledger.ts';
import type { Timer } from '../storage/timer.ts';
import {
  type CellConversations,
  getCellInput,
  getCellState,
  getConnections,
  getInput,
  getInputToPrice,
  planRequests,
} from './comparison-plan.ts';
import { getError } from './ending.ts';
import type { Engine } from './engine.ts';
import { createSendQueue, type QueuedRequest } from './send-queue.ts';
import type { RequestPrice, Spending } from './spending.ts';

/** A comparison that has cells to send or is watched. */
export interface OpenComparison {
  comparison: Comparison;
  notes: ComparisonNotes;
  cells: Map<number, StoredCell>;
  /** By place: cells that wait to be sent or are being recorded. */
  queued: Map<number, QueuedCell>;
  /** By row and variant. Cleared when a price or an input may have changed. */
  prices: Map<string, RequestPrice>;
  watchers: Set<Watcher>;
  isDeleted: boolean;
}

interface QueuedCell extends QueuedRequest {
  /** Sent even if it may exceed a daily cap. */
  beyondCap: boolean;
}

interface Watcher {
  /** Null before the first update. */
  lastComparison: Comparison | null;
  lastNotes: ComparisonNotes | null;
  /** Places of the cells to report next. */
  places: Set<number>;
  isOutdated: boolean;
  wake: () => void;
}

/** Changes of this many milliseconds are reported together. */
const JOIN_MS = 50;
/** Reading and sending 100 cells takes a few milliseconds. */
const MAX_CELLS_PER_UPDATE = 100;

export interface SchedulerOptions {
  store: Pick<ComparisonStore, 'get' | 'notes' | 'cells' | 'want' | 'markSent'>;
  engine: Pick<Engine, 'start'>;
  spending: Pick<Spending, 'check' | 'price'>;
  changes: Pick<ChangeEmitter, 'listen'>;
  ledger: Pick<Ledger, 'getAttempts'>;
  conversations: () => CellConversations;
  /** Returns how many requests a connection may have at once. */
  atOnce: (connectionId: string) => number;
  /** `now` in Unix milliseconds, `clock` in monotonic ones. */
  now: () => number;
  clock: () => number;
  timer: Timer;
}

export function createComparisonScheduler(options: SchedulerOptions) {
  const { store, engine, ledger, spending, conversations } = options;
  const all = new Map<string, OpenComparison>();
  /** By run ID: requests that take a slot of their connection. */
  const running = new Map<string, QueuedCell>();
  let closed = false;
  const queue = createSendQueue({
    ...options,
    onChange(connectionId) {
      for (const live of all.values()) {
        if (getConnections(live.comparison).includes(connectionId)) notify(live);
      }
    },
  });

  options.changes.listen(({ topic, id }) => {
    for (const live of all.values()) {
      // The length of a recording, and so its price, may be known only now.
      const isInput = topic === 'media' || (id !== null && live.comparison.conversationId === id);
      if (topic === 'prices' || isInput) live.prices.clear();
      // Caps are settings.
      if (topic === 'prices' || topic === 'settings') notify(live);
    }
  });

  function read(id: string) {
    const cells = new Map(store.cells(id).map((cell) => [cell.place, cell]));
    return { comparison: store.get(id), notes: store.notes(id), cells };
  }

  function open(id: string): OpenComparison {
    const known = all.get(id);
    if (known !== undefined) return known;
    const own = { queued: new Map(), prices: new Map(), watchers: new Set<Watcher>() };
    const live: OpenComparison = { ...read(id), ...own, isDeleted: false };
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
      cells: describeCells(live, places),
      more: watcher.isOutdated,
      heldBy: describeCap(live),
      sending: getConnections(comparison).map((each) => queue.state(each)),
    };
  }

  function cellsAt(live: OpenComparison, places: readonly number[] | null): StoredCell[] {
    if (places === null) return [...live.cells.values()];
    return places.flatMap((place) => live.cells.get(place) ?? []);
  }

  function describeCells(live: OpenComparison, places: readonly number[]): Cell[] {
    const runs = ledger.getAttempts(live.comparison.id, places);
    const byPlace = new Map(runs.map((run) => [run.cell, run]));
    return cellsAt(live, places).map((stored) => {
      const { wanted: _, sent: attempts, ...cell } = stored;
      const run = byPlace.get(cell.place) ?? null;
      return { ...cell, state: getCellState(stored, live.queued), attempts, run };
    });
  }

  function listHeld(live: OpenComparison): StoredCell[] {
    return cellsAt(live, null).filter((cell) => getCellState(cell, live.queued) === 'held');
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

  /** Returns the cap that all held cells may exceed, or null if no cap holds any. */
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

  function enqueue(live: OpenComparison, cells: readonly StoredCell[], beyondCap: boolean): void {
    for (const cell of cells) {
      const request: QueuedCell = {
        connectionId: getInput(live.comparison, cell).connectionId,
        share: `${live.comparison.id} ${cell.variantId}`,
        beyondCap,
        send: () => void send(live, cell, request),
      };
      live.queued.set(cell.place, request);
      queue.add(request);
    }
    notify(live, cells);
  }

  async function send(live: OpenComparison, cell: StoredCell, request: QueuedCell): Promise<void> {
    const { place } = cell;
    const { id } = live.comparison;
    let recordedRunId: string | null = null;
    try {
      const { input, chat } = getCellInput(conversations(), live.comparison, cell);
      await engine.start(
        { ...input, beyondCap: request.beyondCap },
        {
          ...(chat !== null && { conversationId: chat.conversationId }),
          cell: { comparisonId: id, place },
          record(runId) {
            // The user stopped it while the key was read.
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
      // Otherwise it was stopped meanwhile, and may be queued again by now.
      const isCurrent = recordedRunId !== null || live.queued.get(place) === request;
      if (recordedRunId !== null) running.delete(recordedRunId);
      queue.ended(request, null);
      if (!closed && isCurrent) fail(live, place, getError(cause));
    }
    notify(live, [cell]);
    closeIfUnused(live);
  }

  /** Stores why the cell couldn't be started. */
  function fail(live: OpenComparison, place: number, problem: AppError): void {
    live.queued.delete(place);
    try {
      // The transaction that recorded it was rolled back.
      Object.assign(live, read(live.comparison.id));
      const isHeld = problem.kind === 'beyond-cap';
      for (const cell of cellsAt(live, [place])) {
        want(live, [{ ...cell, wanted: isHeld ? cell.wanted : cell.sent, problem }]);
      }
    } catch (cause) {
      if (!(cause instanceof UserFacingError)) throw cause;
      // The disk may be full: the cell stays held, and only current watchers see why.
      for (const cell of cellsAt(live, [place])) live.cells.set(place, { ...cell, problem });
    }
  }

  /** Takes back the cells that wait. Null takes back all. */
  function withdraw(live: OpenComparison, places: readonly number[] | null): void {
    const waiting = cellsAt(live, places)
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

  /** Ends every watch of a deleted comparison. */
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
    cellsAt,
    describeCells,
    listHeld,
    checkCaps,
    enqueue,
    notify,

    /** Opens the comparison for one action. Throws a `not-found` error. */
    use<Result>(id: string, action: (live: OpenComparison) => Result): Result {
      const live = open(id);
      try {
        return action(live);
      } finally {
        closeIfUnused(live);
      }
    },

    /** Sends the whole comparison first, then changes, until the signal aborts. */
    async *watch(id: string, signal?: AbortSignal) {
      const live = open(id);
      const watcher: Watcher = {
        ...{ lastComparison: null, lastNotes: null, isOutdated: true },
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

    /** Reads the comparison again after its plan has changed, and queues all but the `known` cells. */
    reload(live: OpenComparison, known: number, beyondCap: boolean): void {
      Object.assign(live, read(live.comparison.id));
      live.prices.clear();
      enqueue(live, cellsAt(live, null).slice(known), beyondCap);
    },

    /** Throws a `beyond-cap` error, unless `beyondCap` is set. */
    resend(live: OpenComparison, cells: readonly StoredCell[], beyondCap: boolean): void {
      if (!beyondCap) checkCaps(live, cells);
      const again = cells.map((cell) => ({ ...cell, problem: null }));
      want(live, again);
      enqueue(live, again, beyondCap);
    },

    withdraw,

    /** Shows a change to watchers if the comparison is open. */
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

    /** Called when a run starts, changes or ends. */
    follow(run: RunSummary): void {
      const request = running.get(run.id);
      if (request && (isFinished(run.status) || !phaseTraits[run.phase.name].isActive)) {
        running.delete(run.id);
        const { error } = run;
        queue.ended(
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

const stopped = appError('cancelled', 'Stopped before sending.', 'Retry the request.', {});
