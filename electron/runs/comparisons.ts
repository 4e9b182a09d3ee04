/** Starts, stops, resends, notes and exports comparisons. They are recorded before they are sent. */
import { randomUUID } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  type Cell,
  type Comparison,
  type ComparisonPlan,
  variantOfCell,
} from '../../shared/comparison.ts';
import type { ComparisonNotes, NoteChange } from '../../shared/comparison-notes.ts';
import type { ConnectionActivity } from '../../shared/connection.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { isFinished } from '../../shared/run.ts';
import { replyOf } from '../../shared/run-view.ts';
import type { ChangeEmitter } from '../changes.ts';
import type { ComparisonStore, ChatTurn as StoredTurn } from '../storage/comparison-store.ts';
import type { Deletions } from '../storage/deletions.ts';
import type { Ledger } from '../storage/ledger.ts';
import {
  checkCell,
  checkCount,
  checkPlan,
  checkRepeats,
  checkText,
  getInput,
  listPlaces,
  planRequests,
} from './comparison-plan.ts';
import { createComparisonScheduler, type SchedulerOptions } from './comparison-scheduler.ts';
import type { Engine } from './engine.ts';
import type { PlannedRequest } from './spending.ts';

interface ChatTurn extends Pick<StoredTurn, 'conversationId' | 'title' | 'variants' | 'asBefore'> {
  /** Null starts a new comparison. */
  comparisonId: string | null;
  sourceRunId: string | null;
  beyondCap?: boolean | undefined;
  /** One cell for each variant, with the messages that it would send now. */
  cells: readonly { variantId: string; messageId: string; messages: JsonObject[] }[];
}

interface ComparisonsOptions extends SchedulerOptions {
  store: ComparisonStore;
  engine: Pick<Engine, 'start' | 'cancel' | 'release' | 'restored' | 'read'>;
  ledger: Pick<Ledger, 'getAttempts' | 'getOutcomes'>;
  changes: Pick<ChangeEmitter, 'announce' | 'listen'>;
  deletions: Pick<Deletions, 'softDelete' | 'onPurge'>;
  /** Replaces every key that this process knows. */
  redact: (text: string) => string;
}

export type Comparisons = ReturnType<typeof createComparisons>;

/**
 * Methods that take an ID throw a `not-found` error if there is no such comparison. Methods that send
 * throw a `beyond-cap` error if the requests may exceed a daily cap, unless `beyondCap` is set.
 */
