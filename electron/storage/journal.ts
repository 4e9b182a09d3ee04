/** Keeps the events of one live stream in an append-only file, which survives a kill. */
import * as fs from 'node:fs';
import type { RunEvent } from '../../shared/run.ts';
import type { Range } from '../redaction/redactor.ts';
import type { Cuts } from '../redaction/secret-search.ts';
import { applyCuts, type ChunkEvent, decodeEvents, encodeEvents } from './event-lines.ts';

/** The calls that change files, so that a test can make them fail. */
export type JournalFiles = Pick<
  typeof fs,
  'openSync' | 'writeSync' | 'ftruncateSync' | 'closeSync' | 'rmSync' | 'renameSync'
>;

export interface Journal {
  readonly runId: string;
  readonly path: string;
  /** True if an earlier process created the journal. */
  readonly isLeft: boolean;
  /** Writes whole lines; throws the system's error if the file doesn't have all of them. */
  append(events: readonly RunEvent[]): void;
  /** Yields chunks that aren't rows yet. */
  readChunks(query: { after: number; exchange: number | null }): Generator<ChunkEvent>;
  /** Returns all other events that aren't rows yet. */
  others(): readonly RunEvent[];
  /** Returns the number of the last event, or 0. */
  lastSeq(): number;
  /** Yields lines of ended exchanges that aren't rows yet, without the pieces of secrets. */
  readUnpacked(): Generator<Line>;
  /** Masks pieces of secrets for every reader. */
  cut(added: Cuts): void;
  /** Counts the calls of `cut`. */
  cutCount(): number;
  /**
   * Masks them in the file too, a slice at a time; throws the system's error, and then the next
   * call tries again.
   */
  writeCuts(): Generator<void, void>;
  hasUnwrittenCuts(): boolean;
  /** Records that all events up to byte `end` are rows, of which the last has number `seq`. */
  notePacked(end: number, seq: number): void;
  packedSeq(): number;
  /** Returns true if the file has an event of this process that isn't a row yet. */
  has(seq: number): boolean;
  isPacked(): boolean;
  hasUnpackedEnd(): boolean;
  isClosed(): boolean;
  close(): void;
}

export interface Line {
  /** Null if the bytes up to `end` don't complete a readable line. */
  text: string | null;
  start: number;
  end: number;
  /** True once for each line that can't be read. */
  isBroken: boolean;
  /** True if the line continues after `end`. */
  isPartial: boolean;
}

const LINE_FEED = 10;
/** The first bytes of a line: a list of events or the run. */
const STARTS = new Set([...'[{'].map((start) => start.charCodeAt(0)));
export const SLICE_BYTES = 128 * 1024;
/** Exceeds any line that Gatehouse writes, so that a damaged file isn't read into one string. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** The distance between two remembered positions. */
const NOTED_BYTES = 64 * 1024;

const ENDS = new Set<RunEvent['kind']>(['exchange-end', 'finish', 'error']);

/** Returns true if the events up to this one can become rows. */
export const endsExchange = ({ kind }: RunEvent) => ENDS.has(kind);

