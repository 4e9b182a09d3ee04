/** Gathers what runs report, and writes it at most 100 ms later: frames by the writer, all else between them. */
import { type AppError, UserFacingError } from '../../shared/errors.ts';
import type { RunEvent } from '../../shared/run.ts';
import {
  BLOCK_LENGTH,
  countOfBlock,
  type FrameBlock,
  type FrameEvent,
  getBlock,
  getFrames,
  nextSeq,
} from './frames/frame-block.ts';
import type { FrameBatch } from './frames/frame-sink.ts';
import type { FrameWriter } from './frames/frame-writer.ts';
import type { RunFields } from './run-rows.ts';
import { isFileError, isStorageError, storageError } from './storage-error.ts';
import { createDelayed, RETRY_MS, type Timer } from './timer.ts';

/** What is seen is on disk 100 ms later: this leaves time for a busy process and for the write itself. */
export const FLUSH_MS = 70;
/** Somebody waits for a flush: what takes longer is left to the next start. */
const MAX_FLUSH_MS = 1100;
/** Handed over at once, before that time is up. */
const MANY_FRAMES = 4096;
/** UTF-16 code units of frames: with more, whoever reads a stream waits for the writer. */
const MUCH_TEXT = 4 * 1024 * 1024;

/** What one run has waiting; all in order. */
interface Waiting {
  /** The run's row in the ledger; null before it is looked up. */
  row: number | null;
  /**
   * Also those that the writer has, and has not confirmed yet. In blocks from the start: tens of thousands of small
   * objects that live for a while are what the garbage collector is worst at.
   */
  frames: FrameBlock[];
  /** Written once the frames before them are. */
  rows: RunEvent[];
  fields: RunFields | null;
  /** The number of the event that the fields follow. */
  fieldsBehind: number;
  /** Called when nothing of the run waits, or once it is known that nothing can be written for now. */
  whenSettled: (() => void)[];
}

type Refusable = 'frames' | 'rows';

export interface WriteBuffer {
  append(runId: string, events: readonly RunEvent[]): void;
  /** Written at once behind the events that wait, or with them. */
  update(runId: string, fields: RunFields, when?: 'at once' | 'with events'): void;
  /** Resolves when nothing of the run waits, or once it is known that nothing can be written for now. */
  settled(runId: string): Promise<void>;
  /** Resolves when there is room for more frames; null if there is some now, or nothing can be written. */
  room(): Promise<void> | null;
  /** In order. */
  events(runId: string): RunEvent[];
  fields(runId: string): RunFields | null;
  forget(runId: string): void;
  /** Some runs are gone: what waits for them is dropped. */
  recheck(): void;
  /** All that waits is with the writer, and written unless that takes long. */
  flush(): void;
  /** Whether all is written, once that is known: what is refused is lost. */
  close(): Promise<boolean>;
}

/** A run's row in the ledger, with what is to be stored of it. */
export type RunRows = [row: number, events: readonly RunEvent[], fields: RunFields];

