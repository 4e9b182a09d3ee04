/** Defines an exchange, which is one HTTP request of a run and its response. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { type RunEvent, type RunEventOf, timingsSchema } from './run.ts';

const exchangeEndingSchema = z.object({
  /** `interrupted`: the main process exited during the exchange. */
  status: z.enum(['succeeded', 'failed', 'cancelled', 'unknown', 'interrupted']),
  error: appErrorSchema.nullable(),
});
export type ExchangeEnding = z.infer<typeof exchangeEndingSchema>;

/** Times are milliseconds since the run started. */
export const exchangeSchema = z.object({
  number: z.int().nonnegative(),
  method: z.string(),
  url: z.string(),
  status: z.int().nullable(),
  taskWord: z.string().nullable(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  timings: timingsSchema.nullable(),
  ending: exchangeEndingSchema.nullable(),
});
export type Exchange = z.infer<typeof exchangeSchema>;

type RunEnd = RunEventOf<'finish'> | RunEventOf<'error'>;

/** Returns the exchanges in order; works without headers and bodies in the events. */
export function getExchanges(events: readonly RunEvent[]): Exchange[] {
  const exchanges = new Map<number, Exchange>();
  let runEnd: RunEnd | null = null;

  for (const event of events) {
    if (event.kind === 'finish' || event.kind === 'error') {
      runEnd = event;
      continue;
    }
    if (event.kind === 'request') {
      exchanges.set(event.exchange, beginExchange(event));
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

function beginExchange({ exchange, method, url, atMs }: RunEventOf<'request'>): Exchange {
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

/** Gives the last exchange the run's ending if it has none or was cancelled. */
function endLast(exchange: Exchange, runEnd: RunEnd | null): Exchange {
  if (runEnd === null) return exchange;
  const ending: ExchangeEnding =
    runEnd.kind === 'finish'
      ? { status: 'succeeded', error: null }
      : { status: runEnd.status, error: runEnd.error };
  // A shutdown stops an exchange with the same status as a user's cancel.
  if (exchange.ending?.status === 'cancelled') return { ...exchange, ending };
  return exchange.ending === null ? { ...exchange, endedAtMs: runEnd.atMs, ending } : exchange;
}

/**
 * Marks a cancelled exchange as interrupted if others followed, because a user's cancel ends the
 * run.
 */
function endPassed(exchange: Exchange): Exchange {
  const isOver = exchange.ending !== null && exchange.ending.status !== 'cancelled';
  return isOver ? exchange : { ...exchange, ending: { status: 'interrupted', error: null } };
}
