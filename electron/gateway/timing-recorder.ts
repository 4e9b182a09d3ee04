/** Records the phase timings of one exchange and reports transfer progress. */
import { noTimings, type Timings } from '../../shared/run.ts';

/** Receives the duration of each connection phase. */
export interface ConnectProbe {
  connecting(): void;
  dns(durationMs: number): void;
  connect(durationMs: number): void;
  tls(durationMs: number): void;
}

/** Times are milliseconds since the run started. */
export interface TimingRecorder {
  now(): number;
  probe: ConnectProbe;
  /** Call once the request is written; unless `probe` was called, the socket was reused. */
  sent(bytes: number): void;
  /** Call when the response headers have arrived. */
  head(): void;
  received(bytes: number): void;
  /** Records `count` deltas that arrived together. */
  deltas(count: number): void;
  /** Returns the timings of the exchange, which ends now. */
  finish(): Timings;
}

export function recordTimings(now: () => number): TimingRecorder {
  const timings: Timings = { ...noTimings, startedAtMs: now() };
  const gaps: number[] = [];
  let connected = false;
  let lastDeltaAtMs = 0;

  return {
    now,
    probe: {
      connecting() {
        connected = true;
      },
      dns(durationMs) {
        timings.dnsMs = durationMs;
      },
      connect(durationMs) {
        timings.connectMs = durationMs;
      },
      tls(durationMs) {
        timings.tlsMs = durationMs;
      },
    },
    sent(bytes) {
      timings.sentAtMs = now();
      timings.sentBytes = bytes;
      timings.reusedSocket = !connected;
    },
    head() {
      timings.headAtMs = now();
    },
    received(bytes) {
      timings.receivedBytes += bytes;
    },
    deltas(count) {
      const atMs = now();
      for (let left = count; left > 0; left -= 1) {
        if (timings.deltaCount === 0) timings.firstDeltaAtMs = atMs;
        else gaps.push(atMs - lastDeltaAtMs);
        lastDeltaAtMs = atMs;
        timings.deltaCount += 1;
      }
    },
    finish: () => ({ ...timings, endAtMs: now(), gaps: summarize(gaps) }),
  };
}

/** Uses the nearest-rank percentile, so that every value is a gap that actually occurred. */
function summarize(gaps: number[]): Timings['gaps'] {
  if (gaps.length === 0) return null;
  const sorted = Float64Array.from(gaps).sort();
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { medianMs: rank(0.5), p95Ms: rank(0.95), maxMs: rank(1) };
}

const SPACING_MS = 250;

export interface TransferProgress {
  direction: 'upload' | 'download';
  doneBytes: number;
  totalBytes: number | null;
}

export interface TransferReport {
  at(doneBytes: number): void;
  end(doneBytes: number): void;
}

/** Reports at most every 250 ms, and always reports the end. */
export function reportTransfer(
  onProgress: ((progress: TransferProgress) => void) | undefined,
  direction: TransferProgress['direction'],
  totalBytes: number | null,
  now: () => number,
): TransferReport {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let reportedBytes = -1;
  let newestBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    reportedAt = now();
    reportedBytes = newestBytes;
    onProgress?.({ direction, doneBytes: newestBytes, totalBytes });
  }

  return {
    at(doneBytes) {
      newestBytes = doneBytes;
      const waitMs = reportedAt + SPACING_MS - now();
      if (waitMs <= 0) report();
      // If the transfer stalls, this timer still reports the latest bytes.
      else timer ??= setTimeout(report, waitMs);
    },
    end(doneBytes) {
      clearTimeout(timer);
      newestBytes = doneBytes;
      if (doneBytes !== reportedBytes) report();
    },
  };
}
