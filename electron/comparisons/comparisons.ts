/** Starts, stops, resends, annotates and exports comparisons, and records them before sending. */
import { randomUUID } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  type Cell,
  type Comparison,
  type ComparisonPlan,
  getCellVariant,
} from '../../shared/comparison.ts';
import type { ComparisonNotes, NoteChange } from '../../shared/comparison-notes.ts';
import type { ConnectionActivity } from '../../shared/connection.ts';
import type { ComparisonUpdate } from '../../shared/contract/comparisons.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { isFinished, type RunSummary } from '../../shared/run.ts';
import { getResponse } from '../../shared/run-view.ts';
import type { ChangeEmitter } from '../base/changes.ts';
import type { Engine } from '../runs/engine.ts';
import type { PlannedRequest } from '../runs/spending.ts';
import type { Deletions } from '../storage/deletions.ts';
import type { Ledger } from '../storage/ledger.ts';
import {
  checkCell,
  checkCount,
  checkPlan,
  checkRepeats,
  checkText,
  countRepeats,
  getInput,
  listPlaces,
  planRequests,
} from './comparison-plan.ts';
import {
  createComparisonScheduler,
  type OpenComparison,
  type SchedulerOptions,
} from './comparison-scheduler.ts';
import type { ComparisonStore, StoredCell, ChatTurn as StoredTurn } from './comparison-store.ts';

interface ChatTurn extends Pick<StoredTurn, 'conversationId' | 'title' | 'variants' | 'asBefore'> {
  comparisonId: string | null;
  sourceRunId: string | null;
  overCap?: boolean | undefined;
  cells: readonly { variantId: string; messageId: string; messages: JsonObject[] }[];
}

interface ComparisonsOptions extends SchedulerOptions {
  store: ComparisonStore;
  engine: Pick<Engine, 'start' | 'cancel' | 'release' | 'restored' | 'read' | 'active'>;
  ledger: Pick<Ledger, 'getAttempts' | 'getOutcomes'>;
  changes: Pick<ChangeEmitter, 'announce' | 'listen'>;
  deletions: Pick<Deletions, 'softDelete' | 'onPurge' | 'stage'>;
  redact: (text: string) => string;
}

/** Methods throw `not-found` for an unknown ID, and `beyond-cap` unless `overCap` is set. */
export interface Comparisons {
  /** Returns the new ID; notes about equal inputs are copied from the comparison `notesFrom`. */
  start(plan: ComparisonPlan, overCap?: boolean, notesFrom?: string | null): Promise<string>;
  /**
   * Starts the comparisons of a check together. `record` runs in the transaction that stores them,
   * and an exception rolls it back.
   */
  startCheck(
    plans: readonly ComparisonPlan[],
    overCap: boolean,
    record: (ids: string[]) => void,
  ): Promise<string[]>;
  /** Adds a turn to a chat; `record` runs in the transaction that stores the turn. */
  addTurn(chat: ChatTurn, record: () => void): { comparisonId: string; rowId: string };
  /** Stops all comparisons of a conversation that is being deleted. */
  leave(conversationId: string): void;
  /** Ends the watches of deleted comparisons. */
  forget(ids: readonly string[]): void;
  get(id: string): { comparison: Comparison; notes: ComparisonNotes };
  /** Throws an `invalid-request` error if the title contains a stored key. */
  rename(id: string, title: string): void;
  /** Throws an `invalid-request` error if the note contains a stored key. */
  note(id: string, change: NoteChange): void;
  /** Returns the IDs of the comparisons whose model names are hidden. */
  blind(): string[];
  /**
   * Yields JSON in chunks; each cell has a run summary with its input and `reply`, and references to
   * media.
   */
  export(id: string): AsyncGenerator<string, void>;
  /** Yields the full comparison, then its changes, until it is deleted or the signal aborts. */
  watch(id: string, signal: AbortSignal | undefined): AsyncGenerator<ComparisonUpdate, void>;
  /** Removes waiting cells and cancels running ones; null stops all cells. */
  stop(id: string, places: readonly number[] | null): Promise<void>;
  /** Resends the cells at `places`, or all failed cells if `places` is null. */
  retry(id: string, places: readonly number[] | null, overCap?: boolean): void;
  /** Sends the held cells. */
  resume(id: string, overCap?: boolean, includesStopped?: boolean): void;
  /** Returns why requests couldn't start, such as a daily cap; null if there are none. */
  describeHold(id: string): AppError | null;
  /** Returns true if requests wait to be sent without the user. */
  isWaiting(id: string): boolean;
  /** Adds `times` repeats of every cell and sends them; throws if there would be too many. */
  repeat(id: string, times: number, overCap?: boolean): void;
  /** Deletes the comparison and its runs, but keeps a chat's answers; returns an ID for undo. */
  remove(id: string): Promise<string>;
  /** Counts the requests that wait for this connection, across all comparisons. */
  waiting(connectionId: string): number;
  /** Counts the held requests of this connection by comparison, newest first. */
  countHeld(connectionId: string): ConnectionActivity['held'];
  /** Counts all waiting requests, including those being recorded. */
  waitingCount(): number;
  /** Returns the title if no request is waiting or running; null otherwise, and in a check. */
  getEndedTitle(id: string): string | null;
  /** Updates the run's cell, and sends the next request once the run has ended. */
  follow(run: RunSummary): void;
  /** Sends waiting requests that a changed setting now allows. */
  review(): void;
  /** Stops sending; after a restart, the remaining cells are held. */
  close(): void;
}

