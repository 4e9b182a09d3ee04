/** Moves events of ended exchanges from journals to rows, a few milliseconds at a time. */
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { getNumber } from '../../shared/exact-number.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { RunEvent } from '../../shared/run.ts';
import { createDelayed, RETRY_MS, type Timer } from '../base/timer.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { createSecretSearch, type SecretSearch } from '../redaction/secret-search.ts';
import { type Database, tryWriting } from './database-access.ts';
import { decodeEvents, readHeader } from './event-lines.ts';
import {
  BLOCK_COMPRESSION,
  BLOCK_LENGTH,
  type BlockRange,
  insertBlock,
  insertEvents,
  readLastSeq,
} from './event-rows.ts';
import { JOURNAL_FOLDER } from './file-names.ts';
import { type Journal, SLICE_BYTES } from './journal.ts';
import type { Journals } from './journals.ts';
import { createUnreadableNotice } from './rows.ts';
import { findStoredRun, insertRun, storedRunSchema } from './run-rows.ts';
import { isFileError } from './storage-error.ts';

export interface Packer {
  /** Packs the ended exchanges of a live run's journal, and deletes the journal when it is empty. */
  pack(runId: string, row: number): void;
  /**
   * Packs a journal that an earlier process left, after its secrets are masked; resolves when its
   * events are rows, or to false if `signal` aborts first.
   */
  packLeft(
    runId: string,
    getRedactor: (connectionId: string) => Promise<Redactor>,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Keeps everything where it is until the returned function is called. */
  hold(): () => void;
  /** Packs for a short time; the next start continues. */
  close(): void;
}

/** Reading this much takes 1 to 2 ms, and a step ends with the batch that exceeds `STEP_MS`. */
const BATCH_BYTES = 512 * 1024;
/** Each is parsed, validated and inserted on its own, which takes 20 to 40 µs. */
const BATCH_EVENTS = 100;
const STEP_MS = 4;
/** Leaves time for streams between two steps. */
const PAUSE_MS = 8;
/** A step that starts this late follows other work, such as hundreds of streams, and is short. */
const LATE_MS = 2;
const SHORT_STEP_MS = 1;
const CLOSING_MS = 100;

/** `waiting` lets other work proceed; `failed` retries after a second. */
type Step = 'stored' | 'failed' | 'waiting';
type Work = Generator<Step, void>;

export function createPacker(options: {
  db: Database;
  journals: Journals;
  /** The file to sync before a journal is deleted, because a power failure could take the rows. */
  ledgerPath: string;
  timer: Timer;
}): Packer {
  const { db, journals } = options;
  const works = new Map<string, Work>();
  const nextStep = createDelayed(options.timer, () =>
    step(performance.now() > dueAt + LATE_MS ? SHORT_STEP_MS : STEP_MS),
  );
  let dueAt = 0;
  let holds = 0;
  let isClosing = false;
  let isClosed = false;

  function step(limitMs: number): void {
    const until = performance.now() + limitMs;
    let pauseMs = PAUSE_MS;
    try {
      for (const [runId, work] of [...works]) {
        works.delete(runId);
        const last = advance(work, until);
        if (last !== 'done') works.set(runId, work);
        if (last === 'failed') pauseMs = RETRY_MS;
        if (performance.now() >= until) break;
      }
    } finally {
      if (works.size > 0) start(pauseMs);
    }
  }

  function advance(work: Work, until: number): Step | 'done' {
    try {
      for (;;) {
        const { done, value } = work.next();
        if (done) return 'done';
        if (value !== 'stored' || performance.now() >= until) return value;
      }
    } catch (cause) {
      if (!isFileError(cause)) throw cause;
      db.warn(createUnreadableNotice('events'));
      return 'done';
    }
  }

  function start(delayMs: number): void {
    if (holds > 0 || isClosed) return;
    dueAt = performance.now() + delayMs;
    nextStep.start(delayMs);
  }

  function add(runId: string, work: Work): void {
    works.set(runId, work);
    if (works.size === 1) start(PAUSE_MS);
  }

  /** Stores batches until the journal has no more ended exchanges; returns how many lines are broken. */
  function* move(journal: Journal, row: number): Generator<Step, number> {
    let batch = createBatch(journal.packedSeq());
    let from: number | null = null;
    let end = 0;
    let brokenLines = 0;
    for (const line of journal.readUnpacked()) {
      const { text } = line;
      // A live journal begins with its run, which has a row.
      const isSkipped = text === null || (text.startsWith(RUN_START) && !journal.isLeft);
      if (line.isBroken || !(isSkipped || addLine(batch, text))) brokenLines += 1;
      from ??= line.start;
      // Readers start where packing stopped, which must be the start of a line.
      if (line.isPartial) {
        yield 'stored';
        continue;
      }
      end = line.end;
      if (end - from < BATCH_BYTES && batch.events.length < BATCH_EVENTS) continue;
      if (!(yield* store(journal, row, batch, end))) return brokenLines;
      batch = createBatch(batch.seen);
      from = null;
    }
    if (from !== null) yield* store(journal, row, batch, end);
    return brokenLines;
  }

  /** Returns false if secrets were found meanwhile, so that the lines have to be read again. */
  function* store(
    journal: Journal,
    row: number,
    { events, blocks, seen }: Batch,
    end: number,
  ): Generator<Step, boolean> {
    const cutCount = journal.cutCount();
    const compressed =
      isClosing || blocks.length === 0
        ? blocks.map((block) => ({
            ...block,
            body: deflateRawSync(join(block), BLOCK_COMPRESSION),
          }))
        : yield* wait(Promise.all(blocks.map(compressOnThread)));
    const isStored = () =>
      journal.isClosed() ||
      tryWriting(db, () => {
        insertEvents(db, row, events);
        for (const block of compressed) insertBlock(db, row, block);
      });
    while (journal.cutCount() === cutCount) {
      if (isStored()) {
        journal.notePacked(end, seen);
        yield 'stored';
        return true;
      }
      yield 'failed';
    }
    return false;
  }

  function* packLive(journal: Journal, row: number): Work {
    // The journal is closed when its run is deleted.
    while (!journal.isClosed() && journal.hasUnpackedEnd()) {
      yield* tryWritingCuts(journal);
      yield* move(journal, row);
      yield* removePacked(journal);
    }
  }

  /** Ignores disk errors, because the rows are masked anyway and the file is then deleted. */
  function* tryWritingCuts(journal: Journal): Work {
    try {
      for (const _step of journal.writeCuts()) yield 'stored';
    } catch (cause) {
      if (!isFileError(cause)) throw cause;
    }
  }

  function* removePacked(journal: Journal): Work {
    if (!journal.isPacked()) return;
    yield* wait(journals.sync(options.ledgerPath));
    if (!journal.isClosed() && journal.isPacked()) journals.remove(journal.runId);
  }

  /**
   * Masks secrets split across chunks, because a kill may have come before the search at the end of
   * an exchange.
   */
  function* redactLeft(
    journal: Journal,
    row: number,
    getRedactor: (connectionId: string) => Promise<Redactor>,
  ): Generator<Step, RunEvent | null> {
    const run = db.sql('SELECT connection_id FROM runs WHERE row = ?').get(row);
    const redactor = yield* wait(getRedactor(String(run?.connection_id)));
    const searches = new Map<number, SecretSearch>();
    let last: RunEvent | null = null;
    for (const { text } of journal.readUnpacked()) {
      for (const event of text === null ? [] : decodeEvents(text, ignore)) {
        last = event;
        if (event.kind !== 'chunk') continue;
        const search = searches.get(event.exchange) ?? createSecretSearch(redactor);
        searches.set(event.exchange, search);
        if (event.data.length <= SLICE_BYTES) search.add(event.seq, event.data);
        else for (const _step of search.addInSteps(event.seq, event.data)) yield 'stored';
      }
      yield 'stored';
    }
    let count = 0;
    for (const search of searches.values()) {
      const cuts = search.takeCuts();
      count += cuts.size;
      journal.cut(cuts);
    }
    if (last === null || count === 0) return null;
    yield* tryWritingCuts(journal);
    const { seq, atMs, exchange } = last;
    return { kind: 'redacted', seq: seq + 1, atMs, exchange, count };
  }

  function* packLeft(
    runId: string,
    getRedactor: (connectionId: string) => Promise<Redactor>,
    onMoved: () => void,
  ): Work {
    let journal: Journal | null = null;
    let row: number | null = null;
    let brokenLines = 0;
    try {
      journal = journals.openLeft(runId);
      row = journal && (yield* findOrInsert(journal));
      if (journal !== null && row !== null) {
        journal.notePacked(
          0,
          readLastSeq(db, row, () => undefined),
        );
        const redacted = yield* redactLeft(journal, row, getRedactor);
        brokenLines = yield* move(journal, row);
        const added = redacted === null ? [] : [redacted];
        const inRow = row;
        while (!tryWriting(db, () => insertEvents(db, inRow, added))) yield 'failed';
      }
    } finally {
      onMoved();
    }
    if (journal === null || journal.isClosed()) return;
    if (row === null || brokenLines > 0) {
      journals.setAside(runId);
      warnOfDamage();
    } else yield* removePacked(journal);
  }

  /** Returns the run's row, or null if the run isn't known or can't be inserted. */
  function* findOrInsert(journal: Journal): Generator<Step, number | null> {
    const find = () =>
      getNumber(db.sql('SELECT row FROM runs WHERE id = ?').get(journal.runId)?.row);
    const known = find();
    const run = known === null ? yield* readFirstRun(journal) : null;
    while (run !== null && !tryWriting(db, () => insertRun(db, run))) yield 'failed';
    return known ?? find();
  }

  function warnOfDamage(): void {
    db.warn({
      id: 'journal-damaged',
      level: 'warning',
      message: 'Parts of interrupted responses couldn’t be read and were skipped.',
      nextStep: `The files were kept in ${JOURNAL_FOLDER}/ with “-damaged-” in their names. They may contain an API key in pieces, so don’t share them. Check the disk for errors.`,
    });
  }

  return {
    pack(runId, row) {
      const journal = journals.find(runId);
      if (journal !== null && !works.has(runId)) add(runId, packLive(journal, row));
    },
    packLeft(runId, getRedactor, signal) {
      return new Promise((resolve) => {
        if (signal.aborted || isClosed) return resolve(false);
        signal.addEventListener('abort', () => resolve(false), { once: true });
        add(
          runId,
          packLeft(runId, getRedactor, () => resolve(true)),
        );
      });
    },
    hold() {
      holds += 1;
      nextStep.cancel();
      return () => {
        holds -= 1;
        if (works.size > 0) start(0);
      };
    },
    close() {
      isClosing = true;
      if (works.size > 0 && holds === 0) step(CLOSING_MS);
      isClosed = true;
      nextStep.cancel();
    },
  };
}

/** Lets other work proceed until the promise resolves. */
function* wait<Value>(promise: Promise<Value>): Generator<Step, Value> {
  const results: { value: Value }[] = [];
  void promise.then((value) => results.push({ value }));
  for (;;) {
    const [result] = results;
    if (result !== undefined) return result.value;
    yield 'waiting';
  }
}

/** The events of several lines; chunks stay encoded. */
interface Batch {
  events: RunEvent[];
  blocks: Block[];
  /** The number of the last event, because a damaged journal may repeat lines. */
  seen: number;
}

type Block = BlockRange & { lines: string[]; length: number };

const join = ({ lines }: Block): string => lines.join('\n');

const deflate = promisify(deflateRaw);

async function compressOnThread(block: Block) {
  return { ...block, body: await deflate(join(block), BLOCK_COMPRESSION) };
}

const createBatch = (seen: number): Batch => ({ events: [], blocks: [], seen });

/** Returns false if the line can't be read. */
function addLine(batch: Batch, line: string): boolean {
  const header = readHeader(line);
  if (header !== null) {
    addChunks(batch, header, line);
    return true;
  }
  const [event] = decodeEvents(line, ignore);
  if (event === undefined) return parseRun(line) !== null;
  const { kind, exchange, seq } = event;
  if (kind === 'chunk') addChunks(batch, { exchange, first: seq, last: seq }, line);
  else if (seq > batch.seen) {
    batch.seen = seq;
    batch.events.push(event);
  }
  return true;
}

function addChunks(batch: Batch, { exchange, first, last }: BlockRange, line: string): void {
  if (last <= batch.seen) return;
  batch.seen = last;
  const block = batch.blocks.at(-1);
  if (block?.exchange !== exchange || block.length + line.length > BLOCK_LENGTH) {
    batch.blocks.push({ exchange, first, last, lines: [line], length: line.length });
    return;
  }
  block.lines.push(line);
  block.length += line.length;
  block.last = last;
}

const ignore = () => undefined;

const RUN_START = '{"run":';

/** Returns a journal's first line, which restores the run if the ledger lost it. */
export function encodeRun(db: Database, runId: string): string | null {
  const run = findStoredRun(db, runId);
  return run === null ? null : JSON.stringify({ run });
}

function parseRun(text: string) {
  return z.object({ run: storedRunSchema }).safeParse(parseJson(text)).data?.run ?? null;
}

function* readFirstRun(journal: Journal): Generator<Step, ReturnType<typeof parseRun>> {
  for (const { text, start, end, isBroken } of journal.readUnpacked()) {
    const isEmpty = end - start === 1;
    if (isBroken || isEmpty) return null;
    const run = text === null ? null : parseRun(text);
    if (text !== null) return run?.id === journal.runId ? run : null;
    yield 'stored';
  }
  return null;
}
