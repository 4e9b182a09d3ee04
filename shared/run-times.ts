/** Defines Total, First output and Speed for every place that shows them. */
import type { RunSummary, Timings } from './run.ts';

/** The definitions in words, for tooltips. */
export const timingTooltips = {
  total: 'Time from sending the request to the last byte of the response.',
  firstOutput: 'From sending the request to the first output.',
  speed: 'Output tokens ÷ time from first output to the end. Shown from 50 tokens and 200 ms.',
} as const;

/** A rate of fewer tokens or a shorter time says nothing. */
const MIN_TOKENS = 50;
const MIN_MS = 200;

type TimedRun = Pick<RunSummary, 'createdAt' | 'startedAt' | 'finishedAt' | 'timings'>;

/** When the first request was sent, in milliseconds since the run's start; null before that. */
function sentAtMs({ createdAt, startedAt, timings }: TimedRun): number | null {
  if (startedAt === null) return null;
  const requestAtMs = startedAt - createdAt;
  // Timings are those of the last exchange: they begin before its request is recorded, or it had others before it.
  return timings !== null && timings.startedAtMs <= requestAtMs ? timings.startedAtMs : requestAtMs;
}

/** Milliseconds; null if nothing was sent, and during the run. */
export function totalMs(run: TimedRun): number | null {
  const start = sentAtMs(run);
  if (start === null || run.finishedAt === null) return null;
  const end = run.timings?.endAtMs ?? run.finishedAt - run.createdAt;
  return Math.max(0, end - start);
}

/** The duration of one exchange, in milliseconds. */
export function exchangeTotalMs(timings: Timings): number {
  return timings.endAtMs - timings.startedAtMs;
}

/**
 * Milliseconds to the first output; null if there is none. `seenAtMs` says when it came, in milliseconds
 * since the run's start, while the run is still in progress.
 */
export function firstOutputMs(run: TimedRun, seenAtMs: number | null = null): number | null {
  const start = sentAtMs(run);
  const at = run.timings?.firstDeltaAtMs ?? seenAtMs;
  return start === null || at === null ? null : Math.max(0, at - start);
}

/** Output tokens per second; null if that cannot be said or says nothing. */
export function tokensPerSecond(
  completionTokens: number | null | undefined,
  timings: Timings | null,
): number | null {
  if (!completionTokens || !timings || timings.firstDeltaAtMs === null) return null;
  const streamedMs = timings.endAtMs - timings.firstDeltaAtMs;
  if (timings.deltaCount < 2) return null;
  if (completionTokens < MIN_TOKENS || streamedMs < MIN_MS) return null;
  return completionTokens / (streamedMs / 1000);
}
