/** Buffers rows for up to 100 ms, and writes each run's events and frames in order. */
import { type AppError, UserFacingError } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/run.ts';
import { extendBlock, type FrameBlock, getFrames, startBlock } from './frames/frame-block.ts';
import type { FrameBatch } from './frames/frame-sink.ts';
import type { FrameWriter } from './frames/frame-writer.ts';
import type { RunFields } from './run-rows.ts';
import { storageError, toError } from './storage-error.ts';
import { createDelayed, RETRY_MS, type Timer } from './timer.ts';

/** Leaves the rest of the 100 ms for the write and for a busy process. */
export const FLUSH_MS = 70;
const MAX_FLUSH_MS = 1100;
/** If more characters are buffered, streams wait for the writer. */
const MAX_WAITING_LENGTH = 4 * 1024 * 1024;
/** Weight added per frame, because some gateways send thousands of empty comments. */
const FRAME_WEIGHT = 256;

type Entry =
  | { kind: 'frames'; block: FrameBlock }
  | { kind: 'event'; event: RunEvent }
  | { kind: 'fields'; fields: RunFields };

interface Waiting {
  row: number;
  queue: Entry[];
  /** Number of leading entries sent to the writer, which stay queued until confirmed. */
  inFlight: number;
  whenSettled: (() => void)[];
}

export type RunRows = [row: number, events: readonly RunEvent[], fields: RunFields];

