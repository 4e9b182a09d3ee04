/** Comparisons that have something to send or are watched, and how their cells are sent. */
import type { Cell } from '../../shared/comparison.ts';
import type { ComparisonNotes } from '../../shared/comparison-notes.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { isFinished, phaseTraits, type RunSummary } from '../../shared/run.ts';
import type { ChangeEmitter } from '../changes.ts';
import type { ComparisonStore, StoredCell } from '../storage/comparison-store.ts';
import type { Ledger } from '../storage/ledger.ts';
import type { Timer } from '../storage/timer.ts';
import { type CellConversations, cellInput } from './cell-input.ts';
import { cellState } from './cell-state.ts';
import { type CappedComparison, createComparisonCaps, mayChangePrices } from './comparison-caps.ts';
import { getConnections, getInput } from './comparison-plan.ts';
import { type ComparisonWatchers, createComparisonWatchers } from './comparison-watchers.ts';
import { getError } from './ending.ts';
import type { Engine } from './engine.ts';
import { createSendQueue, type QueuedRequest } from './send-queue.ts';
import type { Spending } from './spending.ts';

/** One that has something to send, or is watched. */
export interface LiveComparisonState extends CappedComparison {
  notes: ComparisonNotes;
  /** Places that the user wants to be sent beyond a daily cap. */
  beyondCap: Set<number>;
  watchers: ComparisonWatchers;
}

export interface LiveComparisonsOptions {
  store: Pick<ComparisonStore, 'get' | 'notes' | 'cells' | 'want' | 'markSent'>;
  engine: Pick<Engine, 'start'>;
  spending: Pick<Spending, 'check' | 'price'>;
  changes: Pick<ChangeEmitter, 'listen'>;
  ledger: Pick<Ledger, 'getAttempts'>;
  conversations: () => CellConversations;
  /** How many requests of a connection are under way at once. */
  atOnce: (connectionId: string) => number;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds from any fixed point, never going back. */
  clock: () => number;
  timer: Timer;
}

type Stored = Pick<LiveComparisonState, 'comparison' | 'notes' | 'cells'>;

export interface LiveComparisons {
  /** The same object until nobody needs it. */
  open(id: string): LiveComparisonState;
  find(id: string): LiveComparisonState | undefined;
  ofConversation(conversationId: string): LiveComparisonState[];
  /** As it is stored. */
  read(id: string): Stored;
  /** Its plan has changed. */
  readAgain(live: LiveComparisonState): void;
  /** Read again when somebody needs it. */
  letGo(live: LiveComparisonState): void;
  /** It is gone for those who look at it. */
  forget(live: LiveComparisonState): void;
  /** Null for all. */
  cellsAt(live: LiveComparisonState, places: readonly number[] | null): StoredCell[];
  shownCells(live: LiveComparisonState, places: readonly number[] | null): Cell[];
  /** Throws a `beyond-cap` failure where all of them may pass a daily cap, each sent `times` times. */
  checkCaps(live: LiveComparisonState, cells: readonly StoredCell[], times?: number): void;
  /** Records what they are to be. */
  want(live: LiveComparisonState, cells: readonly StoredCell[]): void;
  enqueue(live: LiveComparisonState, cells: readonly StoredCell[], beyondCap: boolean): void;
  /** Takes back what waits. */
  withdraw(live: LiveComparisonState, places: readonly number[] | null): void;
  waiting(connectionId: string): number;
  /** Of all connections. */
  waitingCount(): number;
  /** A run has started, changed or ended. */
  follow(run: RunSummary): void;
  review(): void;
  close(): void;
}

