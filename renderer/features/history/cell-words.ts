import { variantOfCell } from '../../../shared/comparison.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { ownName, variantNames } from '../../run/compare/compare-columns.ts';
import type { LiveComparison } from '../../run/compare/live-comparisons.ts';

interface CellLabel {
  /** What the variant is called; undefined if the model is its name. */
  heading: string | undefined;
  /** In which it differs from the others. */
  preview: string;
  detail: string;
}

/** What tells a run of a comparison from the others of it; of a blind one only its row and its repeat. */
export function describeCell(
  run: RunSummary,
  live: LiveComparison | null,
  isBlind: boolean,
): CellLabel {
  const cell = run.cell === null ? undefined : live?.cells[run.cell];
  const label = live?.comparison.rows.find(({ id }) => id === cell?.rowId)?.label;
  const repeat =
    live !== null && cell !== undefined && live.comparison.repeats > 1
      ? [`Repeat ${cell.repeat + 1}`]
      : [];
  if (isBlind) return { heading: undefined, preview: label || '–', detail: repeat.join() };
  const variant = live && cell && variantOfCell(live.comparison, cell);
  if (live === null || cell === undefined || !variant) {
    return { heading: undefined, preview: run.preview || '–', detail: run.connectionName };
  }
  const { variants, rows } = live.comparison;
  const isNewest = variants.includes(variant);
  const name = isNewest ? variantNames(variants).get(variant.id)?.name : ownName(variant);
  const row = rows.length > 1 && label !== undefined ? [label] : [];
  const words = [...row, ...variant.differences];
  return {
    heading: name === variant.request.model ? undefined : name,
    preview: words.join(' · ') || run.preview || '–',
    detail: [...repeat, run.connectionName].join(' · '),
  };
}
