/** Checks the figures of a stage against closed loops whose result follows from arithmetic. */
import { describe, expect, it } from 'vitest';
import type { LoadTarget, StageFigures } from '../../shared/checks/check.ts';
import {
  findLargestAtOnce,
  type LoadSample,
  measureStage,
  toLoadSample,
} from '../../shared/checks/load/measure-stage.ts';
import { appError } from '../../shared/errors.ts';
import { runSummary } from '../fixtures/run-view.ts';
import { makeTimings } from '../fixtures/timings.ts';

const NOON = 1_800_000_000_000;

function sample(place: number, more: Partial<LoadSample> = {}): LoadSample {
  const startAt = more.startAt ?? NOON;
  const endAt = more.endAt ?? startAt + 100;
  return {
    place,
    startAt,
    endAt,
    error: null,
    firstTokenMs: null,
    betweenTokensMs: null,
    totalMs: endAt - startAt,
    tokensPerSecond: null,
    outputTokens: null,
    ...more,
  };
}

interface Loop {
  users: number;
  workers: number;
  serviceMs: number;
  requests: number;
  delayMs?: number;
}

/** Simulates users who each send again when answered, and workers that serve first come, first served. */
function simulate({ users, workers, serviceMs, requests, delayMs = 0 }: Loop): LoadSample[] {
  const ready = Array.from({ length: users }, () => NOON);
  const free = Array.from({ length: workers }, () => NOON);
  return Array.from({ length: requests }, (_, place) => {
    const startAt = Math.min(...ready);
    const worker = free.indexOf(Math.min(...free));
    const endAt = Math.max(startAt, free[worker] ?? 0) + serviceMs;
    free[worker] = endAt;
    ready[ready.indexOf(startAt)] = endAt + delayMs;
    return sample(place, { startAt, endAt, outputTokens: 10 });
  });
}

function measureLoop(loop: Loop): StageFigures {
  const { users: atOnce } = loop;
  return measureStage({ atOnce, warmupRequests: atOnce }, null, simulate(loop));
}

describe('measureStage', () => {
  it.each([
    [1, 1],
    [2, 4],
    [4, 4],
    [8, 4],
    [16, 4],
    [200, 7],
  ])('finds what queueing theory says of %i users and %i workers', (users, workers) => {
    const serviceMs = 50;
    const figures = measureLoop({ users, workers, serviceMs, requests: 40 * users });
    const perSecond = (Math.min(users, workers) / serviceMs) * 1000;
    const waited = serviceMs * Math.max(1, users / workers);
    // Within 5 percent.
    expect((figures.requestsPerSecond ?? 0) / perSecond).toBeCloseTo(1, 1);
    expect((figures.tokensPerSecond ?? 0) / perSecond).toBeCloseTo(10, 0);
    expect((figures.totalMs?.p50 ?? 0) / waited).toBeCloseTo(1, 1);
    expect(figures).toMatchObject({ warmupRequests: users, requests: 39 * users, failed: 0 });
  });

  it('measures from few requests, too', () => {
    const figures = measureLoop({ users: 8, workers: 8, serviceMs: 1000, requests: 16 });
    expect(figures).toMatchObject({ requests: 8, seconds: 1, requestsPerSecond: 8 });
  });

  it('reports what this computer adds between a response and the next request', () => {
    const figures = measureLoop({ users: 2, workers: 2, serviceMs: 10, requests: 60, delayMs: 3 });
    expect(figures.clientDelayMs).toMatchObject({ count: 58, p50: 3, p95: 3 });
  });

  it('counts errors by kind, and leaves them out of times and throughput', () => {
    const samples = simulate({ users: 1, workers: 1, serviceMs: 100, requests: 11 }).map((each) =>
      each.place % 2 === 0 ? each : { ...each, error: 'rate-limited', totalMs: null },
    );
    const figures = measureStage({ atOnce: 1, warmupRequests: 1 }, null, samples);
    expect(figures).toMatchObject({
      requests: 10,
      failed: 5,
      errorShare: 0.5,
      errors: { 'rate-limited': 5 },
      totalMs: { count: 5 },
    });
    expect(figures.requestsPerSecond).toBeCloseTo(4 / 0.9);
  });

  it('leaves out a pause, such as a restart', () => {
    const samples = simulate({ users: 1, workers: 1, serviceMs: 100, requests: 11 }).map((each) =>
      each.place < 6
        ? each
        : { ...each, startAt: each.startAt + 60_000, endAt: each.endAt + 60_000 },
    );
    const figures = measureStage({ atOnce: 1, warmupRequests: 1 }, null, samples);
    expect(figures.requestsPerSecond).toBeCloseTo(10);
    expect(figures.clientDelayMs?.max).toBe(0);
  });

  it('returns empty figures without samples', () => {
    expect(measureStage({ atOnce: 4, warmupRequests: 4 }, null, [])).toMatchObject({
      requests: 0,
      errorShare: 0,
      requestsPerSecond: null,
      totalMs: null,
      meetsTarget: null,
    });
  });

  it.each<[string, Partial<LoadTarget>, number, number, boolean | null]>([
    ['within', { percentile: 95, ms: 100 }, 20, 0, true],
    ['beyond', { percentile: 95, ms: 99 }, 20, 0, false],
    ['with too few requests', { percentile: 95, ms: 100 }, 19, 0, null],
    ['with few errors', { percentile: 95, ms: 100 }, 20, 1, true],
    ['with too many errors', { percentile: 95, ms: 100 }, 20, 2, false],
    ['without the figure', { figure: 'firstTokenMs', percentile: 50, ms: 100 }, 20, 0, null],
  ])('says whether the target is met: %s', (_, target, requests, failed, isMet) => {
    const samples = Array.from({ length: requests }, (_each, place) =>
      sample(place, place < failed ? { error: 'timeout', totalMs: null } : {}),
    );
    const asked: LoadTarget = { figure: 'totalMs', percentile: 95, ms: 100, ...target };
    const stage = { atOnce: 1, warmupRequests: 0 };
    expect(measureStage(stage, asked, samples).meetsTarget).toBe(isMet);
  });
});

