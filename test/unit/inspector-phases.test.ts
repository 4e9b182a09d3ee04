import { describe, expect, it } from 'vitest';
import { getPhases } from '../../renderer/features/inspector/timing/phases.ts';
import type { Timings } from '../../shared/run.ts';

const streamed: Timings = {
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
  gaps: null,
  sentBytes: 10,
  receivedBytes: 20,
};

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

  it('skips connecting on a reused socket', () => {
    const reused = { ...streamed, dnsMs: null, connectMs: null, tlsMs: null, reusedSocket: true };
    expect(short(reused)[0]).toBe('Sending 2+38');
  });

  it('ends while connecting if rejected', () => {
    const refused = {
      ...streamed,
      tlsMs: null,
      sentAtMs: null,
      headAtMs: null,
      firstDeltaAtMs: null,
      endAtMs: 17,
    };
    expect(short(refused)).toEqual(['DNS 2+5', 'Connect 7+10']);
  });

  it('waits for headers until the end if none arrived', () => {
    const silent = { ...streamed, headAtMs: null, firstDeltaAtMs: null };
    expect(short(silent).at(-1)).toBe('Waiting for headers 40+1200');
  });

  it('receives if there was no output', () => {
    const error = { ...streamed, firstDeltaAtMs: null };
    expect(short(error).at(-1)).toBe('Receiving 140+1100');
  });

  it('never goes backwards if measurements overlap', () => {
    const odd = { ...streamed, connectMs: 100, sentAtMs: 30 };
    for (const phase of getPhases(odd)) expect(phase.durationMs).toBeGreaterThanOrEqual(0);
    expect(getPhases(odd).reduce((sum, phase) => sum + phase.durationMs, 0)).toBe(1238);
  });
});