export function createLiveComparisons(options: LiveComparisonsOptions): LiveComparisons {
  const { store, engine, ledger } = options;
  const lives = new Map<string, LiveComparisonState>();
  /** By run: what takes a place of its connection. */
  const running = new Map<string, QueuedRequest>();
  let closed = false;
  const queue = createSendQueue({ ...options, onChange: laneChanged });
  const caps = createComparisonCaps(
    options.spending,
    (live, cell) => cellInput(options.conversations, live, cell).input,
  );

  options.changes.listen((change) => {
    for (const live of lives.values()) {
      if (mayChangePrices(live, change)) live.prices.clear();
      // Caps are settings.
      if (change.topic === 'prices' || change.topic === 'settings') live.watchers.tell({});
    }
  });

  function open(id: string): LiveComparisonState {
    const known = lives.get(id);
    if (known !== undefined) return known;
    const live: LiveComparisonState = {
      ...read(id),
      queued: new Map(),
      beyondCap: new Set(),
      prices: new Map(),
      watchers: createComparisonWatchers({
        places: () => live.cells.keys(),
        read: ({ cells, plan, notes }) => ({
          comparison: plan ? live.comparison : null,
          notes: notes ? live.notes : null,
          cells: shownCells(live, cells),
          heldBy: caps.heldBy(live),
          sending: getConnections(live.comparison).map((each) => queue.state(each)),
        }),
      }),
    };
    lives.set(id, live);
    return live;
  }

  function read(id: string): Stored {
    return { comparison: store.get(id), notes: store.notes(id), cells: readCells(id) };
  }

  function readCells(id: string): LiveComparisonState['cells'] {
    return new Map(store.cells(id).map((cell) => [cell.place, cell]));
  }

  function readAgain(live: LiveComparisonState): void {
    Object.assign(live, read(live.comparison.id));
    live.prices.clear();
  }

  /** Read again when somebody needs it. */
  function letGo(live: LiveComparisonState): void {
    const { comparison, queued, watchers } = live;
    if (queued.size + watchers.count() === 0 && lives.get(comparison.id) === live)
      lives.delete(comparison.id);
  }

  function laneChanged(connectionId: string): void {
    for (const live of lives.values()) {
      if (getConnections(live.comparison).includes(connectionId)) live.watchers.tell({});
    }
  }

  function want(live: LiveComparisonState, cells: readonly StoredCell[]): void {
    store.want(live.comparison.id, cells);
    for (const cell of cells) live.cells.set(cell.place, cell);
  }

  function cellsAt(live: LiveComparisonState, places: readonly number[] | null): StoredCell[] {
    if (places === null) return [...live.cells.values()];
    return places.flatMap((place) => live.cells.get(place) ?? []);
  }

  function enqueue(
    live: LiveComparisonState,
    cells: readonly StoredCell[],
    beyondCap: boolean,
  ): void {
    for (const cell of cells) {
      if (beyondCap) live.beyondCap.add(cell.place);
      else live.beyondCap.delete(cell.place);
      const request: QueuedRequest = {
        connectionId: getInput(live.comparison, cell).connectionId,
        share: `${live.comparison.id} ${cell.variantId}`,
        send: () => void send(live, cell, request),
      };
      live.queued.set(cell.place, request);
      queue.add(request);
    }
    live.watchers.tell({ cells: cells.map(({ place }) => place) });
  }

  async function send(
    live: LiveComparisonState,
    cell: StoredCell,
    request: QueuedRequest,
  ): Promise<void> {
    const { place } = cell;
    const { id } = live.comparison;
    let recorded: string | null = null;
    try {
      const { input, chat } = cellInput(options.conversations, live, cell);
      const asked = { ...input, beyondCap: live.beyondCap.has(place) };
      await engine.start(asked, {
        ...(chat !== null && { conversationId: chat.conversationId }),
        cell: { comparisonId: id, place },
        record(runId) {
          // It was stopped while the key was fetched.
          if (live.queued.get(place) !== request) throw new UserFacingError(stopped);
          chat?.answers.record(runId);
          live.cells.set(place, store.markSent(id, place));
          live.queued.delete(place);
          running.set(runId, request);
          queue.left(request);
          recorded = runId;
        },
      });
      if (chat !== null) {
        options.conversations().answersAdded(chat.conversationId, chat.answers.ids());
      }
    } catch (cause) {
      // Otherwise it was stopped meanwhile, and may be asked for again by now.
      const isAsked = recorded !== null || live.queued.get(place) === request;
      if (recorded !== null) running.delete(recorded);
      queue.ended(request, null);
      if (!closed && isAsked) refuse(live, place, getError(cause));
    }
    live.watchers.tell({ cells: [place] });
    letGo(live);
  }

  /** It could not be started: it no longer waits, and says why. */
  function refuse(live: LiveComparisonState, place: number, problem: AppError): void {
    live.queued.delete(place);
    try {
      // What was recorded with it is undone.
      live.cells = readCells(live.comparison.id);
      // Beyond a cap it stays held, until the user wants it all the same.
      const isHeld = problem.kind === 'beyond-cap';
      want(
        live,
        cellsAt(live, [place]).map((cell) => ({
          ...cell,
          ...(!isHeld && { wanted: cell.sent }),
          problem,
        })),
      );
    } catch (cause) {
      if (!(cause instanceof UserFacingError)) throw cause;
      // It stays held, and says so to those who look at it now.
      for (const cell of cellsAt(live, [place])) live.cells.set(place, { ...cell, problem });
    }
  }

  function shownCells(live: LiveComparisonState, places: readonly number[] | null): Cell[] {
    const runs = new Map(
      ledger.getAttempts(live.comparison.id, places).map((run) => [run.cell, run]),
    );
    return cellsAt(live, places).map(({ wanted, sent, ...cell }) => ({
      ...cell,
      state: cellState({ wanted, sent }, live.queued.has(cell.place)),
      attempts: sent,
      run: runs.get(cell.place) ?? null,
    }));
  }

  /** It is gone for those who look at it. */
  function forget(live: LiveComparisonState): void {
    lives.delete(live.comparison.id);
    live.watchers.close();
  }

  /** Takes back what waits. */
  function withdraw(live: LiveComparisonState, places: readonly number[] | null): void {
    const waiting = cellsAt(live, places).filter(({ wanted, sent }) => wanted > sent);
    want(
      live,
      waiting.map((cell) => ({ ...cell, wanted: cell.sent, problem: null })),
    );
    for (const { place } of waiting) {
      const request = live.queued.get(place);
      if (request !== undefined) queue.drop(request);
      live.queued.delete(place);
    }
    live.watchers.tell({ cells: waiting.map(({ place }) => place) });
  }

  return {
    open,
    find: (id) => lives.get(id),
    ofConversation: (conversationId) =>
      [...lives.values()].filter(({ comparison }) => comparison.conversationId === conversationId),
    read,
    readAgain,
    letGo,
    forget,
    cellsAt,
    shownCells,
    checkCaps(live, cells, times = 1) {
      try {
        caps.check(live, cells, times);
      } catch (cause) {
        letGo(live);
        throw cause;
      }
    },
    want,
    enqueue,
    withdraw,
    waiting: (connectionId) => queue.state(connectionId).waiting,
    waitingCount: () => [...lives.values()].reduce((sum, { queued }) => sum + queued.size, 0),

    follow(run) {
      const request = running.get(run.id);
      const isOver = isFinished(run.status) || !phaseTraits[run.phase.name].isActive;
      if (request !== undefined && isOver) {
        running.delete(run.id);
        queue.ended(request, getWait(run.error));
      }
      const live = run.comparisonId === null ? undefined : lives.get(run.comparisonId);
      if (live === undefined || run.cell === null) return;
      live.watchers.tell({ cells: [run.cell] });
      letGo(live);
    },

    review: () => queue.review(),

    close() {
      closed = true;
      queue.close();
    },
  };
}

/** How long the gateway wants no other request, in seconds; null if it does not say. */
function getWait(error: AppError | null): number | null {
  if (error === null || !('retryAfterSeconds' in error)) return null;
  return error.retryAfterSeconds;
}

const stopped = appError('cancelled', 'Stopped before sending.', 'Retry the request.', {});
