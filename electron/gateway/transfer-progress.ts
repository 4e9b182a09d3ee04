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

  function report(doneBytes: number): void {
    reportedBytes = doneBytes;
    observer.progress?.({ direction, doneBytes, totalBytes });
  }

  return {
    at(doneBytes) {
      const at = now();
      if (at - reportedAt < SPACING_MS) return;
      reportedAt = at;
      report(doneBytes);
    },
    end(doneBytes) {
      if (doneBytes !== reportedBytes) report(doneBytes);
    },
  };
}
