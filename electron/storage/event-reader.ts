/** The events and exchanges of a run: those that are written, and those that still wait to be. */
import { getNumber } from '../../shared/exact-number.ts';
import { type Exchange, getExchanges } from '../../shared/exchange.ts';
import type { RunEvent } from '../../shared/run.ts';
import type { Database } from './database-access.ts';
import { type EventQuery, readEventRows } from './event-rows.ts';
import {
  type ExchangeQuery,
  isAboutExchange,
  readExchangeBehind,
  readExchangeEvents,
  readLastExchange,
} from './exchange-rows.ts';
import { type FrameFile, readFrames } from './frames/frame-file.ts';

export interface EventReader {
  /** Oldest first, with those that still wait to be written. */
  events(runId: string, page: EventQuery): { events: RunEvent[]; more: boolean };
  /** In order, those recorded so far; `next` is the number after them, null if there is none yet. */
  exchanges(runId: string, page: ExchangeQuery): { exchanges: Exchange[]; next: number | null };
  /** The number of the newest; null before the first. */
  lastExchange(runId: string): number | null;
}

interface EventReaderOptions {
  db: Database;
  file: FrameFile;
  /** Of the run. */
  waiting: (runId: string) => readonly RunEvent[];
  onUnreadable: () => void;
}

export function createEventReader(options: EventReaderOptions): EventReader {
  const { db, file, waiting, onUnreadable } = options;
  const getShownRow = (runId: string) =>
    getNumber(db.sql('SELECT row FROM shown_runs WHERE id = ?').get(runId)?.row);

  /** Those that are written. */
  function* writtenEvents(row: number, query: EventQuery): Generator<RunEvent> {
    const rows = readEventRows(db, row, query, onUnreadable);
    const { kinds } = query;
    if (kinds !== null && !kinds.includes('chunk')) yield* rows;
    else yield* inOrder(rows, readFrames(file, row, query, onUnreadable));
  }

  return {
    events(runId, page) {
      const { limit, kinds, exchange = null } = page;
      const events: RunEvent[] = [];
      const row = getShownRow(runId);
      for (const event of row === null ? [] : writtenEvents(row, page)) {
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

    exchanges(runId, page) {
      const { from, limit } = page;
      const row = getShownRow(runId);
      const behind = row === null ? null : readExchangeBehind(db, row, page);
      // With the one behind them: the last exchange may still be open.
      const to = behind ?? Number.MAX_SAFE_INTEGER;
      const unwritten = waiting(runId).filter((event) => isAboutExchange(event, from));
      const written = row === null ? [] : readExchangeEvents(db, row, { from, to });
      const all = getExchanges([...written, ...unwritten]);
      const next = behind ?? all[limit]?.number ?? null;
      return { exchanges: all.filter(({ number }) => next === null || number < next), next };
    },

    lastExchange(runId) {
      const last = waiting(runId).findLast(({ kind }) => kind === 'request');
      const row = getShownRow(runId);
      return last?.exchange ?? (row === null ? null : readLastExchange(db, row));
    },
  };
}

/** Both, by their numbers. */
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
    // A statement that is not at its end holds on to what the file held then.
    one.return?.();
    other.return?.();
  }
}
