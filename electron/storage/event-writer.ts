/** Writes each run's events in order: into its journal while it streams, or as rows. */
import { type AppError, UserFacingError } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/run.ts';
import { createDelayed, RETRY_MS, type Timer } from '../base/timer.ts';
import type { Cuts } from '../redaction/secret-search.ts';
import { applyCuts } from './event-lines.ts';
import { endsExchange, type Journal } from './journal.ts';
import type { Journals } from './journals.ts';
import type { RunFields } from './run-rows.ts';
import { isFileError, toError, toStorageError } from './storage-error.ts';

/** Leaves the rest of the promised 50 ms for the write. */
export const FLUSH_MS = 40;
/** This much is written at once, so that no write takes long. */
const WRITE_LENGTH = 64 * 1024;
/** Writing the streams of many runs lets others proceed after this time. */
const STEP_MS = 1;
/** If more characters can't be written, streams wait. */
export const MAX_WAITING_LENGTH = 64 * 1024 * 1024;
const MAX_KNOWN_ROWS = 1000;
/** Weight added per event, because some gateways send thousands of empty comments. */
const EVENT_WEIGHT = 256;

interface Waiting {
  row: number;
  events: RunEvent[];
  length: number;
  fields: RunFields | null;
  /** True after a failed write, until the next attempt a second later. */
  isFailing: boolean;
}

export type RunRows = [row: number, events: readonly RunEvent[], fields: RunFields];

/** `with events` is up to 40 ms later; `in turn` is when the caller saves the run. */
type UpdateTime = 'at once' | 'in turn' | 'with events';

export interface EventWriter {
  /** Never throws; drops events of a deleted run. */
  append(runId: string, events: readonly RunEvent[]): void;
  /** Writes the fields after all earlier events; `at once` by default. */
  update(runId: string, fields: RunFields, when?: UpdateTime): void;
  /**
   * Writes the run's pending events, unless its last write failed within a second; never throws.
   */
  save(runId: string): void;
  /** Writes the pending fields and events of several runs in one transaction; never throws. */
  saveAll(runIds: readonly string[]): void;
  /** Writes all runs' pending events; never throws. */
  flush(): void;
  /**
   * Returns a promise that resolves when more events fit in memory, or null if they fit now.
   */
  room(): Promise<void> | null;
  /** Returns events that aren't written. */
  events(runId: string): readonly RunEvent[];
  /** Returns fields that aren't written, or null. */
  fields(runId: string): RunFields | null;
  /** Masks pieces of secrets in events that aren't written. */
  cut(runId: string, cuts: Cuts): void;
  forget(runId: string): void;
  /** Returns false if something couldn't be written. */
  close(): boolean;
}

