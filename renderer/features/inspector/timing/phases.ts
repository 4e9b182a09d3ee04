import type { Timings } from '../../../../shared/run.ts';

export interface TimingPhase {
  key: 'dns' | 'connect' | 'tls' | 'send' | 'head' | 'first' | 'stream';
  label: string;
  startMs: number;
  durationMs: number;
}

/** Skips phases that didn't occur and extends the last phase to the end. */
export function getPhases(timings: Timings): TimingPhase[] {
  const phases: TimingPhase[] = [];
  const end = timings.endAtMs;
  let at = timings.startedAtMs;

  function add(key: TimingPhase['key'], label: string, until: number): void {
    const stop = Math.min(Math.max(until, at), end);
    phases.push({ key, label, startMs: at, durationMs: stop - at });
    at = stop;
  }

  if (timings.dnsMs !== null) add('dns', 'DNS', at + timings.dnsMs);
  if (timings.connectMs !== null) add('connect', 'Connect', at + timings.connectMs);
  if (timings.tlsMs !== null) add('tls', 'TLS', at + timings.tlsMs);
  if (timings.sentAtMs === null) {
    add('send', 'Before sending', end);
    return phases.filter(({ durationMs }) => durationMs > 0);
  }
  add('send', 'Sending', timings.sentAtMs);
  add('head', 'Waiting for headers', timings.headAtMs ?? end);
  if (timings.headAtMs === null) return phases;
  if (timings.firstDeltaAtMs === null) {
    add('stream', 'Receiving', end);
    return phases;
  }
  add('first', 'Waiting for first output', timings.firstDeltaAtMs);
  add('stream', timings.deltaCount > 1 ? 'Streaming' : 'Receiving', end);
  return phases;
}