export function createComparisons(options: ComparisonsOptions) {
  const { store, engine, ledger, changes, deletions, spending, redact } = options;
  const scheduler = createComparisonScheduler(options);
  let closed = false;

  deletions.onPurge('comparisons', store.purge);

  return {
    /** Returns the ID. Copies the notes about the same input from the comparison `notesFrom`. */
    async start(
      plan: ComparisonPlan,
      beyondCap = false,
      notesFrom: string | null = null,
    ): Promise<string> {
      await checkPlan(plan, redact);
      if (closed) throw new UserFacingError(isClosing);
      const getPrice = (place: Parameters<typeof getInput>[1]) =>
        spending.price(getInput(plan, place));
      if (!beyondCap) spending.check(planRequests(listPlaces(plan), plan.repeats, getPrice));
      const { id } = store.create(plan, notesFrom);
      scheduler.use(id, (live) =>
        scheduler.enqueue(live, scheduler.cellsAt(live, null), beyondCap),
      );
      changes.announce('comparisons', id);
      return id;
    },

    /** Adds a turn of a chat. `record` runs in the transaction that stores it. */
    addTurn(chat: ChatTurn, record: () => void): { comparisonId: string; rowId: string } {
      const { comparisonId, conversationId, title, variants, asBefore, sourceRunId, cells } = chat;
      const { beyondCap = false } = chat;
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
      if (!beyondCap) spending.check(planned);
      const turn = { conversationId, title, variants, asBefore, row, cells };
      const id = store.addTurn(comparisonId, turn, record);
      scheduler.use(id, (live) => scheduler.reload(live, known, beyondCap));
      changes.announce('comparisons', id);
      return { comparisonId: id, rowId: row.id };
    },

    /** Sends nothing more for the comparisons of a conversation that is being deleted. */
    leave: (conversationId: string) => scheduler.forgetConversation(conversationId),

    get(id: string): { comparison: Comparison; notes: ComparisonNotes } {
      const { comparison, notes } = scheduler.find(id) ?? scheduler.read(id);
      return { comparison, notes };
    },

    rename(id: string, title: string): void {
      checkText(title, redact);
      store.rename(id, title);
      scheduler.update(id, ({ comparison }) => ({ comparison: { ...comparison, title } }));
      changes.announce('comparisons', id);
      // Lists of runs show the title.
      changes.announce('runs');
    },

    /** Throws an `invalid-request` error if the note contains a known key. */
    note(id: string, change: NoteChange): void {
      checkText(JSON.stringify(change), redact);
      const notes = store.note(id, change);
      scheduler.update(id, () => ({ notes }));
      changes.announce('comparisons', id);
    },

    /** Lists the IDs of comparisons that hide the names of their variants. */
    blind: () => store.blind(),

    /**
     * Yields the text of one JSON value in pieces: `{ kind, exportedAt, comparison, notes, cells }`. A
     * cell's `run` is its summary with its input and `reply`; media are named by ID, type and size.
     */
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
        for (const cell of scheduler.describeCells(live, [place])) {
          const text = JSON.stringify({ ...cell, run: await readRun(cell, engine) });
          yield redact(`${separator}\n${text}`);
          separator = ',';
        }
        await breathe();
      }
      yield '\n]}\n';
    },

    watch: (id: string, signal: AbortSignal | undefined) => scheduler.watch(id, signal),

    /** Takes back the cells that wait and cancels those that run. Null stops all. */
    async stop(id: string, places: readonly number[] | null): Promise<void> {
      scheduler.use(id, (live) => scheduler.withdraw(live, places));
      const unfinished = ledger.getOutcomes(id, places).filter(({ status }) => !isFinished(status));
      await Promise.all(unfinished.map((run) => engine.cancel(run.id)));
    },

    /** Resends the cells at `places`, or all that failed if it is null. */
    retry(id: string, places: readonly number[] | null, beyondCap = false): void {
      const runs = new Map(ledger.getOutcomes(id, places).map((run) => [run.cell, run]));
      scheduler.use(id, (live) => {
        const again = scheduler.cellsAt(live, places).filter(({ place, wanted, sent, problem }) => {
          const run = runs.get(place);
          if (live.queued.has(place) || (run && !isFinished(run.status))) return false;
          if (places !== null) return true;
          if (wanted > sent) return false;
          if (problem !== null) return true;
          const hasResult = run?.status === 'succeeded' && !run.isEmpty;
          return run !== undefined && run.status !== 'cancelled' && !hasResult;
        });
        const wanted = again.map((cell) => ({ ...cell, wanted: cell.sent + 1 }));
        scheduler.resend(live, wanted, beyondCap);
      });
    },

    /** Sends the held cells. */
    resume(id: string, beyondCap = false): void {
      scheduler.use(id, (live) => {
        // The same cap would hold the waiting cells next.
        if (beyondCap) for (const request of live.queued.values()) request.beyondCap = true;
        scheduler.resend(live, scheduler.listHeld(live), beyondCap);
      });
    },

    /** Sends every variant `times` more times. */
    repeat(id: string, times: number, beyondCap = false): void {
      scheduler.use(id, (live) => {
        const { repeats } = live.comparison;
        const first = scheduler.cellsAt(live, null).filter(({ repeat }) => repeat === 0);
        checkCount(first.length * (repeats + times));
        checkRepeats(repeats + times);
        if (!beyondCap) scheduler.checkCaps(live, first, times);
        const known = live.cells.size;
        store.addRepeats(id, times);
        scheduler.reload(live, known, beyondCap);
      });
      changes.announce('comparisons', id);
    },

    /** Deletes the comparison with its runs and returns the deletion's ID. A chat's answers stay. */
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

    /** Counts the requests of all comparisons that wait for the connection. */
    waiting: (connectionId: string) => scheduler.countWaiting(connectionId),

    /** Counts the held requests for the connection, by comparison. */
    held(connectionId: string): ConnectionActivity['held'] {
      return store.unsent().flatMap(({ comparison, cells }) => {
        const queued = scheduler.find(comparison.id)?.queued;
        const held = cells.filter(
          (cell) =>
            !queued?.has(cell.place) &&
            variantOfCell(comparison, cell)?.connectionId === connectionId,
        );
        return held.length === 0 ? [] : { title: comparison.title, requests: held.length };
      });
    },

    /** Counts the waiting requests of all connections, including those that are being recorded. */
    waitingCount: () => scheduler.countAllWaiting(),

    /** Returns the title if no request waits or runs any more, and null otherwise. */
    endedTitle(id: string): string | null {
      if ((scheduler.find(id)?.queued.size ?? 0) > 0) return null;
      const runs = ledger.getOutcomes(id, null);
      const isOver = runs.length > 0 && runs.every(({ status }) => isFinished(status));
      return isOver ? store.get(id).title : null;
    },

    follow: scheduler.follow,
    /** Applies a changed limit of concurrent requests. */
    review: scheduler.review,

    /** Sends nothing more. Waiting cells are held for the next process. */
    close(): void {
      closed = true;
      scheduler.close();
    },
  };
}

/** Returns null for a run that was deleted meanwhile. */
async function readRun({ run }: Cell, engine: Pick<Engine, 'read'>) {
  if (run === null) return null;
  try {
    const { view, ...input } = await engine.read(run.id);
    const { state: _state, seq: _seq, ...summary } = view;
    return { ...summary, ...input, reply: replyOf(view) };
  } catch (cause) {
    if (cause instanceof UserFacingError && cause.error.kind === 'not-found') return null;
    throw cause;
  }
}

const isClosing = appError(
  'cancelled',
  'Gatehouse is closing. Nothing was sent.',
  'Restart Gatehouse and run again.',
  {},
);
