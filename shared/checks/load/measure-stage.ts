/**
 * Measures a stage of a load: a closed loop, in which each of N users sends again when answered. See
 * docs/check.md for what each figure means.
 */
import { getTokenCounts } from '../../operations/response/usage.ts';
import { hasResult, isFinished, type RunSummary } from '../../run.ts';
import { getFirstOutputMs, getTotalMs, MIN_SPEED_MS } from '../../run-times.ts';
import {
  countStageRequests,
  type LoadFigure,
  type LoadSettings,
  type LoadTarget,
  type StageFigures,
} from '../check.ts';
import { getPercentile, getPercentiles, MIN_SAMPLES } from './percentiles.ts';

/** A stage with its requests of each model, which are numbered in the order of sending. */
export interface LoadStage {
  atOnce: number;
  /** The number of requests at the start that aren't measured. */
  warmupRequests: number;
  /** The number of the first request. */
  first: number;
  /** The number after the last request. */
  end: number;
}

export function listStages({ stages, warmup }: Pick<LoadSettings, 'stages' | 'warmup'>) {
  let end = 0;
  return stages.map((stage): LoadStage => {
    const first = end;
    end += countStageRequests(stage, warmup);
    return { atOnce: stage.atOnce, warmupRequests: warmup * stage.atOnce, first, end };
  });
}

/** One finished request. */
export interface LoadSample {
  /** Its number in the stage, counted from 0 in the order of sending. */
  place: number;
  /** Unix milliseconds, with fractions. */
  startAt: number;
  endAt: number;
  /** The kind of error; null if it succeeded. */
  error: string | null;
  firstTokenMs: number | null;
  betweenTokensMs: number | null;
  totalMs: number | null;
  tokensPerSecond: number | null;
  outputTokens: number | null;
}

/** Returns null for a run that hasn't ended, or that the user or a restart ended. */
export function toLoadSample(run: RunSummary, place: number): LoadSample | null {
  const { status, createdAt, timings, figures, error } = run;
  if (!isFinished(status) || status === 'cancelled' || error?.kind === 'interrupted') return null;
  const isOk = hasResult(run);
  const { output } = getTokenCounts(figures?.usage ?? null);
  const firstAtMs = timings?.firstDeltaAtMs ?? null;
  const streamedMs = timings === null || firstAtMs === null ? 0 : timings.endAtMs - firstAtMs;
  const later = timings !== null && timings.deltaCount > 1 && output !== null ? output - 1 : 0;
  const hasPace = isOk && later > 0 && streamedMs > 0;
  return {
    place,
    startAt: timings === null ? (run.startedAt ?? createdAt) : createdAt + timings.startedAtMs,
    endAt: timings === null ? (run.finishedAt ?? createdAt) : createdAt + timings.endAtMs,
    error: isOk ? null : (error?.kind ?? 'no-result'),
    firstTokenMs: isOk ? getFirstOutputMs(run) : null,
    betweenTokensMs: hasPace ? streamedMs / later : null,
    totalMs: isOk ? getTotalMs(run) : null,
    // Tokens that arrive together say nothing about the speed.
    tokensPerSecond: hasPace && streamedMs >= MIN_SPEED_MS ? (later / streamedMs) * 1000 : null,
    // Embeddings have no output.
    outputTokens: isOk && output !== 0 ? output : null,
  };
}

type StageSettings = Pick<LoadStage, 'atOnce' | 'warmupRequests'>;

