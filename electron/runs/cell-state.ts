/** How far the request of a cell has come. */
import type { CellState } from '../../shared/comparison.ts';
import type { StoredCell } from '../storage/comparison-store.ts';

export function cellState(
  { wanted, sent }: Pick<StoredCell, 'wanted' | 'sent'>,
  isQueued: boolean,
): CellState {
  if (isQueued) return 'waiting';
  if (wanted > sent) return 'held';
  return sent > 0 ? 'sent' : 'dropped';
}

/** Of all of them, by place. */
export function pausedCells(
  cells: ReadonlyMap<number, StoredCell>,
  queued: ReadonlyMap<number, unknown>,
): StoredCell[] {
  return [...cells.values()].filter((cell) => cellState(cell, queued.has(cell.place)) === 'held');
}