/** `encodeRun` returns the first line, which holds the run's row. */
export function openJournal(
  runId: string,
  path: string,
  {
    encodeRun = () => null,
    isLeft = false,
    files = fs,
  }: { encodeRun?: () => string | null; isLeft?: boolean; files?: JournalFiles } = {},
): Journal {
  // Windows doesn't shorten a file that is opened for appending, so each write has its position.
  // A file that a removal has left holds only rows, so it starts over.
  let file: number | null = files.openSync(path, isLeft ? 'r' : 'w+', 0o600);
  /** The length of all whole lines. */
  let size = fs.fstatSync(file).size;
  let isTorn = false;
  let firstSeq = Number.POSITIVE_INFINITY;
  let lastSeq = 0;
  let packableTo = size;
  let packedTo = 0;
  let packedSeq = 0;
  let others: RunEvent[] = [];
  const positions: { seq: number; at: number }[] = [];
  const chunkRanges = new Map<number, { first: number; last: number }>();
  const cuts = new Map<number, readonly Range[]>();
  let cutCount = 0;
  const unwrittenCuts = new Set<number>();

  function write(text: string): void {
    if (file === null) throw new Error('The journal is closed.');
    if (isTorn) cutTail(file);
    const bytes = Buffer.from(`${text}\n`);
    isTorn = true;
    const written = files.writeSync(file, bytes, 0, bytes.length, size);
    if (written < bytes.length) {
      cutTail(file);
      throw Object.assign(new Error('The disk took a part of a line.'), { code: 'ENOSPC' });
    }
    isTorn = false;
    size += bytes.length;
  }

  function cutTail(from: number): void {
    files.ftruncateSync(from, size);
    isTorn = false;
  }

  /** Returns the line with its secrets masked. */
  function maskText(text: string): string {
    if (cuts.size === 0) return text;
    let isWhole = true;
    const events = decodeEvents(text, () => {
      isWhole = false;
    });
    const isCut = isWhole && events.some(({ seq }) => cuts.has(seq));
    return isCut ? encodeEvents(applyCuts(events, cuts)) : text;
  }

  /** Overwrites a line in place, because a kill must not lose it. */
  function maskLine(target: number, { text, start, end }: Line): void {
    const masked = text === null ? text : maskText(text);
    if (masked === null || masked === text) return;
    const bytes = Buffer.alloc(end - 1 - start, ' ');
    bytes.write(masked);
    for (let at = 0; at < bytes.length; ) {
      at += files.writeSync(target, bytes, at, bytes.length - at, start + at);
    }
  }

  function note(events: readonly RunEvent[], at: number): void {
    const last = positions.at(-1);
    if (last === undefined || at - last.at >= NOTED_BYTES) {
      positions.push({ seq: events[0]?.seq ?? 0, at });
    }
    for (const event of events) {
      const { seq, exchange, kind } = event;
      firstSeq = Math.min(firstSeq, seq);
      lastSeq = seq;
      if (endsExchange(event)) packableTo = size;
      if (kind !== 'chunk') others.push(event);
      else {
        const range = chunkRanges.get(exchange);
        if (range === undefined) chunkRanges.set(exchange, { first: seq, last: seq });
        else range.last = seq;
      }
    }
  }

  return {
    runId,
    path,
    isLeft,
    append(events) {
      if (size === 0) {
        const first = encodeRun();
        if (first !== null) write(first);
      }
      const at = size;
      write(encodeEvents(events));
      note(events, at);
    },
    *readChunks({ after, exchange }) {
      const range = exchange === null ? null : chunkRanges.get(exchange);
      if (range === undefined) return;
      const past = Math.max(after, packedSeq, (range?.first ?? 1) - 1);
      const last = Math.min(lastSeq, range?.last ?? lastSeq);
      if (past >= last) return;
      const from = positions.findLast(({ seq }) => seq <= past + 1)?.at ?? packedTo;
      for (const { text } of readLines(() => file, from, size)) {
        for (const event of applyCuts(text === null ? [] : decodeEvents(text, ignore), cuts)) {
          if (event.seq > last) return;
          const isWanted = exchange === null || event.exchange === exchange;
          if (event.kind === 'chunk' && event.seq > past && isWanted) yield event;
        }
      }
    },
    others: () => others,
    lastSeq: () => lastSeq,
    *readUnpacked() {
      for (const line of readLines(() => file, packedTo, packableTo)) {
        yield line.text === null ? line : { ...line, text: maskText(line.text) };
      }
    },
    cut(added) {
      cutCount += 1;
      for (const [seq, ranges] of added) {
        cuts.set(seq, [...(cuts.get(seq) ?? []), ...ranges]);
        unwrittenCuts.add(seq);
      }
    },
    cutCount: () => cutCount,
    hasUnwrittenCuts: () => unwrittenCuts.size > 0,
    *writeCuts() {
      const wanted = [...unwrittenCuts].toSorted((a, b) => a - b);
      const written = wanted.map((seq) => [seq, cuts.get(seq)] as const);
      const [first] = wanted;
      if (first === undefined || file === null) return;
      const from = positions.findLast(({ seq }) => seq <= first)?.at ?? 0;
      const target = files.openSync(path, 'r+');
      try {
        for (const line of readLines(() => file, from, size)) {
          maskLine(target, line);
          yield;
        }
      } finally {
        files.closeSync(target);
      }
      // Others may have been added meanwhile.
      for (const [seq, ranges] of written) {
        if (cuts.get(seq) === ranges) unwrittenCuts.delete(seq);
      }
    },
    notePacked(end, seq) {
      packedTo = end;
      packedSeq = Math.max(packedSeq, seq);
      others = others.filter((event) => event.seq > packedSeq);
    },
    packedSeq: () => packedSeq,
    has: (seq) => seq > packedSeq && seq >= firstSeq,
    isPacked: () => packedTo >= size,
    hasUnpackedEnd: () => packableTo > packedTo,
    isClosed: () => file === null,
    close() {
      if (file !== null) files.closeSync(file);
      file = null;
    },
  };
}

const ignore = () => undefined;

/**
 * Yields whole lines between two positions, and at least once per slice, so that the caller can
 * pause. Stops when `getFile` returns null.
 */
export function* readLines(
  getFile: () => number | null,
  from: number,
  to: number,
  sliceBytes = SLICE_BYTES,
): Generator<Line> {
  const parts: Buffer[] = [];
  let length = 0;
  let isSkipped = false;

  /** Returns true if `bytes` make the line unreadable. */
  function add(bytes: Buffer): boolean {
    const isReadable = length > 0 || bytes.length === 0 || STARTS.has(bytes[0] ?? 0);
    length += bytes.length;
    if (isSkipped) return false;
    isSkipped = !isReadable || length > MAX_LINE_BYTES;
    if (isSkipped) parts.length = 0;
    else parts.push(bytes);
    return isSkipped;
  }

  for (let at = from; at < to; ) {
    const file = getFile();
    if (file === null) return;
    const slice = Buffer.allocUnsafe(Math.min(sliceBytes, to - at));
    const count = fs.readSync(file, slice, 0, slice.length, at);
    if (count === 0) break;
    const read = slice.subarray(0, count);
    let start = 0;
    for (let past = read.indexOf(LINE_FEED); past !== -1; past = read.indexOf(LINE_FEED, start)) {
      const isBroken = add(read.subarray(start, past));
      const text = isSkipped ? null : joinText(parts, length);
      start = past + 1;
      const end = at + start;
      yield {
        text: text === '' ? null : text,
        start: end - 1 - length,
        end,
        isBroken,
        isPartial: false,
      };
      parts.length = 0;
      length = 0;
      isSkipped = false;
    }
    at += count;
    if (start < count) {
      const isBroken = add(read.subarray(start));
      yield { text: null, start: at - length, end: at, isBroken, isPartial: true };
    }
  }
  if (length > 0) {
    yield { text: null, start: to - length, end: to, isBroken: !isSkipped, isPartial: false };
  }
}

function joinText(parts: readonly Buffer[], length: number): string {
  const [first] = parts;
  return (parts.length === 1 && first ? first : Buffer.concat(parts, length)).toString('utf8');
}