export function createComparisons(options: ComparisonsOptions): Comparisons {
  const { store, engine, ledger, changes, deletions, spending, redact } = options;
  const scheduler = createComparisonScheduler(options);
  const closing = new AbortController();

  /** Throws if a plan is invalid or all of them together would exceed a cap. */
  async function checkPlans(plans: readonly ComparisonPlan[], overCap: boolean): Promise<void> {
    for (const plan of plans) await checkPlan(plan, redact);
    closing.signal.throwIfAborted();
    if (!overCap) spending.check(plans.flatMap(priceRequests));
  }

  function priceRequests(plan: ComparisonPlan): PlannedRequest[] {
    return planRequests(listPlaces(plan), countRepeats(plan), (place) =>
      spending.price(getInput(plan, place)),
    );
  }

  function send(id: string, overCap: boolean): void {
    scheduler.use(id, (live) => scheduler.enqueue(live, scheduler.getCells(live, null), overCap));
    changes.announce('comparisons', id);
  }

  /** Returns the cells without a run, and those whose run the user or a restart ended. */
  function listStopped(live: OpenComparison): StoredCell[] {
    const { id } = live.comparison;
    const runs = new Map(ledger.getOutcomes(id, null).map((run) => [run.cell, run]));
    return scheduler.getCells(live, null).filter(({ place, wanted, sent }) => {
      if (wanted > sent) return false;
      const run = runs.get(place);
      return sent === 0 || run?.status === 'cancelled' || run?.isInterrupted === true;
    });
  }

  deletions.onPurge('comparisons', store.purge);

  return {
    async start(
      plan: ComparisonPlan,
      overCap = false,
      notesFrom: string | null = null,
    ): Promise<string> {
      await checkPlans([plan], overCap);
      const { id } = store.create(plan, notesFrom);
      send(id, overCap);
      return id;
    },

    async startCheck(
      plans: readonly ComparisonPlan[],
      overCap: boolean,
      record: (ids: string[]) => void,
    ): Promise<string[]> {
      await checkPlans(plans, overCap);
      // Shutdown may begin while the cells are being stored.
      const created = await store.createAll(plans, deletions.stage(), closing.signal, record);
      for (const { comparison, cells } of created) {
        scheduler.start(comparison, cells, overCap);
        changes.announce('comparisons', comparison.id);
      }
      return created.map(({ comparison }) => comparison.id);
    },

    addTurn(chat: ChatTurn, record: () => void): { comparisonId: string; rowId: string } {
      const { comparisonId, conversationId, title, variants, asBefore, sourceRunId, cells } = chat;
      const { overCap = false } = chat;
      const own = asBefore ? [...variants] : [];
      const row = { id: randomUUID(), label: title, request: {}, sourceRunId, variants: own };
      const known = comparisonId === null ? 0 : store.cells(comparisonId).length;
      checkCount(known + cells.length);
      checkText(JSON.stringify({ variants, title }), redact);
      const planned = variants.map((variant): PlannedRequest => {
        const messages = cells.find((cell) => cell.variantId === variant.id)?.messages ?? [];
        const { connectionId, extraBody } = variant;
        const request = { ...variant.request, messages };
        checkCell('chat', variant.id, { ...variant, request });
        const price = spending.price({ operation: 'chat', connectionId, request, extraBody });
        return { price, times: 1 };
      });
      if (!overCap) spending.check(planned);
      const turn = { conversationId, title, variants, asBefore, row, cells };
      const id = store.addTurn(comparisonId, turn, record);
      scheduler.use(id, (live) => scheduler.reload(live, known, overCap));
      changes.announce('comparisons', id);
      return { comparisonId: id, rowId: row.id };
    },

    leave: (conversationId: string) => scheduler.forgetConversation(conversationId),
    forget(ids: readonly string[]): void {
      for (const id of ids) scheduler.forget(id);
    },

    get(id: string): { comparison: Comparison; notes: ComparisonNotes } {
      const live = scheduler.find(id);
      return {
        comparison: live?.comparison ?? store.get(id),
        notes: live?.notes ?? store.notes(id),
      };
    },

    rename(id: string, title: string): void {
      checkText(title, redact);
      store.rename(id, title);
      scheduler.update(id, ({ comparison }) => ({ comparison: { ...comparison, title } }));
      changes.announce('comparisons', id);
      // The run list shows this title.
      changes.announce('runs');
    },

    note(id: string, change: NoteChange): void {
      checkText(JSON.stringify(change), redact);
      const notes = store.note(id, change);
      scheduler.update(id, () => ({ notes }));
      changes.announce('comparisons', id);
    },

    blind: () => store.blind(),

    async *export(id: string): AsyncGenerator<string, void> {
      const live = scheduler.use(id, (opened) => opened);
      const { comparison, notes, cells } = live;
      const head = {
        kind: 'gatehouse-comparison',
        exportedAt: new Date(options.now()).toISOString(),
        comparison,
        notes,
      };
      yield redact(`${JSON.stringify(head).slice(0, -1)},\n"cells":[`);
      let separator = '';
      for (const place of [...cells.keys()]) {
        for (const cell of scheduler.listCells(live, [place])) {
          const text = JSON.stringify({ ...cell, run: await readRun(cell, engine) });
          yield redact(`${separator}\n${text}`);
          separator = ',';
        }
        await breathe();
      }
      yield '\n]}\n';
    },

    watch: (id: string, signal: AbortSignal | undefined) => scheduler.watch(id, signal),

    async stop(id: string, places: readonly number[] | null): Promise<void> {
      scheduler.use(id, (live) => scheduler.withdraw(live, places));
      const unfinished = ledger.getOutcomes(id, places).filter(({ status }) => !isFinished(status));
      await Promise.all(unfinished.map((run) => engine.cancel(run.id)));
    },

    retry(id: string, places: readonly number[] | null, overCap = false): void {
      const runs = new Map(ledger.getOutcomes(id, places).map((run) => [run.cell, run]));
      scheduler.use(id, (live) => {
        const again = scheduler
          .getCells(live, places)
          .filter(({ place, wanted, sent, problem }) => {
            const run = runs.get(place);
            if (live.queued.has(place) || (run && !isFinished(run.status))) return false;
            if (places !== null) return true;
            if (wanted > sent) return false;
            if (problem !== null) return true;
            const hasResult = run?.status === 'succeeded' && !run.isEmpty;
            return run !== undefined && run.status !== 'cancelled' && !hasResult;
          });
        const wanted = again.map((cell) => ({ ...cell, wanted: cell.sent + 1 }));
        scheduler.resend(live, wanted, overCap);
      });
    },

    resume(id: string, overCap = false, includesStopped = false): void {
      scheduler.use(id, (live) => {
        // Without this, the same cap would pause the remaining cells again.
        if (overCap) for (const request of live.queued.values()) request.overCap = true;
        const stopped = includesStopped ? listStopped(live) : [];
        const wanted = stopped.map((cell) => ({ ...cell, wanted: cell.sent + 1 }));
        scheduler.resend(live, [...scheduler.listHeld(live), ...wanted], overCap);
      });
    },

    repeat(id: string, times: number, overCap = false): void {
      scheduler.use(id, (live) => {
        const { repeats } = live.comparison;
        const first = scheduler.getCells(live, null).filter(({ repeat }) => repeat === 0);
        checkCount(first.length * (repeats + times));
        checkRepeats(repeats + times);
        if (!overCap) scheduler.checkCaps(live, first, times);
        const known = live.cells.size;
        store.addRepeats(id, times);
        scheduler.reload(live, known, overCap);
      });
      changes.announce('comparisons', id);
    },

    async remove(id: string): Promise<string> {
      const live = scheduler.use(id, (opened) => opened);
      scheduler.withdraw(live, null);
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
      scheduler.forget(id);
      changes.announce('comparisons', id);
      changes.announce('runs');
      return deletionId;
    },

    describeHold: (id: string) =>
      scheduler.use(id, (live) => {
        const failed = scheduler.getCells(live, null).find(({ problem }) => problem !== null);
        return scheduler.describeCap(live) ?? failed?.problem ?? null;
      }),
    isWaiting: (id: string) => (scheduler.find(id)?.queued.size ?? 0) > 0,

    waiting: (connectionId: string) => scheduler.countWaiting(connectionId),

    countHeld(connectionId: string): ConnectionActivity['held'] {
      return store.unsent().flatMap(({ comparison, cells }) => {
        const queued = scheduler.find(comparison.id)?.queued;
        const held = cells.filter(
          (cell) =>
            !queued?.has(cell.place) &&
            getCellVariant(comparison, cell)?.connectionId === connectionId,
        );
        return held.length === 0 ? [] : { title: comparison.title, requests: held.length };
      });
    },

    waitingCount: () => scheduler.countAllWaiting(),

    getEndedTitle(id: string): string | null {
      if ((scheduler.find(id)?.queued.size ?? 0) > 0) return null;
      // Reading the outcomes of thousands of requests for each that ends would block.
      if (engine.active().some(({ comparisonId }) => comparisonId === id)) return null;
      const runs = ledger.getOutcomes(id, null);
      const isOver = runs.length > 0 && runs.every(({ status }) => isFinished(status));
      if (!isOver) return null;
      const { title, checkId } = store.get(id);
      return checkId === undefined ? title : null;
    },

    follow: scheduler.follow,
    review: scheduler.review,

    close(): void {
      closing.abort(new UserFacingError(closingError));
      scheduler.close();
    },
  };
}

async function readRun({ run }: Cell, engine: Pick<Engine, 'read'>) {
  if (run === null) return null;
  try {
    const { view, ...input } = await engine.read(run.id);
    const { state: _state, seq: _seq, ...summary } = view;
    return { ...summary, ...input, reply: getResponse(view) };
  } catch (cause) {
    if (cause instanceof UserFacingError && cause.error.kind === 'not-found') return null;
    throw cause;
  }
}

const closingError = appError(
  'cancelled',
  'Gatehouse is closing. Nothing was sent.',
  'Restart Gatehouse and run again.',
);
