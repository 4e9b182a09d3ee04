/** The daily caps that a comparison's requests may pass. */
import type { Comparison } from '../../shared/comparison.ts';
import type { StartInput } from '../../shared/contract/runs.ts';
import type { Change } from '../../shared/contract/system.ts';
import { type AppError, UserFacingError } from '../../shared/errors.ts';
import type { StoredCell } from '../storage/comparison-store.ts';
import { pausedCells } from './cell-state.ts';
import { getInput, plannedRequests } from './comparison-plan.ts';
import type { QueuedRequest } from './send-queue.ts';
import type { RequestPrice, Spending } from './spending.ts';

export interface CappedComparison {
  comparison: Comparison;
  cells: Map<number, StoredCell>;
  /** By place: what waits to be sent, or is about to be recorded. */
  queued: Map<number, QueuedRequest>;
  /** By `placeKey`; cleared where a price, or what is sent, may be another. */
  prices: Map<string, RequestPrice>;
}

export interface ComparisonCaps {
  /** Throws a `beyond-cap` failure where all of them may pass a daily cap, each sent `times` times. */
  check(live: CappedComparison, cells: readonly StoredCell[], times: number): void;
  /** What `check` says of all that is held, once a cap holds any of it; null if the user need only say so. */
  heldBy(live: CappedComparison): AppError | null;
}

/** Whether its cells may be expected to cost something else after the change. */
export function mayChangePrices({ comparison }: CappedComparison, { topic, id }: Change): boolean {
  if (topic === 'prices') return true;
  if (topic === 'conversations') return comparison.conversationId === id;
  // A recording costs by its length, which may be known only now.
  return topic === 'media' && comparison.operation === 'transcription';
}

/** `inputOfCell`: what the cell would send now. Throws a `UserFacingError` if it answers a message that is gone. */
export function createComparisonCaps(
  spending: Pick<Spending, 'check' | 'price'>,
  inputOfCell: (live: CappedComparison, cell: StoredCell) => StartInput,
): ComparisonCaps {
  function inputToPrice(live: CappedComparison, cell: StoredCell): StartInput {
    try {
      return inputOfCell(live, cell);
    } catch (cause) {
      // Its message is gone: it says so when it is sent.
      if (cause instanceof UserFacingError) return getInput(live.comparison, cell);
      throw cause;
    }
  }

  function getPrice(live: CappedComparison, cell: StoredCell, key: string): RequestPrice {
    const known = live.prices.get(key);
    if (known !== undefined) return known;
    const price = spending.price(inputToPrice(live, cell));
    live.prices.set(key, price);
    return price;
  }

  function check(live: CappedComparison, cells: readonly StoredCell[], times: number): void {
    spending.check(plannedRequests(cells, times, (cell, key) => getPrice(live, cell, key)));
  }

  return {
    check,

    heldBy(live) {
      const held = pausedCells(live.cells, live.queued);
      if (!held.some(({ problem }) => problem?.kind === 'beyond-cap')) return null;
      try {
        check(live, held, 1);
      } catch (cause) {
        if (cause instanceof UserFacingError) return cause.error;
        throw cause;
      }
      return null;
    },
  };
}
