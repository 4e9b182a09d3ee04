/** Tells how far a file has come in either direction, not more often than anybody can read it. */
import type { ExchangeObserver, TransferProgress } from './exchange-types.ts';

const SPACING_MS = 250;

export interface TransferReport {
  at(doneBytes: number): void;
  /** Told in any case, unless it is what was told last. */
  end(doneBytes: number): void;
}

/** `now` counts milliseconds from any fixed point. */
export function reportTransfer(
  observer: Pick<ExchangeObserver, 'progress'>,
  direction: TransferProgress['direction'],
  totalBytes: number | null,
  now: () => number,
): TransferReport {
  let toldAt = Number.NEGATIVE_INFINITY;
  let toldBytes = -1;

  function tell(doneBytes: number): void {
    toldBytes = doneBytes;
    observer.progress?.({ direction, doneBytes, totalBytes });
  }

  return {
    at(doneBytes) {
      const at = now();
      if (at - toldAt < SPACING_MS) return;
      toldAt = at;
      tell(doneBytes);
    },
    end(doneBytes) {
      if (doneBytes !== toldBytes) tell(doneBytes);
    },
  };
}
