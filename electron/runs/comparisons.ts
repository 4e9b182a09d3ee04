/** Comparisons for every caller: recorded first, sent a few at once, each cell an ordinary run. */
import { randomUUID } from 'node:crypto';
import { type Comparison, type ComparisonPlan, variantOfCell } from '../../shared/comparison.ts';
import type { ComparisonNotes, NoteChange } from '../../shared/comparison-notes.ts';
import type { ConnectionActivity } from '../../shared/connection.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { isFinished, type RunSummary } from '../../shared/run.ts';
import type { ChangeEmitter } from '../changes.ts';
import type { ComparisonStore, ChatTurn as StoredTurn } from '../storage/comparison-store.ts';
import type { Deletions } from '../storage/deletions.ts';
import type { Ledger } from '../storage/ledger.ts';
import { pausedCells } from './cell-state.ts';
import {
  cellIndexes,
  checkCell,
  checkCount,
  checkPlan,
  checkRepeats,
  checkText,
  getInput,
  plannedRequests,
} from './comparison-plan.ts';
import type { Engine } from './engine.ts';
import { exportComparison } from './export-comparison.ts';
import { createLiveComparisons, type LiveComparisonsOptions } from './live-comparisons.ts';
import type { PlannedRequest } from './spending.ts';

/** For what does not exist, every method throws a `UserFacingError` of kind `not-found`. Announces every change. */
export interface Comparisons {
  /**
   * Returns the ID. Throws an `invalid-request` failure where one request would not leave, and a `beyond-cap` one where
   * all of them may pass a daily cap, unless that is wanted; then nothing is recorded. What was noted about the same
   * input in the comparison `notesFrom` is noted here, too.
   */
  start(plan: ComparisonPlan, beyondCap?: boolean, notesFrom?: string | null): Promise<string>;
  /** As `start`, for a turn of a chat; `record` is part of the transaction. */
  addTurn(turn: ChatTurn, record: () => void): { comparisonId: string; rowId: string };
  /** A conversation is about to be deleted: nothing more is sent for its comparisons. */
  leave(conversationId: string): void;
  get(id: string): { comparison: Comparison; notes: ComparisonNotes };
  rename(id: string, title: string): void;
  /** Throws an `invalid-request` failure for a text that holds a key. */
  note(id: string, change: NoteChange): void;
  /** IDs of those whose names are hidden. */
  blind(): string[];
  /** The text of one JSON value, in pieces. */
  export(id: string): AsyncGenerator<string, void>;
  /** The whole first, then what has changed, until the signal. */
  watch(id: string, signal: AbortSignal | undefined): AsyncGenerator<ComparisonUpdate, void>;
  /** What waits is not sent, what runs is stopped; `places` is null for all. */
  stop(id: string, places: readonly number[] | null): Promise<void>;
  /** Resends the cells that failed, or all of `places`. Throws a `beyond-cap` failure as `start`. */
  retry(id: string, places: readonly number[] | null, beyondCap?: boolean): void;
  /** Sends what is held. Throws a `beyond-cap` failure as `start`. */
  resume(id: string, beyondCap?: boolean): void;
  /** Sends everything so many times more. Throws a `beyond-cap` failure as `start`. */
  repeat(id: string, times: number, beyondCap?: boolean): void;
  /** With its runs. Returns the ID with which the deletion can be undone for a while. */
  remove(id: string): Promise<string>;
  /** How many requests of all comparisons wait for the connection. */
  waiting(connectionId: string): number;
  /** What is held for the connection, by comparison. */
  held(connectionId: string): ConnectionActivity['held'];
  /** Of all connections; with those that are being recorded. */
  waitingCount(): number;
  /** The title of one of which nothing waits or runs any more; null for others, and once it is deleted. */
  endedTitle(id: string): string | null;
  /** A run has started, changed or ended. */
  follow(run: RunSummary): void;
  /** `atOnce` may say something else now. */
  review(): void;
  /** Nothing more is sent; what waits is held for the next process. */
  close(): void;
}

interface ChatTurn extends Pick<StoredTurn, 'conversationId' | 'title' | 'variants' | 'asBefore'> {
  /** Null begins one. */
  comparisonId: string | null;
  sourceRunId: string | null;
  beyondCap?: boolean | undefined;
  /** One for each variant; `messages` is what it would send now. */
  cells: readonly { variantId: string; messageId: string; messages: JsonObject[] }[];
}

