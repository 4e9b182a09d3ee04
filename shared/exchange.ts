/** An exchange as lists show it: one HTTP request of a run and its response. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { type RunEvent, type RunEventOf, timingsSchema } from './run.ts';

const exchangeEndingSchema = z.object({
  /** `interrupted`: the main process died before it was over. */
  status: z.enum(['succeeded', 'failed', 'cancelled', 'unknown', 'interrupted']),
  /** Null if it succeeded or no reason was recorded. */
  error: appErrorSchema.nullable(),
});
export type ExchangeEnding = z.infer<typeof exchangeEndingSchema>;

/** Times are milliseconds since the run's start. */
export const exchangeSchema = z.object({
  /** Counts within the run, from 0. */
  number: z.int().nonnegative(),
  method: z.string(),
  url: z.string(),
  /** The HTTP status; null before the head, or if none was received. */
  status: z.int().nullable(),
  /** The task's status as the response spelled it; null if it had none. */
  taskWord: z.string().nullable(),
  startedAtMs: z.number(),
  /** Null while it is open, and if the main process died before it ended. */
  endedAtMs: z.number().nullable(),
  /** Null while it is open, and if they weren't recorded. */
  timings: timingsSchema.nullable(),
  /** Null while it is open. */
  ending: exchangeEndingSchema.nullable(),
});
export type Exchange = z.infer<typeof exchangeSchema>;

type RunEnd = RunEventOf<'finish'> | RunEventOf<'error'>;

/** Returns the exchanges in recorded events, in order. Headers and bodies aren't needed. */
export function getExchanges(events: readonly RunEvent[]): Exchange[] {
  const exchanges = new Map<number, Exchange>();
  let runEnd: RunEnd | null = null;

  for (const event of events) {
    if (event.kind === 'finish' || event.kind === 'error') {
      runEnd = event;
      continue;
    }
    if (event.kind === 'request') {
      exchanges.set(event.exchange, begun(event));
      continue;
    }
    const exchange = exchanges.get(event.exchange);
    if (exchange === undefined) continue;
    if (event.kind === 'response') exchange.status = event.status;
    if (event.kind === 'task' && event.word !== '') exchange.taskWord = event.word;
    if (event.kind === 'exchange-end') {
      exchange.timings = event.timings;
      exchange.endedAtMs = event.timings?.endAtMs ?? null;
      exchange.ending = { status: event.status, error: event.error };
    }
  }

  return [...exchanges.values()].map((exchange, index, all) =>
    index === all.length - 1 ? endLast(exchange, runEnd) : endPassed(exchange),
  );
}

function begun({ exchange, method, url, atMs }: RunEventOf<'request'>): Exchange {
  return {
    number: exchange,
    method,
    url,
    status: null,
    taskWord: null,
    startedAtMs: atMs,
    endedAtMs: null,
    timings: null,
    ending: null,
  };
}

/** Ends the last exchange as the run ended, if the main process died before it did. */
function endLast(exchange: Exchange, runEnd: RunEnd | null): Exchange {
  if (runEnd === null) return exchange;
  const ending: ExchangeEnding =
    runEnd.kind === 'finish'
      ? { status: 'succeeded', error: null }
      : { status: runEnd.status, error: runEnd.error };
  // An exchange that Gatehouse stopped on its way out looks like one that the user stopped.
  if (exchange.ending?.status === 'cancelled') return { ...exchange, ending };
  return exchange.ending === null ? { ...exchange, endedAtMs: runEnd.atMs, ending } : exchange;
}

/** An exchange that others followed wasn't stopped by the user, which would have ended the run. */
function endPassed(exchange: Exchange): Exchange {
  const isOver = exchange.ending !== null && exchange.ending.status !== 'cancelled';
  return isOver ? exchange : { ...exchange, ending: { status: 'interrupted', error: null } };
}
