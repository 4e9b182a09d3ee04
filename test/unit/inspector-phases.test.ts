import { describe, expect, it } from 'vitest';
import { getPhases } from '../../renderer/features/inspector/timing/phases.ts';
import type { Timings } from '../../shared/run.ts';
import { makeTimings } from '../fixtures/timings.ts';

const streamed: Timings = makeTimings({
  startedAtMs: 2,
  dnsMs: 5,
  connectMs: 10,
  tlsMs: 20,
  reusedSocket: false,
  sentAtMs: 40,
  headAtMs: 140,
  firstDeltaAtMs: 240,
  endAtMs: 1240,
  deltaCount: 50,
});

function short(timings: Timings): string[] {
  return getPhases(timings).map((phase) => `${phase.label} ${phase.startMs}+${phase.durationMs}`);
}

describe('getPhases', () => {
  it('returns contiguous phases of a stream', () => {
    expect(short(streamed)).toEqual([
      'DNS 2+5',
      'Connect 7+10',
      'TLS 17+20',
      'Sending 37+3',
      'Waiting for headers 40+100',
      'Waiting for first output 140+100',
      'Streaming 240+1000',
    ]);
  });

  it.each<[string, Partial<Timings>, string]>([
    [
      'waits for headers until the end if none arrived',
      { headAtMs: null, firstDeltaAtMs: null },
      'Waiting for headers 40+1200',
    ],
    ['receives if there was no output', { firstDeltaAtMs: null }, 'Receiving 140+1100'],
  ])('%s', (_name, fields, last) => {
    expect(short({ ...streamed, ...fields }).at(-1)).toBe(last);
  });

  it('skips connecting on a reused socket', () => {
    const reused = { ...streamed, dnsMs: null, connectMs: null, tlsMs: null, reusedSocket: true };
    expect(short(reused)[0]).toBe('Sending 2+38');
  });

  it('ends with connecting if the connection was refused', () => {
    const unsent = { sentAtMs: null, headAtMs: null, firstDeltaAtMs: null };
    const refused = { ...streamed, ...unsent, tlsMs: null, endAtMs: 17 };
    expect(short(refused)).toEqual(['DNS 2+5', 'Connect 7+10']);
  });

  it('returns no negative duration if measurements overlap', () => {
    const odd = { ...streamed, connectMs: 100, sentAtMs: 30 };
    for (const phase of getPhases(odd)) expect(phase.durationMs).toBeGreaterThanOrEqual(0);
    expect(getPhases(odd).reduce((sum, phase) => sum + phase.durationMs, 0)).toBe(1238);
  });
});
