/** Stores events as ledger rows: chunks in compressed blocks, and each other event in its own row. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { type RunEvent, type RunEventKind, runEventSchema } from '../../shared/run.ts';
import type { Cuts } from '../redaction/secret-search.ts';
import type { Database } from './database-access.ts';
import { applyCuts, type ChunkEvent, decodeEvents, encodeEvents } from './event-lines.ts';
import { createUnreadableNotice } from './rows.ts';
import { iterate } from './sqlite-file.ts';
import { isCorruption } from './storage-error.ts';

/** Exceeds the number of events in any run, while keeping the keys exact integers. */
const KEYS_PER_RUN = 2 ** 26;

/** A single integer key needs no extra index and lets SQLite skip rows without reading bodies. */
function getEventKey(run: number, seq: number): number {
  return run * KEYS_PER_RUN + Math.min(seq, KEYS_PER_RUN - 1);
}

export function getKeys(run: number): [first: number, last: number] {
  return [getEventKey(run, 0), getEventKey(run, KEYS_PER_RUN)];
}

/** A block ends at this many characters, because compressing more delays streams. */
export const BLOCK_LENGTH = 128 * 1024;
/** Higher compression levels are slower and save only a few bytes. */
export const BLOCK_COMPRESSION = { level: 1 };

/** Compressed texts of long bodies, because compressing one takes as long as receiving it. */
const compressedTexts = new WeakMap<RunEvent, Uint8Array>();

/** `text` is the event's text as UTF-8, compressed with raw deflate. */
export function noteCompressed(event: RunEvent, text: Uint8Array): void {
  compressedTexts.set(event, text);
}

/** Marks a body whose text is in `long_bodies`. */
const APART = 'isApart';

/** Replaces rows with the same number, so that an interrupted transfer can be repeated. */
export function insertEvents(db: Database, run: number, events: readonly RunEvent[]): void {
  const insert = db.sql(
    'INSERT OR REPLACE INTO events (key, at_ms, exchange, kind, body) VALUES (?, ?, ?, ?, ?)',
  );
  let block: ChunkEvent[] = [];
  let length = 0;

  function endBlock(): void {
    const [first, last] = [block[0], block.at(-1)];
    if (first === undefined || last === undefined) return;
    const body = deflateRawSync(encodeEvents(block), BLOCK_COMPRESSION);
    insertBlock(db, run, { exchange: first.exchange, first: first.seq, last: last.seq, body });
    block = [];
    length = 0;
  }

  for (const event of events) {
    if (event.kind !== 'chunk') {
      const { seq, atMs, exchange, kind, ...body } = event;
      const key = getEventKey(run, seq);
      const text = compressedTexts.get(event);
      if (text !== undefined) {
        db.sql('INSERT OR REPLACE INTO long_bodies (key, text) VALUES (?, ?)').run(key, text);
      }
      const stored = text === undefined ? body : { ...body, text: '', [APART]: true };
      insert.run(key, atMs, exchange, kind, JSON.stringify(stored));
      continue;
    }
    const { exchange, data } = event;
    const isNext = block[0]?.exchange === exchange && length + data.length <= BLOCK_LENGTH;
    if (!isNext) endBlock();
    block.push(event);
    length += data.length;
  }
  endBlock();
}

/** The chunks of one exchange that a block holds. */
export interface BlockRange {
  exchange: number;
  first: number;
  last: number;
}

/** `body` is what `encodeEvents` returns for the chunks, compressed. */
export function insertBlock(
  db: Database,
  run: number,
  { exchange, first, last, body }: BlockRange & { body: Uint8Array },
): void {
  db.sql('INSERT OR REPLACE INTO chunk_blocks (key, last, exchange, body) VALUES (?, ?, ?, ?)').run(
    getEventKey(run, first),
    last,
    exchange,
    body,
  );
}

/** Masks pieces of secrets in chunks that are rows. */
export function cutChunkRows(db: Database, run: number, cuts: Cuts): void {
  const [first, end] = getKeys(run);
  let maskedTo = 0;
  for (const seq of [...cuts.keys()].toSorted((a, b) => a - b)) {
    if (seq <= maskedTo) continue;
    const found = { first, end, behind: getEventKey(run, seq - 1), after: seq - 1, exchange: null };
    const { body } = db.sql(`${BLOCKS} LIMIT 1`).get(found) ?? {};
    if (body === undefined) continue;
    const chunks = readBlock(body, () => undefined).filter((event) => event.kind === 'chunk');
    if (chunks[0] === undefined || chunks[0].seq > seq) continue;
    insertEvents(db, run, applyCuts(chunks, cuts));
    maskedTo = chunks.at(-1)?.seq ?? 0;
  }
}