export function createEventWriter(options: {
  /** Null if journals can't be kept; then all events are rows. */
  journals: Journals | null;
  findRow: (runId: string) => number | null;
  /** Returns the first line of the run's journal. */
  encodeRun: (runId: string) => string | null;
  /** Stores rows in one transaction; throws on failure. */
  store: (runs: readonly RunRows[]) => void;
  /** If true, no rows are stored, because the caller's transaction may be rolled back. */
  isInTransaction: () => boolean;
  /** Called when an exchange of the run has ended in its journal. */
  onExchangeEnd: (runId: string, row: number) => void;
  onProblem: (error: AppError) => void;
  timer: Timer;
}): EventWriter {
  const { journals } = options;
  const runs = new Map<string, Waiting>();
  /** The rows of recent runs, because a stream would look its row up for each read. */
  const knownRows = new Map<string, number>();
  const nextWrite = createDelayed(options.timer, () => write(runs, performance.now() + STEP_MS));
  const retry = createDelayed(options.timer, retryAll);
  const waitingForRoom: (() => void)[] = [];
  let waitingLength = 0;
  /** True after rows couldn't be stored, until the next attempt. */
  let areRowsFailing = false;
  let isReported = false;
  let isClosed = false;

  function find(runId: string): Waiting | null {
    const known = runs.get(runId);
    if (known !== undefined || isClosed) return known ?? null;
    const row = knownRows.get(runId) ?? options.findRow(runId);
    if (row === null) return null;
    if (knownRows.size >= MAX_KNOWN_ROWS) knownRows.clear();
    knownRows.set(runId, row);
    const added = { row, events: [], length: 0, fields: null, isFailing: false };
    runs.set(runId, added);
    return added;
  }

  /** Writes what is left after the time `until` in a later turn of the event loop. */
  function write(wanted: Iterable<[string, Waiting]>, until = Number.POSITIVE_INFINITY): void {
    const rows: Waiting[] = [];
    const written: [string, Waiting][] = [];
    for (const [runId, waiting] of wanted) {
      if (performance.now() > until) {
        nextWrite.start(0);
        break;
      }
      written.push([runId, waiting]);
      if (waiting.isFailing) continue;
      const cause = toError(() => writeJournal(runId, waiting));
      if (cause !== null) {
        waiting.isFailing = true;
        fail(cause);
      } else if (waiting.events.length > 0 || waiting.fields !== null) rows.push(waiting);
    }
    storeRows(rows);
    for (const [runId, { events, fields }] of written) {
      if (events.length === 0 && fields === null) runs.delete(runId);
    }
    if (runs.size === 0) {
      isReported = false;
      nextWrite.cancel();
    }
  }

  /** Returns null if the events belong in rows, as if there are too many open files. */
  function getJournal(runId: string, events: readonly RunEvent[]): Journal | null {
    if (journals === null || events.length === 0) return null;
    const known = journals.find(runId);
    if (known !== null || !events.some(({ kind }) => kind === 'chunk')) return known;
    try {
      return journals.open(runId, () => options.encodeRun(runId));
    } catch (cause) {
      // Rows must not precede the events that an earlier process left.
      if (!isFileError(cause) || journals.isLeft(runId)) throw cause;
      return null;
    }
  }

  /** Leaves events that belong in rows. */
  function writeJournal(runId: string, waiting: Waiting): void {
    const { events, row } = waiting;
    const journal = getJournal(runId, events);
    if (journals === null || journal === null) return;
    let count = 0;
    try {
      while (count < events.length) {
        const slice = takeSlice(events, count);
        journal.append(slice);
        count += slice.length;
      }
    } finally {
      drop(waiting, count);
      if (count > 0) journals.noteWritten(journal);
    }
    if (journal.hasUnpackedEnd()) options.onExchangeEnd(runId, row);
  }

  function storeRows(waiting: readonly Waiting[]): void {
    if (waiting.length === 0 || areRowsFailing) return;
    if (options.isInTransaction()) {
      nextWrite.start(0);
      return;
    }
    const cause = toError(() =>
      options.store(waiting.map(({ row, events, fields }) => [row, events, fields ?? {}])),
    );
    if (cause !== null) {
      areRowsFailing = true;
      fail(cause);
      return;
    }
    for (const each of waiting) {
      drop(each);
      each.fields = null;
    }
  }

  function fail(cause: unknown): void {
    retry.start(RETRY_MS);
    if (isReported) return;
    isReported = true;
    options.onProblem(describeProblem(cause));
  }

  function retryAll(): void {
    areRowsFailing = false;
    for (const waiting of runs.values()) waiting.isFailing = false;
    write(runs);
  }

  function drop(waiting: Waiting, count = waiting.events.length): void {
    const length = sum(waiting.events.splice(0, count));
    waitingLength -= length;
    waiting.length -= length;
    if (waitingLength < MAX_WAITING_LENGTH) giveRoom();
  }

  function giveRoom(): void {
    for (const resolve of waitingForRoom.splice(0)) resolve();
  }

  function saveAll(runIds: readonly string[]): void {
    const found = runIds.map((runId) => [runId, runs.get(runId)] as const);
    write(found.flatMap(([runId, waiting]) => (waiting === undefined ? [] : [[runId, waiting]])));
  }

  const save = (runId: string) => saveAll([runId]);

  return {
    append(runId, events) {
      const waiting = find(runId);
      if (waiting === null || isClosed) return;
      for (const event of events) waiting.events.push(event);
      const length = sum(events);
      waiting.length += length;
      waitingLength += length;
      if (waiting.length >= WRITE_LENGTH && !waiting.isFailing) save(runId);
      else nextWrite.start(FLUSH_MS);
    },
    update(runId, fields, when = 'at once') {
      const waiting = find(runId);
      if (waiting === null || isClosed) return;
      waiting.fields = { ...waiting.fields, ...fields };
      if (when === 'at once') save(runId);
      else if (when === 'with events') nextWrite.start(FLUSH_MS);
    },
    save,
    saveAll,
    flush: retryAll,
    room() {
      if (isClosed || waitingLength < MAX_WAITING_LENGTH) return null;
      return new Promise((resolve) => waitingForRoom.push(resolve));
    },
    events: (runId) => runs.get(runId)?.events ?? [],
    fields: (runId) => runs.get(runId)?.fields ?? null,
    cut(runId, cuts) {
      const waiting = runs.get(runId);
      if (waiting !== undefined) waiting.events = [...applyCuts(waiting.events, cuts)];
    },
    forget(runId) {
      const waiting = runs.get(runId);
      knownRows.delete(runId);
      runs.delete(runId);
      if (waiting !== undefined) drop(waiting);
    },
    close() {
      retryAll();
      isClosed = true;
      nextWrite.cancel();
      retry.cancel();
      giveRoom();
      return runs.size === 0;
    },
  };
}

/** Returns the events from index `from` for one write, which stops at the end of an exchange. */
function takeSlice(events: readonly RunEvent[], from: number): RunEvent[] {
  let end = from;
  for (let length = 0; length < WRITE_LENGTH; ) {
    const event = events[end];
    if (event === undefined) break;
    end += 1;
    if (endsExchange(event)) break;
    length += getLength(event);
  }
  return events.slice(from, end);
}

const sum = (events: readonly RunEvent[]) =>
  events.reduce((total, event) => total + getLength(event), 0);

function getLength(event: RunEvent): number {
  if (event.kind === 'chunk') return EVENT_WEIGHT + event.data.length;
  return EVENT_WEIGHT + (event.kind === 'body' ? event.text.length : 0);
}

function describeProblem(cause: unknown): AppError {
  const what = 'Couldn’t save runs; they’re in memory for now';
  const { message, nextStep, detail } =
    cause instanceof UserFacingError ? cause.error : toStorageError(cause, what);
  const reason = message.slice(message.indexOf(': ') + 2);
  return { kind: 'file', message: `${what}: ${reason}`, nextStep, gateway: null, detail };
}
