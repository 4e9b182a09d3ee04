/** Events as rows: number, time and kind in columns, the rest as JSON. */
import { type RunEvent, type RunEventKind, runEventSchema } from '../../shared/run.ts';
import { type Database, unreadable } from './database-access.ts';

/** Replaces an event of the same number: only an unreadable row can be there. */
export function insertEvents(db: Database, runRow: number, events: Iterable<RunEvent>): void {
  const insert = db.sql(
    'INSERT OR REPLACE INTO events (run, seq, at_ms, exchange, kind, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { seq, atMs, exchange, kind, ...body } of events) {
    insert.run(runRow, seq, atMs, exchange, kind, JSON.stringify(body));
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
const OF_RUN = 'run = (SELECT row FROM shown_runs WHERE id = :runId)';

const IN_ORDER = `${COLUMNS} FROM events
  WHERE ${OF_RUN} AND seq > :after
    AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
    AND (:exchange IS NULL OR exchange = :exchange)
  ORDER BY seq LIMIT :limit`;

/** A task that is polled for days has events by the thousand, and a few of each exchange. */
const BY_EXCHANGE = `${COLUMNS} FROM events INDEXED BY events_by_kind
  WHERE ${OF_RUN} AND seq > :after AND kind NOT IN ('chunk', 'progress')
    AND kind IN (SELECT value FROM json_each(:kinds)) AND exchange = :exchange
  ORDER BY seq LIMIT :limit`;

/** At least one event unless there is none left; rows that cannot be read are left out with a notice. */
export function readEvents(
  db: Database,
  runId: string,
  { after, limit, kinds, exchange = null }: EventQuery,
): { events: RunEvent[]; more: boolean } {
  const isIndexed = kinds?.every((kind) => kind !== 'chunk' && kind !== 'progress') ?? false;
  const select = db.sql(exchange !== null && isIndexed ? BY_EXCHANGE : IN_ORDER);
  const filter = { runId, kinds: kinds === null ? null : JSON.stringify(kinds), exchange };
  for (let from = after; ; ) {
    const rows = select.all({ ...filter, after: from, limit: limit + 1 });
    const events = rows.slice(0, limit).flatMap((row) => {
      const event = readEvent(row);
      if (event === null) db.warn(unreadable('events'));
      return event === null ? [] : [event];
    });
    const more = rows.length > limit;
    if (events.length > 0 || !more) return { events, more };
    from = Number(rows[limit - 1]?.seq);
  }
}

/** Null where it cannot be read. */
export function readEvent(row: Record<string, unknown>): RunEvent | null {
  const { seq, at_ms: atMs, exchange, kind } = row;
  try {
    const body: unknown = JSON.parse(String(row.body));
    if (typeof body !== 'object') return null;
    return runEventSchema.safeParse({ ...body, seq, atMs, exchange, kind }).data ?? null;
  } catch {
    return null;
  }
}
