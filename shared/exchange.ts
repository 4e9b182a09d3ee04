/** An exchange: one HTTP request of a run and its response, as lists show it. */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { type RunEvent, type RunEventOf, timingsSchema } from './run.ts';

const exchangeEndingSchema = z.object({
  /** `interrupted`: main died before it was over. */
  status: z.enum(['succeeded', 'failed', 'cancelled', 'unknown', 'interrupted']),
  /** Null if it succeeded, or where no reason was recorded. */
  error: appErrorSchema.nullable(),
});
export type ExchangeEnding = z.infer<typeof exchangeEndingSchema>;

/** Times are milliseconds since the run's start. */
export const exchangeSchema = z.object({
  /** Within the run, from 0. */
  number: z.int().nonnegative(),
  method: z.string(),
  url: z.string(),
  /** The HTTP status; null before the head, or if none was received. */
  status: z.int().nullable(),
  /** The status of a task as the reply spelled it; null if it named none. */
  taskWord: z.string().nullable(),
  startedAtMs: z.number(),
  /** Null while it is open, and if main died before it knew. */
  endedAtMs: z.number().nullable(),
  /** Null while it is open, and if they were not recorded. */
  timings: timingsSchema.nullable(),
  /** Null while it is open. */
  ending: exchangeEndingSchema.nullable(),
});
export type Exchange = z.infer<typeof exchangeSchema>;

type RunEnd = RunEventOf<'finish'> | RunEventOf<'error'>;

/**
 * The exchanges in recorded events, in order; headers and bodies are not looked at. Ledgers of
 * versions before `exchange-end` give what they have: the last exchange ends as the run did, an earlier
 * one as its status says.
 */
export function getExchanges(events: readonly RunEvent[]): Exchange[] {
  const exchanges = new Map<number, Exchange>();
  /** When a reply was there as a whole. */
  const repliedAtMs = new Map<number, number>();
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
    if (event.kind === 'body') repliedAtMs.set(event.exchange, event.atMs);
    if (event.kind === 'exchange-end') {
      exchange.timings = event.timings;
      exchange.endedAtMs = event.timings?.endAtMs ?? null;
      exchange.ending = { status: event.status, error: event.error };
    }
  }

  return [...exchanges.values()].map((exchange, index, all) =>
    index === all.length - 1
      ? last(exchange, runEnd)
      : passed(exchange, repliedAtMs.get(exchange.number) ?? null),
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

/** The exchange that no other followed. */
function last(exchange: Exchange, runEnd: RunEnd | null): Exchange {
  if (runEnd === null) return exchange;
  const ending: ExchangeEnding =
    runEnd.kind === 'finish'
      ? { status: 'succeeded', error: null }
      : { status: runEnd.status, error: runEnd.error };
  // What Gatehouse stopped on its way out looks like a stop of the user, but for the run's own end.
  if (exchange.ending?.status === 'cancelled') return { ...exchange, ending };
  if (exchange.ending !== null) return exchange;
  // A run that failed between two exchanges has timings of its own, which begin later.
  const isOwn = runEnd.timings !== null && runEnd.timings.startedAtMs <= exchange.startedAtMs;
  const timings = isOwn ? runEnd.timings : null;
  return { ...exchange, timings, endedAtMs: timings?.endAtMs ?? runEnd.atMs, ending };
}

const interrupted: ExchangeEnding = { status: 'interrupted', error: null };

/** An exchange that others followed: a user's stop would have been the last of the run. */
function passed(exchange: Exchange, repliedAtMs: number | null): Exchange {
  if (exchange.ending?.status === 'cancelled') return { ...exchange, ending: interrupted };
  if (exchange.ending !== null) return exchange;
  if (exchange.status === null || repliedAtMs === null) return { ...exchange, ending: interrupted };
  const status = exchange.status < 400 ? 'succeeded' : 'failed';
  return { ...exchange, endedAtMs: repliedAtMs, ending: { status, error: null } };
}
