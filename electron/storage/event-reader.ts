/** Reads a run's events and exchanges, including those still in the buffer. */
import { getNumber } from '../../shared/exact-number.ts';
import { type Exchange, getExchanges } from '../../shared/exchange.ts';
import type { RunEvent } from '../../shared/run.ts';
import type { Database } from './database-access.ts';
import {
  type EventQuery,
  type ExchangeQuery,
  isAboutExchange,
  readEventRows,
  readExchangeAfter,
  readExchangeEvents,
  readLastExchange,
} from './event-rows.ts';
import { type FrameFile, readFrames } from './frames/frame-file.ts';

interface EventReaderOptions {
  db: Database;
  file: FrameFile;
  waiting: (runId: string) => readonly RunEvent[];
  onUnreadable: () => void;
}

export function createEventReader(options: EventReaderOptions) {
  const { db, file, waiting, onUnreadable } = options;
  const getShownRow = (runId: string) =>
    getNumber(db.sql('SELECT row FROM shown_runs WHERE id = ?').get(runId)?.row);

  function* readWrittenEvents(row: number, query: EventQuery): Generator<RunEvent> {
    const rows = readEventRows(db, row, query, onUnreadable);
    const { kinds } = query;
    if (kinds !== null && !kinds.includes('chunk')) yield* rows;
    else yield* inOrder(rows, readFrames(file, row, query, onUnreadable));
  }

  return {
    events(runId: string, page: EventQuery): { events: RunEvent[]; more: boolean } {
      const { limit, kinds, exchange = null } = page;
      const events: RunEvent[] = [];
      const row = getShownRow(runId);
      for (const event of row === null ? [] : readWrittenEvents(row, page)) {
        if (events.length === limit) return { events, more: true };
        events.push(event);
      }
      const written = new Set(events.map(({ seq }) => seq));
      const unwritten = waiting(runId).filter(
        (event) =>
          event.seq > page.after &&
          !written.has(event.seq) &&
          (kinds === null || kinds.includes(event.kind)) &&
          (exchange === null || event.exchange === exchange),
      );
      const all = [...events, ...unwritten].sort((a, b) => a.seq - b.seq);
      return { events: all.slice(0, limit), more: all.length > limit };
    },

    /**
     * Returns exchanges in order; `next` starts the next page, or is null if there are no more yet.
     */
    exchanges(runId: string, page: ExchangeQuery): { exchanges: Exchange[]; next: number | null } {
      const { from, limit } = page;
      const row = getShownRow(runId);
      const after = row === null ? null : readExchangeAfter(db, row, page);
      const to = after ?? Number.MAX_SAFE_INTEGER;
      const unwritten = waiting(runId).filter((event) => isAboutExchange(event, from));
      const written = row === null ? [] : readExchangeEvents(db, row, { from, to });
      const all = getExchanges([...written, ...unwritten]);
      const next = after ?? all[limit]?.number ?? null;
      return { exchanges: all.filter(({ number }) => next === null || number < next), next };
    },

    /** Returns the newest exchange's number, or null if there is none. */
    lastExchange(runId: string): number | null {
      const last = waiting(runId).findLast(({ kind }) => kind === 'request');
      const row = getShownRow(runId);
      return last?.exchange ?? (row === null ? null : readLastExchange(db, row));
    },
  };
}

function* inOrder(one: Iterator<RunEvent>, other: Iterator<RunEvent>): Generator<RunEvent> {
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
