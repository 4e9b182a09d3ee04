/** Computes Total, First output and Speed for all views. */
import { getTokenCounts } from './operations/response/usage.ts';
import type { RunSummary, Timings } from './run.ts';

export const timingTooltips = {
  total: 'Time from sending the request to the last byte of the response.',
  firstOutput: 'From sending the request to the first output.',
  speed: 'Output tokens ÷ time from first output to the end. Shown from 50 tokens and 200 ms.',
  measuredSpeed: 'Output tokens per second, as measured by the gateway.',
} as const;

/** With fewer tokens or less time, the speed is meaningless. */
const MIN_TOKENS = 50;
export const MIN_SPEED_MS = 200;

type TimedRun = Pick<RunSummary, 'createdAt' | 'startedAt' | 'finishedAt' | 'timings'>;

/** Returns milliseconds from the run's start to its first request; null if none was sent yet. */
function getSentAtMs({ createdAt, startedAt, timings }: TimedRun): number | null {
  if (startedAt === null) return null;
  const requestAtMs = startedAt - createdAt;
  // Timings cover only the last exchange, which may have started after the first request.
  return timings !== null && timings.startedAtMs <= requestAtMs ? timings.startedAtMs : requestAtMs;
}

/** Returns milliseconds; null while the run is active, or if no request or no end was recorded. */
export function getTotalMs(run: TimedRun): number | null {
  const start = getSentAtMs(run);
  if (start === null || run.finishedAt === null) return null;
  const end = run.timings?.endAtMs ?? run.finishedAt - run.createdAt;
  // A crash before any response leaves the request as the last that is known.
  if (run.timings === null && end <= start) return null;
  return Math.max(0, end - start);
}

export function getExchangeTotalMs(timings: Timings): number {
  return timings.endAtMs - timings.startedAtMs;
}

/**
 * Returns null if there is no output; while streaming, `seenAtMs` is the time since the run's
 * start.
 */
export function getFirstOutputMs(run: TimedRun, seenAtMs: number | null = null): number | null {
  const start = getSentAtMs(run);
  const at = run.timings?.firstDeltaAtMs ?? seenAtMs;
  return start === null || at === null ? null : Math.max(0, at - start);
}

/** Prefers the gateway's own measurement; null if the speed is unknown. */
export function getSpeed({ figures, timings }: Pick<RunSummary, 'figures' | 'timings'>) {
  if (figures?.tokensPerSecond !== undefined) {
    return { tokensPerSecond: figures.tokensPerSecond, help: timingTooltips.measuredSpeed };
  }
  const measured = computeTokensPerSecond(getTokenCounts(figures?.usage ?? null).output, timings);
  return measured === null ? null : { tokensPerSecond: measured, help: timingTooltips.speed };
}

/** Returns null if the speed is unknown or meaningless. */
export function computeTokensPerSecond(
  completionTokens: number | null | undefined,
  timings: Timings | null,
): number | null {
  if (!completionTokens || !timings || timings.firstDeltaAtMs === null) return null;
  const streamedMs = timings.endAtMs - timings.firstDeltaAtMs;
  if (timings.deltaCount < 2) return null;
  if (completionTokens < MIN_TOKENS || streamedMs < MIN_SPEED_MS) return null;
  return completionTokens / (streamedMs / 1000);
}