export function measureStage(
  stage: StageSettings,
  target: LoadTarget | null,
  samples: readonly LoadSample[],
): StageFigures {
  const { atOnce, warmupRequests } = stage;
  const measured = samples.filter(({ place }) => place >= warmupRequests);
  const failed = measured.filter(({ error }) => error !== null);
  const errors: Record<string, number> = {};
  for (const { error } of failed) if (error !== null) errors[error] = (errors[error] ?? 0) + 1;
  const list = (name: LoadFigure | 'tokensPerSecond') =>
    measured.flatMap((sample) => sample[name] ?? []);
  const [first, last] = findWindow(stage, samples);
  const pauses = findPauses(samples);
  const pausedMs = pauses
    .filter(({ from, to }) => from >= first && to <= last)
    .reduce((sum, { from, to }) => sum + to - from, 0);
  const seconds = (last - first - pausedMs) / 1000;
  const within = samples.filter(
    ({ error, endAt }) => error === null && endAt > first && endAt <= last,
  );
  const tokens = within.flatMap(({ outputTokens }) => outputTokens ?? []);
  return {
    atOnce,
    warmupRequests: samples.length - measured.length,
    requests: measured.length,
    failed: failed.length,
    errors,
    errorShare: measured.length === 0 ? 0 : failed.length / measured.length,
    seconds,
    requestsPerSecond: seconds === 0 ? null : within.length / seconds,
    tokensPerSecond:
      seconds === 0 || tokens.length === 0
        ? null
        : tokens.reduce((sum, count) => sum + count, 0) / seconds,
    firstTokenMs: getPercentiles(list('firstTokenMs')),
    betweenTokensMs: getPercentiles(list('betweenTokensMs')),
    totalMs: getPercentiles(list('totalMs')),
    requestTokensPerSecond: getPercentiles(list('tokensPerSecond')),
    meetsTarget: target === null ? null : meetsTarget(target, measured),
    clientDelayMs: getPercentiles(listClientDelays(atOnce, samples, pauses)),
  };
}

/** Returns null with too few requests, or if no response has the figure; a failed request misses. */
function meetsTarget({ figure, percentile, ms }: LoadTarget, measured: readonly LoadSample[]) {
  const values = measured.flatMap((sample) =>
    sample.error === null ? (sample[figure] ?? []) : Number.POSITIVE_INFINITY,
  );
  if (values.length < MIN_SAMPLES[percentile]) return null;
  const sorted = values.toSorted((one, other) => one - other);
  return (getPercentile(sorted, percentile) ?? Number.POSITIVE_INFINITY) <= ms;
}

/**
 * Returns the time over which throughput is measured: from the end of the warm-up to the last time
 * when every user was busy or, if too few requests ended until then, to the last end.
 */
function findWindow({ atOnce, warmupRequests }: StageSettings, samples: readonly LoadSample[]) {
  const ends = samples.map(({ endAt }) => endAt).sort((one, other) => one - other);
  const starts = samples.map(({ startAt }) => startAt).sort((one, other) => one - other);
  const first = (warmupRequests === 0 ? starts[0] : ends[warmupRequests - 1]) ?? 0;
  const lastStart = starts.at(-1) ?? 0;
  const count = ends.filter((end) => end > first && end <= lastStart).length;
  const last = count >= atOnce ? lastStart : (ends.at(-1) ?? 0);
  return [first, Math.max(first, last)] as const;
}

/** A longer time without any request is a pause, such as a restart, and isn't measured. */
const MAX_IDLE_MS = 1000;

interface Pause {
  from: number;
  to: number;
}

function findPauses(samples: readonly LoadSample[]): Pause[] {
  const pauses: Pause[] = [];
  let busyUntil = Number.POSITIVE_INFINITY;
  for (const { startAt, endAt } of samples.toSorted((one, other) => one.startAt - other.startAt)) {
    if (startAt - busyUntil > MAX_IDLE_MS) pauses.push({ from: busyUntil, to: startAt });
    busyUntil = busyUntil === Number.POSITIVE_INFINITY ? endAt : Math.max(busyUntil, endAt);
  }
  return pauses;
}

/** Pairs each request with the response that made its place free. */
function listClientDelays(
  atOnce: number,
  samples: readonly LoadSample[],
  pauses: readonly Pause[],
): number[] {
  const ends = samples.map(({ endAt }) => endAt).sort((one, other) => one - other);
  return samples
    .map(({ startAt }) => startAt)
    .sort((one, other) => one - other)
    .slice(atOnce)
    .flatMap((startAt, index) => {
      const freeAt = ends[index] ?? startAt;
      const isPaused = pauses.some(({ from, to }) => from >= freeAt && to <= startAt);
      return isPaused ? [] : Math.max(0, startAt - freeAt);
    });
}

/**
 * Returns the largest number at once up to which every stage meets the target. Returns null if the
 * first stage misses it or no target is set.
 */
export function findLargestAtOnce(stages: readonly StageFigures[]): number | null {
  let largest: number | null = null;
  for (const { atOnce, meetsTarget: isMet } of stages.toSorted((a, b) => a.atOnce - b.atOnce)) {
    if (isMet !== true) break;
    largest = atOnce;
  }
  return largest;
}
