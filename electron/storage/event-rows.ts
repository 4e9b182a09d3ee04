/** Events as rows of the ledger: number, time and kind in columns, the rest as JSON. Frames are in a file of their own. */
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { type RunEvent, type RunEventKind, runEventSchema } from '../../shared/run.ts';
import { type Database, iterate } from './database-access.ts';
import { eventKey, getKeys, seqOfKey } from './event-key.ts';
import { isCorruption } from './storage-error.ts';

/** Replaces an event of the same number: only an unreadable row can be there. */
export function insertEvents(db: Database, runRow: number, events: Iterable<RunEvent>): void {
  const insert = db.sql(
    'INSERT OR REPLACE INTO events (key, at_ms, exchange, kind, body) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { seq, atMs, exchange, kind, ...body } of events) {
    insert.run(eventKey(runRow, seq), atMs, exchange, kind, JSON.stringify(body));
  }
}

export interface EventQuery {
  /** Events behind this number. */
  after: number;
  limit: number;
  /** Null means all. */
  kinds: RunEventKind[] | null;
  /** Only of this one; all unless given. */
  exchange?: number | null;
}

const COLUMNS = 'seq, at_ms, exchange, kind, body';

const KINDS_AND_EXCHANGE = `(:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
  AND (:exchange IS NULL OR exchange = :exchange)`;

const IN_ORDER = `SELECT ${COLUMNS} FROM events
  WHERE key > :behind AND key <= :last AND ${KINDS_AND_EXCHANGE} ORDER BY key`;

const EARLY_IN_ORDER = `SELECT ${COLUMNS} FROM early_events
  WHERE run = :run AND seq > :after AND ${KINDS_AND_EXCHANGE} ORDER BY seq`;

/**
 * In SQL: the events of a run except chunks and progress, which come by the thousand; `condition` is about their kind,
 * exchange and number. Found by an index, without reading bodies on the way; in no order. Its parameters are
 * `indexValues`.
 */
export function indexedEvents(columns: string, condition: string): string {
  const from = (
    table: string,
    index: string,
  ) => `SELECT ${columns} FROM ${table} INDEXED BY ${index}
    WHERE run = :run AND kind NOT IN ('chunk', 'progress') AND ${condition}`;
  const early = from('early_events', 'events_by_kind');
  return `${early} AND :isEarly UNION ALL ${from('events', 'events_by_exchange')}`;
}

export function indexValues(db: Database, run: number): { run: number; isEarly: number } {
  return { run, isEarly: isEarly(db, run) ? 1 : 0 };
}

/**
 * Whether a run can have events in `early_events`: to look for one there reads the bodies on the way, whichever runs
 * those are of.
 */
export function isEarly(db: Database, run: number): boolean {
  return run <= Number(db.sql('SELECT last_early_run AS last FROM identity').get()?.last);
}

/** A task that is polled for days has events by the thousand, and a few of each exchange. */
const BY_EXCHANGE = `${indexedEvents(
  COLUMNS,
  'seq > :after AND kind IN (SELECT value FROM json_each(:kinds)) AND exchange = :exchange',
)} ORDER BY seq`;

/** In order; also the frames that were recorded before they had a file of their own. */
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
    yield* iterate(db.sql(BY_EXCHANGE), { ...filter, ...indexValues(db, run), after });
    return;
  }
  // A run's early events came before its others.
  if (isEarly(db, run)) yield* iterate(db.sql(EARLY_IN_ORDER), { ...filter, run, after });
  const keys = { behind: eventKey(run, after), last: getKeys(run)[1] };
  yield* iterate(db.sql(IN_ORDER), { ...filter, ...keys });
}

/** The number of the last event in the ledger; 0 where there is none, or it cannot be read. */
export function readLastSeq(db: Database, run: number, onUnreadable: () => void): number {
  try {
    const newest = db
      .sql('SELECT key FROM events WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT 1')
      .get(...getKeys(run));
    if (newest !== undefined) return seqOfKey(Number(newest.key));
    if (!isEarly(db, run)) return 0;
    const early = db.sql('SELECT max(seq) AS seq FROM early_events WHERE run = ?').get(run);
    return Number(early?.seq ?? 0);
  } catch (cause) {
    if (!isCorruption(cause)) throw cause;
    onUnreadable();
    return 0;
  }
}

/** Null where it cannot be read. */
export function readEvent(row: Record<string, unknown>): RunEvent | null {
  const { seq, at_ms: atMs, exchange, kind } = row;
  const body = parseJson(String(row.body));
  if (!isJsonObject(body)) return null;
  return runEventSchema.safeParse({ ...body, seq, atMs, exchange, kind }).data ?? null;
}
