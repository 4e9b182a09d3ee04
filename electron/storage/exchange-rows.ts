/** Finds the exchanges of a run without reading its streams, headers or bodies. */
import type { RunEvent, RunEventKind } from '../../shared/run.ts';
import type { Database } from './database-access.ts';
import { indexedEvents, readEvent } from './event-rows.ts';
import { unreadable } from './rows.ts';

const OF_EXCHANGES = ['request', 'response', 'body', 'task', 'exchange-end'] as const;
const OF_RUNS = ['finish', 'error'] as const;

export interface ExchangeQuery {
  /** The first one's number. */
  from: number;
  limit: number;
}

/** Whether an event belongs to an exchange from number `from` on, or to how the run ended. */
export function isAboutExchange({ kind, exchange }: RunEvent, from: number): boolean {
  const ofExchange: readonly RunEventKind[] = OF_EXCHANGES;
  const ofRun: readonly RunEventKind[] = OF_RUNS;
  return ofRun.includes(kind) || (ofExchange.includes(kind) && exchange >= from);
}

/** The number of the exchange that comes `limit` exchanges behind number `from`; null if there are fewer. */
export function readExchangeBehind(
  db: Database,
  run: number,
  { from, limit }: ExchangeQuery,
): number | null {
  const row = db
    .sql(`${indexedEvents('exchange', "kind = 'request' AND exchange >= :from")}
      ORDER BY exchange LIMIT 1 OFFSET :limit`)
    .get({ run, from, limit });
  return typeof row?.exchange === 'number' ? row.exchange : null;
}

/** Those events in order, up to exchange `to`, with all that the list of exchanges does not show left empty. */
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
      if (event === null) db.warn(unreadable('events'));
      return event === null ? [] : [event];
    });
}

/** Null before the first request. */
export function readLastExchange(db: Database, run: number): number | null {
  const row = db
    .sql(`${indexedEvents('exchange', "kind = 'request'")} ORDER BY exchange DESC LIMIT 1`)
    .get({ run });
  return typeof row?.exchange === 'number' ? row.exchange : null;
}

/** A row whose body is not JSON stays unchanged, and its readers skip it. */
const withoutBody = `CASE
  WHEN kind = 'body' THEN '{"text":"","truncated":false}'
  WHEN kind = 'exchange-end' OR NOT json_valid(body) THEN body
  WHEN kind = 'request' THEN json_object(
    'method', body ->> 'method', 'url', body ->> 'url', 'headers', json('[]'), 'body', NULL)
  WHEN kind = 'response' THEN json_object('status', body ->> 'status', 'headers', json('[]'))
  ELSE json_object(
    'taskId', '', 'status', 'unknown', 'word', body ->> 'word', 'reply', NULL) END`;

const EXCHANGE_EVENTS = `
  ${indexedEvents(
    `seq, at_ms, exchange, kind, ${withoutBody} AS body`,
    `kind IN (${list(OF_EXCHANGES)}) AND exchange BETWEEN :from AND :to`,
  )}
  UNION ALL
  ${indexedEvents('seq, at_ms, exchange, kind, body', `kind IN (${list(OF_RUNS)})`)}
  ORDER BY seq`;

function list(kinds: readonly RunEventKind[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}
