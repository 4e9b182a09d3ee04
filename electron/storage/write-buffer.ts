/** Gathers what runs report and writes it in small transactions, at most 100 ms later. */
import { type AppError, AppFailure } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/run.ts';
import type { RunFields } from './run-rows.ts';
import { storageError } from './storage-error.ts';
import type { Timer } from './timer.ts';

/** Half of what is promised, so that a busy process still keeps it. */
export const FLUSH_MS = 50;
export const RETRY_MS = 1000;
/** Written in about 2 ms: main's thread is also the desktop's UI thread. */
const EVENTS_PER_TRANSACTION = 512;

/** What one run has waiting. */
export interface Waiting {
  events: RunEvent[];
  fields: RunFields;
}

export interface WriteBuffer {
  append(runId: string, events: RunEvent[]): void;
  /** Written at once, behind the events that wait. */
  update(runId: string, fields: RunFields): void;
  waiting(runId: string): Waiting | undefined;
  forget(runId: string): void;
  /** Writes all that waits, inside a transaction right after it; what cannot be written stays and is tried again. */
  flush(): void;
  close(): void;
}

export function createWriteBuffer(options: {
  /** Runs `work` as one transaction. */
  transaction: (work: () => void) => void;
  /** Whether a transaction of somebody else is open: what is written inside it may be undone with it. */
  isInTransaction: () => boolean;
  store: (runId: string, events: RunEvent[], fields: RunFields) => void;
  /** Once for each time that writing stops working. */
  onProblem: (error: AppError) => void;
  timer: Timer;
}): WriteBuffer {
  const runs = new Map<string, Waiting>();
  let eventCount = 0;
  let stuck = false;
  let cancelTimer: (() => void) | null = null;

  function of(runId: string): Waiting {
    const known = runs.get(runId);
    if (known) return known;
    const added: Waiting = { events: [], fields: {} };
    runs.set(runId, added);
    return added;
  }

  function schedule(delayMs: number): void {
    cancelTimer ??= options.timer.after(delayMs, () => {
      cancelTimer = null;
      write(1);
    });
  }

  function unschedule(): void {
    cancelTimer?.();
    cancelTimer = null;
  }

  /** One transaction's worth, over several runs if they fit. */
  function writeSome(): void {
    const written: [runId: string, waiting: Waiting, count: number][] = [];
    options.transaction(() => {
      let room = EVENTS_PER_TRANSACTION;
      for (const [runId, waiting] of runs) {
        const count = Math.min(room, waiting.events.length);
        const complete = count === waiting.events.length;
        const events = complete ? waiting.events : waiting.events.slice(0, count);
        options.store(runId, events, complete ? waiting.fields : {});
        written.push([runId, waiting, count]);
        room -= count;
        if (room === 0) break;
      }
    });
    for (const [runId, waiting, count] of written) {
      eventCount -= count;
      if (count === waiting.events.length) runs.delete(runId);
      else waiting.events.splice(0, count);
    }
  }

  function write(transactions: number): void {
    unschedule();
    if (options.isInTransaction()) {
      schedule(0);
      return;
    }
    try {
      for (let done = 0; done < transactions && runs.size > 0; done += 1) writeSome();
      stuck = false;
      if (runs.size > 0) schedule(0);
    } catch (cause) {
      schedule(RETRY_MS);
      if (stuck) return;
      stuck = true;
      options.onProblem(problem(cause));
    }
  }

  const buffer: WriteBuffer = {
    append(runId, events) {
      of(runId).events.push(...events);
      eventCount += events.length;
      if (stuck || eventCount < EVENTS_PER_TRANSACTION) schedule(FLUSH_MS);
      else write(1);
    },
    update(runId, fields) {
      Object.assign(of(runId).fields, fields);
      if (stuck) schedule(RETRY_MS);
      else buffer.flush();
    },
    waiting: (runId) => runs.get(runId),
    forget(runId) {
      eventCount -= runs.get(runId)?.events.length ?? 0;
      runs.delete(runId);
    },
    flush: () => write(Number.POSITIVE_INFINITY),
    close() {
      buffer.flush();
      unschedule();
    },
  };
  return buffer;
}

function problem(cause: unknown): AppError {
  const what = 'Runs cannot be saved and are kept in memory for now';
  const { message, nextStep, detail } =
    cause instanceof AppFailure ? cause.error : storageError(cause, what);
  const reason = message.slice(message.indexOf(': ') + 2);
  return storageProblem(`${what}: ${reason}`, nextStep, detail);
}

function storageProblem(message: string, nextStep: string, detail: string | null): AppError {
  return { kind: 'file', message, nextStep, gateway: null, detail };
}
