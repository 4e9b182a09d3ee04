/** Events as rows of the ledger: number, time and kind in columns, the rest as JSON. Frames are in a file of their own. */
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { type RunEvent, type RunEventKind, runEventSchema } from '../../shared/run.ts';
import type { Database } from './database-access.ts';
import { eventKey, keysOf } from './event-key.ts';

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

const COLUMNS = 'SELECT seq, at_ms, exchange, kind, body';

const IN_ORDER = `${COLUMNS} FROM events
  WHERE key > :behind AND key <= :last
    AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
    AND (:exchange IS NULL OR exchange = :exchange)
  ORDER BY key`;

/** A task that is polled for days has events by the thousand, and a few of each exchange. */
const BY_EXCHANGE = `${COLUMNS} FROM events INDEXED BY events_by_kind
  WHERE run = :run AND key > :behind AND kind NOT IN ('chunk', 'progress')
    AND kind IN (SELECT value FROM json_each(:kinds)) AND exchange = :exchange
  ORDER BY key`;

/** In order; also the frames that were recorded before they had a file of their own. */
export function* readEventRows(
  db: Database,
  run: number,
  { after, kinds, exchange = null }: EventQuery,
  onUnreadable: () => void,
): Generator<RunEvent> {
  const isIndexed = kinds?.every((kind) => kind !== 'chunk' && kind !== 'progress') ?? false;
  const filter = {
    behind: eventKey(run, after),
    kinds: kinds === null ? null : JSON.stringify(kinds),
    exchange,
  };
  const rows =
    exchange !== null && isIndexed
      ? db.sql(BY_EXCHANGE).iterate({ ...filter, run })
      : db.sql(IN_ORDER).iterate({ ...filter, last: keysOf(run)[1] });
  for (const row of rows) {
    const event = readEvent(row);
    if (event === null) onUnreadable();
    else yield event;
  }
}

/** Null where it cannot be read. */
export function readEvent(row: Record<string, unknown>): RunEvent | null {
  const { seq, at_ms: atMs, exchange, kind } = row;
  const body = parseJson(String(row.body));
  if (!isJsonObject(body)) return null;
  return runEventSchema.safeParse({ ...body, seq, atMs, exchange, kind }).data ?? null;
}