describe('findLargestAtOnce', () => {
  const figures = (...met: [number, boolean | null][]) =>
    met.map(([atOnce, meetsTarget]) => ({
      ...measureStage({ atOnce, warmupRequests: 0 }, null, []),
      meetsTarget,
    }));

  it.each([
    [figures([1, true], [2, true], [4, false]), 2],
    [figures([4, false], [1, true], [2, true]), 2],
    [figures([1, true], [2, false], [4, true]), 1],
    [figures([1, true], [2, null], [4, true]), 1],
    [figures([1, false]), null],
    [[], null],
  ])('returns the last stage before one that misses (%#)', (stages, largest) => {
    expect(findLargestAtOnce(stages)).toBe(largest);
  });
});

describe('toLoadSample', () => {
  const timings = makeTimings({
    startedAtMs: 5,
    firstDeltaAtMs: 105,
    endAtMs: 1105,
    deltaCount: 30,
  });
  const usage = { prompt_tokens: 9, completion_tokens: 101, total_tokens: 110 };
  const figures = { model: null, usage, finishReasons: ['stop'], noResult: null };
  const run = runSummary({
    status: 'succeeded',
    createdAt: NOON,
    startedAt: NOON + 5,
    finishedAt: NOON + 1105,
    timings,
    figures,
  });

  it('reads the times of a streamed response', () => {
    expect(toLoadSample(run, 7)).toEqual({
      place: 7,
      startAt: NOON + 5,
      endAt: NOON + 1105,
      error: null,
      firstTokenMs: 100,
      betweenTokensMs: 10,
      totalMs: 1100,
      tokensPerSecond: 100,
      outputTokens: 101,
    });
  });

  it('counts no output tokens of embeddings', () => {
    const usage = { prompt_tokens: 4, completion_tokens: 0 };
    const sample = toLoadSample({ ...run, figures: { ...figures, usage } }, 7);
    expect(sample?.outputTokens).toBeNull();
  });

  it('has no speed if the tokens arrived within 200 ms', () => {
    const together = { ...timings, firstDeltaAtMs: 1000 };
    expect(toLoadSample({ ...run, timings: together }, 7)).toMatchObject({
      betweenTokensMs: 1.05,
      tokensPerSecond: null,
    });
  });

  it('keeps only the kind of an error', () => {
    const error = appError('timeout', 'Slow', 'Wait.');
    expect(toLoadSample({ ...run, status: 'failed', error }, 0)).toMatchObject({
      error: 'timeout',
      totalMs: null,
      outputTokens: null,
    });
    const empty = { ...figures, noResult: 'The answer is empty.' };
    expect(toLoadSample({ ...run, figures: empty }, 0)?.error).toBe('no-result');
  });

  it('leaves out requests that the user or a restart ended', () => {
    for (const status of ['running', 'cancelled'] as const) {
      expect(toLoadSample({ ...run, status }, 0)).toBeNull();
    }
    const error = appError('interrupted', 'Gatehouse closed.', 'Retry.');
    expect(toLoadSample({ ...run, status: 'unknown', error }, 0)).toBeNull();
  });
});