export interface EventQuery {
  after: number;
  kinds: RunEventKind[] | null;
  exchange: number | null;
}

/** Starts with the block that may contain the event after `:behind`. */
const BLOCKS = `SELECT body FROM chunk_blocks
  WHERE key BETWEEN coalesce(
      (SELECT max(key) FROM chunk_blocks WHERE key BETWEEN :first AND :behind), :first) AND :end
    AND last > :after
    AND (:exchange IS NULL OR exchange = :exchange)
  ORDER BY key`;

/** Yields the chunks after number `after` in order, each once. */
export function* readChunkRows(
  db: Database,
  run: number,
  { after, exchange }: Omit<EventQuery, 'kinds'>,
  onUnreadable: () => void,
): Generator<ChunkEvent> {
  const [first, end] = getKeys(run);
  const filter = { first, end, behind: getEventKey(run, after), after, exchange };
  let seen = after;
  try {
    for (const { body } of iterate(db.sql(BLOCKS), filter)) {
      for (const event of readBlock(body, onUnreadable)) {
        if (event.kind !== 'chunk' || event.seq <= seen) continue;
        yield event;
        seen = event.seq;
      }
    }
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    onUnreadable();
  }
}

function readBlock(body: unknown, onUnreadable: () => void): RunEvent[] {
  try {
    const text = inflateRawSync(body instanceof Uint8Array ? body : '').toString('utf8');
    return decodeEvents(text, onUnreadable);
  } catch {
    onUnreadable();
    return [];
  }
}

const COLUMNS = 'seq, at_ms, exchange, kind, body';

const KINDS_AND_EXCHANGE = `(:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
  AND (:exchange IS NULL OR exchange = :exchange)`;

const IN_ORDER = `SELECT ${COLUMNS} FROM events
  WHERE key > :behind AND key <= :last AND ${KINDS_AND_EXCHANGE} ORDER BY key`;

/** Returns SQL for a run's events except chunks and progress; an index avoids reading bodies. */
export function selectIndexedEvents(columns: string, condition: string): string {
  return `SELECT ${columns} FROM events INDEXED BY events_by_exchange
    WHERE run = :run AND kind NOT IN ('chunk', 'progress') AND ${condition}`;
}

/** Reads one exchange at a time, because a task polled for days has thousands of events. */
const BY_EXCHANGE = `${selectIndexedEvents(
  COLUMNS,
  'seq > :after AND kind IN (SELECT value FROM json_each(:kinds)) AND exchange = :exchange',
)} ORDER BY seq`;

export function* readEventRows(
  db: Database,
  run: number,
  query: EventQuery,
  onUnreadable: () => void,
): Generator<RunEvent> {
  for (const row of getRows(db, run, query)) {
    const event = readEvent(row, (seq) => readLongText(db, getEventKey(run, seq)));
    if (event === null) onUnreadable();
    else yield event;
  }
}

function* getRows(
  db: Database,
  run: number,
  { after, kinds, exchange }: EventQuery,
): Generator<Record<string, unknown>> {
  const filter = { kinds: kinds === null ? null : JSON.stringify(kinds), exchange };
  const isIndexed = kinds?.every((kind) => kind !== 'chunk' && kind !== 'progress') ?? false;
  if (exchange !== null && isIndexed) {
    yield* iterate(db.sql(BY_EXCHANGE), { ...filter, run, after });
    return;
  }
  const keys = { behind: getEventKey(run, after), last: getKeys(run)[1] };
  yield* iterate(db.sql(IN_ORDER), { ...filter, ...keys });
}

/** Returns the last event's number, or 0 if there is none or its row can't be read. */
export function readLastSeq(db: Database, run: number, onUnreadable: () => void): number {
  const [first, end] = getKeys(run);
  try {
    const newest = db
      .sql(`SELECT max(
        coalesce((SELECT max(key) FROM events WHERE key BETWEEN :first AND :end) - :first, 0),
        coalesce((SELECT last FROM chunk_blocks WHERE key BETWEEN :first AND :end
          ORDER BY key DESC LIMIT 1), 0)) AS seq`)
      .get({ first, end });
    return Number(newest?.seq);
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    onUnreadable();
    return 0;
  }
}

