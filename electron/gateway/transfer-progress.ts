/** Reports the progress of a transfer in either direction, not more often than anybody can read it. */
import type { ExchangeObserver, TransferProgress } from './exchange-types.ts';

const SPACING_MS = 250;

export interface TransferReport {
  at(doneBytes: number): void;
  /** Reported in any case, unless it is what was reported last. */
  end(doneBytes: number): void;
}

/** `now` counts milliseconds from any fixed point. */
export function reportTransfer(
  observer: Pick<ExchangeObserver, 'progress'>,
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
    observer.progress?.({ direction, doneBytes: newestBytes, totalBytes });
  }

  return {
    at(doneBytes) {
      newestBytes = doneBytes;
      const waitMs = reportedAt + SPACING_MS - now();
      if (waitMs <= 0) report();
      // Nothing may follow for a while: a transfer that stalls shows all that came before.
      else timer ??= setTimeout(report, waitMs);
    },
    end(doneBytes) {
      clearTimeout(timer);
      newestBytes = doneBytes;
      if (doneBytes !== reportedBytes) report();
    },
  };
}