interface ComparisonsOptions extends LiveComparisonsOptions {
  store: ComparisonStore;
  engine: Pick<Engine, 'start' | 'cancel' | 'release' | 'restored' | 'read'>;
  ledger: Pick<Ledger, 'getAttempts' | 'getOutcomes'>;
  changes: Pick<ChangeEmitter, 'announce' | 'listen'>;
  deletions: Pick<Deletions, 'softDelete' | 'onPurge'>;
  /** The text without any key that this process knows. */
  redact: (text: string) => string;
}

export function createComparisons(options: ComparisonsOptions): Comparisons {
  const { store, engine, ledger, changes, deletions, spending } = options;
  const lives = createLiveComparisons(options);
  let closed = false;

  deletions.onPurge('comparisons', store.purge);

  return {
    async start(plan, beyondCap = false, notesFrom = null) {
      await checkPlan(plan, options.redact);
      if (closed) throw new UserFacingError(isClosing);
      if (!beyondCap) {
        spending.check(
          plannedRequests(cellIndexes(plan), plan.repeats, (cell) =>
            spending.price(getInput(plan, cell)),
          ),
        );
      }
      const { id } = store.create(plan, notesFrom);
      const live = lives.open(id);
      lives.enqueue(live, lives.cellsAt(live, null), beyondCap);
      changes.announce('comparisons', id);
      return id;
    },

    addTurn(chat, record) {
      const { comparisonId, conversationId, title, variants, asBefore, sourceRunId, cells } = chat;
      const known = comparisonId === null ? null : lives.open(comparisonId);
      const own = asBefore ? [...variants] : [];
      const row = { id: randomUUID(), label: title, request: {}, sourceRunId, variants: own };
      const count = known?.cells.size ?? 0;
      checkCount(count + cells.length);
      checkText(JSON.stringify({ variants, title }), options.redact);
      const planned = variants.map((variant): PlannedRequest => {
        const messages = cells.find((cell) => cell.variantId === variant.id)?.messages ?? [];
        const { connectionId, extraBody } = variant;
        const request = { ...variant.request, messages };
        checkCell('chat', variant.id, { ...variant, request });
        const price = spending.price({ operation: 'chat', connectionId, request, extraBody });
        return { price, times: 1 };
      });
      const { beyondCap = false } = chat;
      if (!beyondCap) spending.check(planned);
      const turn = { conversationId, title, variants, asBefore, row, cells };
      const id = store.addTurn(comparisonId, turn, record);
      const live = lives.open(id);
      if (known !== null) lives.readAgain(live);
      live.watchers.tell({ plan: true });
      lives.enqueue(live, lives.cellsAt(live, null).slice(count), beyondCap);
      changes.announce('comparisons', id);
      return { comparisonId: id, rowId: row.id };
    },

    leave(conversationId) {
      for (const live of lives.ofConversation(conversationId)) {
        lives.withdraw(live, null);
        lives.forget(live);
      }
    },

    get(id) {
      const { comparison, notes } = lives.find(id) ?? lives.read(id);
      return { comparison, notes };
    },

    rename(id, title) {
      checkText(title, options.redact);
      store.rename(id, title);
      const live = lives.find(id);
      if (live !== undefined) live.comparison = { ...live.comparison, title };
      live?.watchers.tell({ plan: true });
      changes.announce('comparisons', id);
      // Lists of runs show it.
      changes.announce('runs');
    },

    note(id, change) {
      checkText(JSON.stringify(change), options.redact);
      const notes = store.note(id, change);
      const live = lives.find(id);
      if (live !== undefined) live.notes = notes;
      live?.watchers.tell({ notes: true });
      changes.announce('comparisons', id);
    },

    blind: () => store.blind(),

    async *export(id) {
      const live = lives.open(id);
      const { comparison, notes } = live;
      const places = [...live.cells.keys()];
      lives.letGo(live);
      const { read } = engine;
      yield* exportComparison({
        ...{ comparison, notes, places, read },
        cellsAt: (some) => lives.shownCells(live, some),
        redact: options.redact,
        exportedAt: options.now(),
      });
    },

    async *watch(id, signal) {
      const live = lives.open(id);
      try {
        yield* live.watchers.watch(signal);
      } finally {
        lives.letGo(live);
      }
    },

    async stop(id, places) {
      const live = lives.open(id);
      lives.withdraw(live, places);
      const unfinished = ledger.getOutcomes(id, places).filter(({ status }) => !isFinished(status));
      await Promise.all(unfinished.map((run) => engine.cancel(run.id)));
      lives.letGo(live);
    },

    retry(id, places, beyondCap = false) {
      const live = lives.open(id);
      const runs = new Map(ledger.getOutcomes(id, places).map((run) => [run.cell, run]));
      const again = lives.cellsAt(live, places).filter(({ place, wanted, sent, problem }) => {
        const run = runs.get(place);
        if (live.queued.has(place) || (run && !isFinished(run.status))) return false;
        if (places !== null) return true;
        if (wanted > sent) return false;
        if (problem !== null) return true;
        const hasResult = run?.status === 'succeeded' && !run.isEmpty;
        return run !== undefined && run.status !== 'cancelled' && !hasResult;
      });
      if (!beyondCap) lives.checkCaps(live, again);
      lives.want(
        live,
        again.map((cell) => ({ ...cell, wanted: cell.sent + 1, problem: null })),
      );
      lives.enqueue(
        live,
        lives.cellsAt(
          live,
          again.map(({ place }) => place),
        ),
        beyondCap,
      );
      lives.letGo(live);
    },

    resume(id, beyondCap = false) {
      const live = lives.open(id);
      const held = pausedCells(live.cells, live.queued);
      if (!beyondCap) lives.checkCaps(live, held);
      // What still waits would be held next.
      else for (const place of live.queued.keys()) live.beyondCap.add(place);
      lives.want(
        live,
        held.map((cell) => ({ ...cell, problem: null })),
      );
      lives.enqueue(
        live,
        lives.cellsAt(
          live,
          held.map(({ place }) => place),
        ),
        beyondCap,
      );
      lives.letGo(live);
    },

    repeat(id, times, beyondCap = false) {
      const live = lives.open(id);
      const { repeats } = live.comparison;
      const first = lives.cellsAt(live, null).filter(({ repeat }) => repeat === 0);
      checkCount(first.length * (repeats + times));
      checkRepeats(repeats + times);
      if (!beyondCap) lives.checkCaps(live, first, times);
      const known = live.cells.size;
      store.addRepeats(id, times);
      lives.readAgain(live);
      live.watchers.tell({ plan: true });
      lives.enqueue(live, lives.cellsAt(live, null).slice(known), beyondCap);
      changes.announce('comparisons', id);
    },

    async remove(id) {
      const live = lives.open(id);
      lives.withdraw(live, null);
      const runs = ledger.getOutcomes(id, null);
      const isChat = live.comparison.conversationId !== null;
      await Promise.all(
        runs.map((run) => (isChat ? engine.cancel(run.id) : engine.release(run.id))),
      );
      let runIds: string[] = [];
      const deletionId = deletions.softDelete({
        hide(deletedAt) {
          runIds = store.hide(id, deletedAt);
        },
        onRestored() {
          for (const runId of runIds) engine.restored(runId);
          changes.announce('comparisons', id);
        },
      });
      lives.forget(live);
      changes.announce('comparisons', id);
      changes.announce('runs');
      return deletionId;
    },

    waiting: (connectionId) => lives.waiting(connectionId),
    held(connectionId) {
      return store.unsent().flatMap(({ comparison, cells }) => {
        const queued = lives.find(comparison.id)?.queued;
        const held = cells.filter(
          (cell) =>
            !queued?.has(cell.place) &&
            variantOfCell(comparison, cell)?.connectionId === connectionId,
        );
        return held.length === 0 ? [] : { title: comparison.title, requests: held.length };
      });
    },
    waitingCount: () => lives.waitingCount(),
    endedTitle(id) {
      if ((lives.find(id)?.queued.size ?? 0) > 0) return null;
      const runs = ledger.getOutcomes(id, null);
      const isOver = runs.length > 0 && runs.every(({ status }) => isFinished(status));
      return isOver ? store.get(id).title : null;
    },
    follow: (run) => lives.follow(run),
    review: () => lives.review(),

    close() {
      closed = true;
      lives.close();
    },
  };
}

const isClosing = appError(
  'cancelled',
  'Gatehouse is closing. Nothing was sent.',
  'Restart Gatehouse and run again.',
  {},
);
