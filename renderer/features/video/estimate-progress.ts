/** Estimates how far a task is, from its own report and from how long earlier tasks took. */

export interface Estimate {
  /** From 0 to 1. */
  done: number;
  /** Null if no earlier task is known, or if this one takes longer. */
  leftMs: number | null;
  /** The number of earlier tasks behind `leftMs`. */
  basis: number;
}

/** An estimate never claims that the task is complete. */
const MAX_ESTIMATED = 0.95;

/**
 * `reported` is the gateway's progress, such as `42%`; `earlierMs` are total times of earlier tasks
 * of the same model. Returns null if neither helps.
 */
export function estimateProgress(
  elapsedMs: number,
  reported: string | null,
  earlierMs: readonly number[],
): Estimate | null {
  const percent = /^(\d+(?:\.\d+)?)\s*%$/.exec(reported?.trim() ?? '')?.[1];
  const sorted = earlierMs.toSorted((a, b) => a - b);
  const usualMs = sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
  if (percent === undefined && usualMs === null) return null;
  const isLonger = usualMs !== null && elapsedMs >= usualMs;
  const leftMs = usualMs === null || isLonger ? null : usualMs - elapsedMs;
  const done =
    percent === undefined
      ? Math.min(MAX_ESTIMATED, elapsedMs / Math.max(1, usualMs ?? 1))
      : Math.min(1, Number(percent) / 100);
  return { done, leftMs, basis: sorted.length };
}
