/** What the answers of a column say that were sent otherwise than the column is now: pure, over its branch. */
import {
  type Cell,
  type Comparison,
  isSameRequest,
  variantOfCell,
} from '../../../../shared/comparison.ts';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { previousSettings } from '../../../run/compare/compare-columns.ts';
import type { CompareColumn } from '../../../run/compare/compare-panel.ts';

/** `demo-chat · temperature 0.2`, by message; empty while names are hidden. */
export function columnNotes(
  comparison: Comparison,
  { variant, isHidden }: CompareColumn,
  cells: readonly Cell[],
  path: readonly TreeMessage[],
): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  if (isHidden) return notes;
  const byPlace = new Map(cells.map((cell) => [cell.place, cell]));
  for (const { id, run } of path) {
    if (run === null || run.cell === null || run.comparisonId !== comparison.id) continue;
    const cell = byPlace.get(run.cell);
    const sent = cell === undefined ? undefined : variantOfCell(comparison, cell);
    if (sent === undefined || isSameRequest(sent, variant)) continue;
    const differences = previousSettings(sent, variant, run.connectionName);
    notes.set(id, [run.model, ...differences].join(' · '));
  }
  return notes;
}
