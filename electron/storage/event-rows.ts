/** Stores events as ledger rows, with number, time and kind in columns and the rest as JSON. */
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { type RunEvent, type RunEventKind, runEventSchema } from '../../shared/run.ts';
import type { Database } from './database-access.ts';
import { eventKey, getKeys, getSeq } from './frames/frame-block.ts';
import { createUnreadableNotice } from './rows.ts';
import { iterate } from './sqlite-file.ts';
import { isCorruption } from './storage-error.ts';

/** Replaces any event with the same number, which can only be an unreadable row. */
export function insertEvents(db: Database, runRow: number, events: Iterable<RunEvent>): void {
  const insert = db.sql(
    'INSERT OR REPLACE INTO events (key, at_ms, exchange, kind, body) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { seq, atMs, exchange, kind, ...body } of events) {
    insert.run(eventKey(runRow, seq), atMs, exchange, kind, JSON.stringify(body));
  }
}

export interface EventQuery {
  after: number;
  limit: number;
  kinds: RunEventKind[] | null;
  exchange?: number | null;
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
    const event = readEvent(row);
    if (event === null) onUnreadable();
    else yield event;
  }
}

function* getRows(
  db: Database,
  run: number,
  { after, kinds, exchange = null }: EventQuery,
): Generator<Record<string, unknown>> {
  const filter = { kinds: kinds === null ? null : JSON.stringify(kinds), exchange };
  const isIndexed = kinds?.every((kind) => kind !== 'chunk' && kind !== 'progress') ?? false;
  if (exchange !== null && isIndexed) {
    yield* iterate(db.sql(BY_EXCHANGE), { ...filter, run, after });
    return;
  }
  const keys = { behind: eventKey(run, after), last: getKeys(run)[1] };
  yield* iterate(db.sql(IN_ORDER), { ...filter, ...keys });
}

/** Returns the last event's number, or 0 if there is none or its row can't be read. */
export function readLastSeq(db: Database, run: number, onUnreadable: () => void): number {
  try {
    const newest = db
      .sql('SELECT key FROM events WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1')
      .get(...getKeys(run));
    return newest === undefined ? 0 : getSeq(Number(newest.key));
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    onUnreadable();
    return 0;
  }
}

export function readEvent(row: Record<string, unknown>): RunEvent | null {
  const { seq, at_ms: atMs, exchange, kind } = row;
  const body = parseJson(String(row.body));
  if (!isJsonObject(body)) return null;
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
    `kind IN (${list(OF_EXCHANGES)}) AND exchange BETWEEN :from AND :to`,
  )}
  UNION ALL
  ${selectIndexedEvents('seq, at_ms, exchange, kind, body', `kind IN (${list(OF_RUNS)})`)}
  ORDER BY seq`;

function list(kinds: readonly RunEventKind[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}
