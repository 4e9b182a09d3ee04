/** Reads a run's events and exchanges, wherever they are: rows, journal or memory. */
import { getNumber } from '../../shared/exact-number.ts';
import { type Exchange, getExchanges } from '../../shared/exchange.ts';
import type { RunEvent, RunEventKind } from '../../shared/run.ts';
import type { Database } from './database-access.ts';
import {
  type EventQuery,
  type ExchangeQuery,
  isAboutExchange,
  readChunkRows,
  readEventRows,
  readExchangeAfter,
  readExchangeEvents,
  readLastExchange,
} from './event-rows.ts';
import type { Journal } from './journal.ts';

interface EventReaderOptions {
  db: Database;
  findJournal: (runId: string) => Journal | null;
  /** Writes the run's pending events, so that the page sees only what is on disk. */
  save: (runId: string) => void;
  /** Returns events that couldn't be written. */
  waiting: (runId: string) => readonly RunEvent[];
  onUnreadable: () => void;
}

export interface EventPage {
  after: number;
  limit: number;
  kinds: RunEventKind[] | null;
  exchange?: number | null;
}

export interface EventReader {
  /**
   * Yields a run's events in order: rows, then the journal, then events in memory. Yields nothing if
   * the run was deleted.
   */
  readEvents(runId: string, query: EventQuery): Generator<RunEvent>;
  /** Returns up to `limit` events after number `after`; `more` is true if others follow. */
  events(runId: string, page: EventPage): { events: RunEvent[]; more: boolean };
  /**
   * Returns exchanges in order; `next` starts the next page, or is null if there are no more yet.
   */
  exchanges(runId: string, page: ExchangeQuery): { exchanges: Exchange[]; next: number | null };
  /** Returns the newest exchange's number, or null if there is none. */
  lastExchange(runId: string): number | null;
}

export function createEventReader(options: EventReaderOptions): EventReader {
  const { db, findJournal, save, waiting, onUnreadable } = options;
  const getShownRow = (runId: string) =>
    getNumber(db.sql('SELECT row FROM shown_runs WHERE id = ?').get(runId)?.row);

  /** Returns the events that aren't rows yet, except chunks in the journal. */
  function listRecent(runId: string): RunEvent[] {
    save(runId);
    return [...(findJournal(runId)?.others() ?? []), ...waiting(runId)];
  }

  function* readEvents(runId: string, query: EventQuery): Generator<RunEvent> {
    const { after, kinds, exchange } = query;
    save(runId);
    const isWanted = (event: RunEvent) =>
      event.seq > after &&
      (kinds === null || kinds.includes(event.kind)) &&
      (exchange === null || event.exchange === exchange);
    const row = getShownRow(runId);
    if (row === null) return;
    const journal = findJournal(runId);
    const others = iterateAll([
      readEventRows(db, row, query, onUnreadable),
      (journal?.others() ?? []).filter(isWanted),
    ]);
    if (kinds !== null && !kinds.includes('chunk')) yield* others;
    else {
      const chunks = iterateAll([
        readChunkRows(db, row, query, onUnreadable),
        journal?.readChunks(query) ?? [],
      ]);
      yield* mergeInOrder(others, chunks);
    }
    yield* waiting(runId).filter(isWanted);
  }

  return {
    readEvents,

    events(runId, page) {
      const events: RunEvent[] = [];
      for (const event of readEvents(runId, { ...page, exchange: page.exchange ?? null })) {
        if (events.length === page.limit) return { events, more: true };
        events.push(event);
      }
      return { events, more: false };
    },

    exchanges(runId, page) {
      const { from, limit } = page;
      const recent = listRecent(runId).filter((event) => isAboutExchange(event, from));
      const row = getShownRow(runId);
      const after = row === null ? null : readExchangeAfter(db, row, page);
      const to = after ?? Number.MAX_SAFE_INTEGER;
      const written = row === null ? [] : readExchangeEvents(db, row, { from, to });
      const all = getExchanges([...written, ...recent]);
      const next = after ?? all[limit]?.number ?? null;
      return { exchanges: all.filter(({ number }) => next === null || number < next), next };
    },

    lastExchange(runId) {
      const last = listRecent(runId).findLast(({ kind }) => kind === 'request');
      const row = getShownRow(runId);
      return last?.exchange ?? (row === null ? null : readLastExchange(db, row));
    },
  };
}

function* iterateAll(sources: readonly Iterable<RunEvent>[]): Generator<RunEvent> {
  for (const source of sources) yield* source;
}

function* mergeInOrder(one: Iterator<RunEvent>, other: Iterator<RunEvent>): Generator<RunEvent> {
  try {
    let first = one.next();
    let second = other.next();
    while (!first.done || !second.done) {
      if (first.done || (!second.done && second.value.seq < first.value.seq)) {
        if (!second.done) yield second.value;
        second = other.next();
      } else {
        yield first.value;
        first = one.next();
      }
    }
  } finally {
    // An unfinished statement would keep an old snapshot of the file open.
    one.return?.();
    other.return?.();
  }
}