export function createWriteBuffer(options: {
  writer: FrameWriter;
  /** The run's row in the ledger; null if it is gone. */
  rowOf: (runId: string) => number | null;
  /** In one transaction. Throws a `UserFacingError` if that cannot be. */
  store: (runs: readonly RunRows[]) => void;
  /** Whether a transaction of somebody else is open: what is written inside it may be undone with it. */
  isInTransaction: () => boolean;
  /** Once for each time that writing stops working. */
  onProblem: (error: AppError) => void;
  timer: Timer;
}): WriteBuffer {
  const { writer } = options;
  const runs = new Map<string, Waiting>();
  /** Frames that the writer does not have yet. */
  let freshCount = 0;
  /** UTF-16 code units of all frames that wait. */
  let textLength = 0;
  const waitingForRoom: (() => void)[] = [];
  let isWriting = false;
  /** What came during a write has waited for as long as it may. */
  let isDue = false;
  /** What the disk or the database refused when it was tried last. */
  const refused = new Set<Refusable>();
  /** The last write was refused for no reason of the disk. */
  let hasTriedAgain = false;
  const nextWrite = createDelayed(options.timer, write);
  /**
   * Waits where rows were refused a moment ago; frames of other runs continue. Trying again may hold main for as long as
   * another process holds the ledger.
   */
  const rowsAgain = createDelayed(options.timer, write);
  let closing: (() => void) | null = null;
  let isClosed = false;

  function of(runId: string): Waiting {
    const known = runs.get(runId);
    if (known) return known;
    const added: Waiting = {
      row: null,
      frames: [],
      rows: [],
      fields: null,
      fieldsBehind: 0,
      whenSettled: [],
    };
    runs.set(runId, added);
    return added;
  }

  function dropFrames(waiting: Waiting, count: number): void {
    for (const { text } of waiting.frames.splice(0, count)) textLength -= text.length;
    if (textLength < MUCH_TEXT) giveRoom();
  }

  function giveRoom(): void {
    for (const resolve of waitingForRoom.splice(0)) resolve();
  }

  function schedule(delayMs: number): void {
    if (!isClosed) nextWrite.start(delayMs);
  }

  /** One write of frames at a time: what comes meanwhile is the next one. */
  function write(): void {
    if (isClosed) return;
    nextWrite.cancel();
    if (options.isInTransaction()) {
      schedule(0);
      return;
    }
    isDue ||= isWriting;
    attempt('rows', storeRows);
    if (!isWriting) attempt('frames', handOver);
    endWhereRefused();
  }

  /** Closing waits for what is with the writer, and for nothing that is refused. */
  function endWhereRefused(): void {
    if (refused.size > 0 && !isWriting) closing?.();
  }

  function attempt(what: Refusable, work: () => void): void {
    try {
      work();
    } catch (cause) {
      fail(what, cause);
    }
  }

  /** What follows a row that is not on disk yet waits with it. */
  function handOver(): void {
    const batches: FrameBatch[] = [];
    const given: [waiting: Waiting, count: number][] = [];
    freshCount = 0;
    isDue = false;
    for (const waiting of runs.values()) {
      const { row: run, frames, rows } = waiting;
      const until = rows[0]?.seq ?? Number.POSITIVE_INFINITY;
      const blocks = frames.filter(({ seq }) => seq < until);
      if (run === null || blocks.length === 0) continue;
      // Once these are written, so can be the row, and then the rest.
      isDue ||= blocks.length < frames.length;
      batches.push({ run, blocks });
      given.push([waiting, blocks.length]);
    }
    if (batches.length === 0) return;
    isWriting = true;
    try {
      writer.write(batches, (cause) => noteWritten(given, cause));
    } catch (cause) {
      isWriting = false;
      throw cause;
    }
  }

  function noteWritten(given: readonly [waiting: Waiting, count: number][], cause: unknown): void {
    isWriting = false;
    if (isClosed) return;
    if (cause !== null) {
      if (hasTriedAgain || isStorageError(cause) || isFileError(cause)) {
        fail('frames', cause);
        endWhereRefused();
        return;
      }
      // The writer ended: the next one may do.
      hasTriedAgain = true;
      nextWrite.cancel();
      schedule(0);
      return;
    }
    for (const [waiting, count] of given) dropFrames(waiting, count);
    refused.delete('frames');
    hasTriedAgain = false;
    const isUrgent =
      isDue ||
      closing !== null ||
      [...runs.values()].some(({ whenSettled }) => whenSettled.length > 0);
    if (isUrgent && runs.size > 0) {
      write();
      return;
    }
    // What waited for these can be stored; what came meanwhile follows.
    attempt('rows', storeRows);
    if (freshCount > 0) schedule(FLUSH_MS);
  }

  /** Events and fields whose earlier frames are written. */
  function storeRows(): void {
    if (options.isInTransaction()) {
      schedule(0);
      return;
    }
    const stored: [waiting: Waiting, count: number, fields: RunFields | null][] = [];
    const rows: RunRows[] = [];
    for (const [runId, waiting] of runs) {
      const before = waiting.frames[0]?.seq ?? Number.POSITIVE_INFINITY;
      const events = waiting.rows.filter(({ seq }) => seq < before);
      const fields = waiting.fieldsBehind < before ? waiting.fields : null;
      waiting.row ??= options.rowOf(runId);
      const { row } = waiting;
      if (row === null) {
        buffer.forget(runId);
        continue;
      }
      if (events.length === 0 && fields === null) continue;
      rows.push([row, events, fields ?? {}]);
      stored.push([waiting, events.length, fields]);
    }
    if (rowsAgain.isWaiting()) return;
    if (rows.length > 0) options.store(rows);
    refused.delete('rows');
    for (const [waiting, count, fields] of stored) {
      waiting.rows.splice(0, count);
      if (waiting.fields === fields) waiting.fields = null;
    }
    for (const [runId, waiting] of runs) {
      const { frames, rows: left, fields } = waiting;
      if (frames.length > 0 || left.length > 0 || fields !== null) continue;
      runs.delete(runId);
      settle(waiting);
    }
    if (runs.size > 0) return;
    refused.clear();
    closing?.();
  }

  function fail(what: Refusable, cause: unknown): void {
    if (what === 'rows') rowsAgain.start(RETRY_MS);
    else schedule(RETRY_MS);
    for (const waiting of runs.values()) settle(waiting);
    giveRoom();
    const isKnown = refused.size > 0;
    refused.add(what);
    if (!isKnown) options.onProblem(problem(cause));
  }

  /** Blocks and rows of all runs. */
  function waitingCount(): number {
    return [...runs.values()].reduce(
      (sum, { frames, rows }) => sum + frames.length + rows.length,
      0,
    );
  }

  const buffer: WriteBuffer = {
    append(runId, events) {
      const { frames, rows } = of(runId);
      const arrived: FrameEvent[] = [];
      for (const event of events) (event.kind === 'chunk' ? arrived : rows).push(event);
      freshCount += arrived.length;
      for (let left = arrived; left.length > 0; ) {
        const count = countOfBlock(left, BLOCK_LENGTH);
        const block = getBlock(left.slice(0, count));
        left = left.slice(count);
        frames.push(block);
        textLength += block.text.length;
      }
      if (refused.has('frames')) schedule(RETRY_MS);
      else if (refused.size > 0 || isWriting || freshCount < MANY_FRAMES) schedule(FLUSH_MS);
      else write();
    },
    update(runId, fields, when = 'at once') {
      const waiting = of(runId);
      waiting.fields = { ...waiting.fields, ...fields };
      waiting.fieldsBehind = Math.max(
        nextSeq(waiting.frames.at(-1)) - 1,
        waiting.rows.at(-1)?.seq ?? 0,
      );
      if (refused.has('frames')) schedule(RETRY_MS);
      else if (refused.size > 0 || when === 'with events') schedule(FLUSH_MS);
      else write();
    },
    settled(runId) {
      const waiting = runs.get(runId);
      if (isClosed || refused.size > 0 || waiting === undefined) return Promise.resolve();
      const settled = new Promise<void>((resolve) => waiting.whenSettled.push(resolve));
      write();
      return settled;
    },
    room() {
      if (isClosed || refused.size > 0 || textLength < MUCH_TEXT) return null;
      return new Promise((resolve) => waitingForRoom.push(resolve));
    },
    events(runId) {
      const waiting = runs.get(runId);
      if (waiting === undefined) return [];
      return [...waiting.frames.flatMap(getFrames), ...waiting.rows].sort((a, b) => a.seq - b.seq);
    },
    fields: (runId) => runs.get(runId)?.fields ?? null,
    forget(runId) {
      const waiting = runs.get(runId);
      runs.delete(runId);
      if (waiting === undefined) return;
      dropFrames(waiting, waiting.frames.length);
      settle(waiting);
    },
    recheck() {
      for (const waiting of runs.values()) waiting.row = null;
    },
    flush() {
      // What is with the writer and what came since; then, each time, what had to wait for the time before.
      rowsAgain.cancel();
      const until = performance.now() + MAX_FLUSH_MS;
      let before = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 2 || waitingCount() < before; round += 1) {
        before = waitingCount();
        write();
        writer.settle();
        if (performance.now() > until) break;
      }
    },
    async close() {
      if (runs.size > 0) {
        await new Promise<void>((resolve) => {
          closing = resolve;
          rowsAgain.cancel();
          write();
        });
      }
      isClosed = true;
      nextWrite.cancel();
      rowsAgain.cancel();
      for (const waiting of runs.values()) settle(waiting);
      giveRoom();
      return runs.size === 0;
    },
  };
  return buffer;
}

function settle({ whenSettled }: Waiting): void {
  for (const resolve of whenSettled.splice(0)) resolve();
}

function problem(cause: unknown): AppError {
  const what = 'Runs cannot be saved and are kept in memory for now';
  const { message, nextStep, detail } =
    cause instanceof UserFacingError ? cause.error : storageError(cause, what);
  const reason = message.slice(message.indexOf(': ') + 2);
  return { kind: 'file', message: `${what}: ${reason}`, nextStep, gateway: null, detail };
}
