import { describe, expect, it } from 'vitest';
import {
  computeTokensPerSecond,
  getExchangeTotalMs,
  getFirstOutputMs,
  getTotalMs,
} from '../../shared/run-times.ts';
import { makeTimings } from '../fixtures/timings.ts';

const timings = makeTimings({
  connectMs: 1,
  reusedSocket: false,
  sentAtMs: 2,
  headAtMs: 300,
  firstDeltaAtMs: 500,
  endAtMs: 4500,
  deltaCount: 100,
});

describe('tokensPerSecond', () => {
  it('divides completion tokens by the time from the first delta to the end', () => {
    expect(computeTokensPerSecond(200, timings)).toBe(50);
  });

  it.each([
    ['the gateway reported no usage', null, timings],
    ['nothing was measured', 200, null],
    ['nothing was generated', 200, { ...timings, firstDeltaAtMs: null }],
    ['the answer came in one piece', 200, { ...timings, deltaCount: 1 }],
    ['fewer than 50 tokens came', 49, timings],
    ['they came within 200 ms', 200, { ...timings, endAtMs: 699 }],
  ])('returns null if %s', (_reason, tokens, measured) => {
    expect(computeTokensPerSecond(tokens, measured)).toBeNull();
  });
});

const run = { createdAt: 10_000, startedAt: 10_003, finishedAt: 14_520, timings };

describe('totalMs', () => {
  it('returns the duration of a single exchange, without Gatehouse’s own work', () => {
    const late = { ...timings, startedAtMs: 2.5 };
    expect(getTotalMs({ ...run, timings: late })).toBe(getExchangeTotalMs(late));
  });

  it('spans from the first request to the end of the last exchange', () => {
    const last = { ...timings, startedAtMs: 60_000, endAtMs: 64_000 };
    expect(getTotalMs({ ...run, timings: last })).toBe(63_997);
  });

  it('falls back to the end of the run', () => {
    expect(getTotalMs({ ...run, timings: null })).toBe(4517);
  });

  it.each([
    ['nothing was sent', { ...run, startedAt: null }],
    ['the run goes on', { ...run, finishedAt: null, timings: null }],
    ['only the request is known', { ...run, finishedAt: run.startedAt, timings: null }],
  ])('returns null while %s', (_when, unfinished) => {
    expect(getTotalMs(unfinished)).toBeNull();
  });
});

describe('firstOutputMs', () => {
  it('measures from sending to the first output, as measured or observed', () => {
    expect(getFirstOutputMs(run)).toBe(500);
    expect(getFirstOutputMs({ ...run, finishedAt: null, timings: null }, 800)).toBe(797);
    expect(getFirstOutputMs({ ...run, timings: { ...timings, firstDeltaAtMs: null } })).toBeNull();
  });
});