export function createWriteBuffer(options: {
  writer: FrameWriter;
  findRow: (runId: string) => number | null;
  store: (runs: readonly RunRows[]) => void;
  /** If true, the buffer writes nothing, because the caller's transaction may be rolled back. */
  isInTransaction: () => boolean;
  onProblem: (error: AppError) => void;
  timer: Timer;
}) {
  const { writer } = options;
  const runs = new Map<string, Waiting>();
  const nextWrite = createDelayed(options.timer, write);
  let waitingForRoom: (() => void)[] = [];
  let waitingLength = 0;
  /** True while the writer has a batch of frames, because it gets only one at a time. */
  let isWriting = false;
  /** True if more entries are due than the current write covers. */
  let isDue = false;
  /** True after a failed attempt, which delays the next one by a second. */
  let hasFailed = false;
  let isReported = false;
  let isClosed = false;

  function find(runId: string): Waiting | null {
    const known = runs.get(runId);
    if (known) return known;
    const row = options.findRow(runId);
    if (row === null) return null;
    const added: Waiting = { row, queue: [], inFlight: 0, whenSettled: [] };
    runs.set(runId, added);
    return added;
  }

  function addFrame({ queue, inFlight }: Waiting, event: RunEvent & { kind: 'chunk' }): void {
    const last = queue.length > inFlight ? queue.at(-1) : undefined;
    const isAdded = last?.kind === 'frames' && extendBlock(last.block, event);
    if (!isAdded) queue.push({ kind: 'frames', block: startBlock(event) });
    waitingLength += event.data.length + FRAME_WEIGHT;
  }

  function write(): void {
    if (isClosed) return;
    nextWrite.cancel();
    if (options.isInTransaction()) {
      nextWrite.start(0);
      return;
    }
    if (isWriting) isDue = true;
    else hasFailed = false;
    const refusal = toError(storeRows);
    if (refusal !== null) fail(refusal);
    if (!isWriting) transferRows();
    if (!isWriting) endAttempt();
  }

  function storeRows(): void {
    const rows: RunRows[] = [];
    const stored: [queue: Entry[], count: number][] = [];
    for (const { row, queue } of runs.values()) {
      const events: RunEvent[] = [];
      let fields: RunFields = {};
      let count = 0;
      for (const entry of queue) {
        if (entry.kind === 'frames') break;
        if (entry.kind === 'event') events.push(entry.event);
        else fields = { ...fields, ...entry.fields };
        count += 1;
      }
      if (count === 0) continue;
      rows.push([row, events, fields]);
      stored.push([queue, count]);
    }
    if (rows.length > 0) options.store(rows);
    for (const [queue, count] of stored) queue.splice(0, count);
  }

  function transferRows(): void {
    const batches: FrameBatch[] = [];
    isDue = false;
    for (const waiting of runs.values()) {
      const blocks: FrameBlock[] = [];
      for (const entry of waiting.queue) {
        if (entry.kind !== 'frames') break;
        blocks.push(entry.block);
      }
      if (blocks.length === 0) continue;
      waiting.inFlight = blocks.length;
      isDue ||= blocks.length < waiting.queue.length;
      batches.push({ run: waiting.row, blocks });
    }
    if (batches.length === 0) return;
    isWriting = true;
    try {
      writer.write(batches, noteWritten);
    } catch (cause) {
      noteWritten(cause);
    }
  }

  function noteWritten(cause: unknown): void {
    isWriting = false;
    for (const waiting of runs.values()) {
      if (cause === null) drop(waiting.queue.splice(0, waiting.inFlight));
      waiting.inFlight = 0;
    }
    if (isClosed) return;
    if (cause !== null) fail(cause);
    const isWanted = [...runs.values()].some(({ whenSettled }) => whenSettled.length > 0);
    if (!hasFailed && (isDue || isWanted)) write();
    else endAttempt();
  }

  function endAttempt(): void {
    for (const [runId, waiting] of runs) {
      if (waiting.queue.length === 0) runs.delete(runId);
      if (waiting.queue.length === 0 || hasFailed) settle(waiting);
    }
    if (hasFailed) {
      giveRoom();
      nextWrite.start(RETRY_MS);
    } else isReported = false;
  }

  function fail(cause: unknown): void {
    hasFailed = true;
    nextWrite.start(RETRY_MS);
    if (isReported) return;
    isReported = true;
    options.onProblem(describeProblem(cause));
  }

  function schedule(isUrgent: boolean): void {
    if (hasFailed) nextWrite.start(RETRY_MS);
    else if (isUrgent) write();
    else nextWrite.start(FLUSH_MS);
  }

  function drop(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.kind !== 'frames') continue;
      waitingLength -= entry.block.text.length + FRAME_WEIGHT * entry.block.lengths.length;
    }
    if (waitingLength < MAX_WAITING_LENGTH) giveRoom();
  }

  function giveRoom(): void {
    const waiting = waitingForRoom;
    waitingForRoom = [];
    for (const resolve of waiting) resolve();
  }

  function settle({ whenSettled }: Waiting): void {
    for (const resolve of whenSettled.splice(0)) resolve();
  }

  function waitUntilSettled({ whenSettled }: Waiting): Promise<void> {
    return new Promise((resolve) => whenSettled.push(resolve));
  }

  function entryCount(): number {
    return [...runs.values()].reduce((sum, { queue }) => sum + queue.length, 0);
  }

  return {
    /** Never throws; drops events of a deleted run. */
    append(runId: string, events: readonly RunEvent[]): void {
      const waiting = isClosed ? null : find(runId);
      if (waiting === null) return;
      for (const event of events) {
        if (event.kind === 'chunk') addFrame(waiting, event);
        else waiting.queue.push({ kind: 'event', event });
      }
      schedule(waitingLength >= MAX_WAITING_LENGTH && !isWriting);
    },
    /** Writes the fields after any earlier events, immediately or with the next flush. */
    update(runId: string, fields: RunFields, when: 'at once' | 'with events' = 'at once'): void {
      const waiting = isClosed ? null : find(runId);
      if (waiting === null) return;
      waiting.queue.push({ kind: 'fields', fields });
      schedule(when === 'at once');
    },
    /** Resolves when none of the run's rows are buffered or a write has failed. */
    waitUntilSettled(runId: string): Promise<void> {
      const waiting = runs.get(runId);
      if (isClosed || hasFailed || waiting === undefined) return Promise.resolve();
      const settled = waitUntilSettled(waiting);
      write();
      return settled;
    },
    /**
     * Returns a promise that resolves when more frames fit, or null if they fit or a write failed.
     */
    room(): Promise<void> | null {
      if (isClosed || hasFailed || waitingLength < MAX_WAITING_LENGTH) return null;
      return new Promise((resolve) => waitingForRoom.push(resolve));
    },
    events(runId: string): RunEvent[] {
      return (runs.get(runId)?.queue ?? []).flatMap((entry): RunEvent[] => {
        if (entry.kind === 'fields') return [];
        return entry.kind === 'event' ? [entry.event] : getFrames(entry.block);
      });
    },
    fields(runId: string): RunFields | null {
      const found = (runs.get(runId)?.queue ?? []).flatMap((entry) =>
        entry.kind === 'fields' ? entry.fields : [],
      );
      return found.length === 0 ? null : Object.assign({}, ...found);
    },
    forget(runId: string): void {
      const waiting = runs.get(runId);
      if (waiting === undefined) return;
      runs.delete(runId);
      drop(waiting.queue);
      settle(waiting);
    },
    /** Blocks for about a second at most until everything is written. */
    flush(): void {
      const until = performance.now() + MAX_FLUSH_MS;
      let before = Number.POSITIVE_INFINITY;
      // The first round may only confirm frames that were already sent to the writer.
      for (let round = 0; round < 2 || entryCount() < before; round += 1) {
        before = entryCount();
        write();
        writer.settle();
        if (performance.now() > until) break;
      }
    },
    async close(): Promise<boolean> {
      const settled = [...runs.values()].map(waitUntilSettled);
      write();
      await Promise.all(settled);
      isClosed = true;
      nextWrite.cancel();
      for (const waiting of runs.values()) settle(waiting);
      giveRoom();
      return runs.size === 0;
    },
  };
}

function describeProblem(cause: unknown): AppError {
  const what = 'Couldn’t save runs; they’re in memory for now';
  const { message, nextStep, detail } =
    cause instanceof UserFacingError ? cause.error : storageError(cause, what);
  const reason = message.slice(message.indexOf(': ') + 2);
  return { kind: 'file', message: `${what}: ${reason}`, nextStep, gateway: null, detail };
}