/** Returns null if the text can't be read. */
function readLongText(db: Database, key: number): string | null {
  const { text } = db.sql('SELECT text FROM long_bodies WHERE key = ?').get(key) ?? {};
  if (!(text instanceof Uint8Array)) return null;
  try {
    return inflateRawSync(text).toString('utf8');
  } catch {
    return null;
  }
}

/** `readText` returns the text of a long body, or null if it can't be read. */
export function readEvent(
  row: Record<string, unknown>,
  readText: (seq: number) => string | null = () => null,
): RunEvent | null {
  const { seq, at_ms: atMs, exchange, kind } = row;
  const body = parseJson(String(row.body));
  if (!isJsonObject(body)) return null;
  if (body[APART] === true) {
    const text = readText(Number(seq));
    if (text === null) return null;
    body.text = text;
    delete body[APART];
  }
  return runEventSchema.safeParse({ ...body, seq, atMs, exchange, kind }).data ?? null;
}

const OF_EXCHANGES = ['request', 'response', 'task', 'exchange-end'] as const;
const OF_RUNS = ['finish', 'error'] as const;

export interface ExchangeQuery {
  from: number;
  limit: number;
}

/** Returns true for events of exchange `from` or later, and for events that end the run. */
export function isAboutExchange({ kind, exchange }: RunEvent, from: number): boolean {
  const ofExchange: readonly RunEventKind[] = OF_EXCHANGES;
  const ofRun: readonly RunEventKind[] = OF_RUNS;
  return ofRun.includes(kind) || (ofExchange.includes(kind) && exchange >= from);
}

/** Returns the exchange number `limit` exchanges after `from`, or null if there are fewer. */
export function readExchangeAfter(
  db: Database,
  run: number,
  { from, limit }: ExchangeQuery,
): number | null {
  const row = db
    .sql(`${selectIndexedEvents('exchange', "kind = 'request' AND exchange >= :from")}
      ORDER BY exchange LIMIT 1 OFFSET :limit`)
    .get({ run, from, limit });
  return typeof row?.exchange === 'number' ? row.exchange : null;
}

/** Returns the events accepted by `isAboutExchange` in order, without headers and bodies. */
export function readExchangeEvents(
  db: Database,
  run: number,
  { from, to }: { from: number; to: number },
): RunEvent[] {
  return db
    .sql(EXCHANGE_EVENTS)
    .all({ run, from, to })
    .flatMap((row) => {
      const event = readEvent(row);
      if (event === null) db.warn(createUnreadableNotice('events'));
      return event === null ? [] : [event];
    });
}

export function readLastExchange(db: Database, run: number): number | null {
  const row = db
    .sql(`${selectIndexedEvents('exchange', "kind = 'request'")} ORDER BY exchange DESC LIMIT 1`)
    .get({ run });
  return typeof row?.exchange === 'number' ? row.exchange : null;
}

/** Leaves rows with invalid JSON unchanged, so that readers skip them. */
const withoutBody = `CASE
  WHEN kind = 'exchange-end' OR NOT json_valid(body) THEN body
  WHEN kind = 'request' THEN json_object(
    'method', body ->> 'method', 'url', body ->> 'url', 'headers', json('[]'), 'body', NULL)
  WHEN kind = 'response' THEN json_object('status', body ->> 'status', 'headers', json('[]'))
  ELSE json_object(
    'taskId', '', 'status', 'unknown', 'word', body ->> 'word', 'reply', NULL) END`;

const EXCHANGE_EVENTS = `
  ${selectIndexedEvents(
    `seq, at_ms, exchange, kind, ${withoutBody} AS body`,
    `kind IN (${quoteKinds(OF_EXCHANGES)}) AND exchange BETWEEN :from AND :to`,
  )}
  UNION ALL
  ${selectIndexedEvents('seq, at_ms, exchange, kind, body', `kind IN (${quoteKinds(OF_RUNS)})`)}
  ORDER BY seq`;

function quoteKinds(kinds: readonly RunEventKind[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}
