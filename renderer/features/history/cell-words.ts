import type { RunSummary } from '../../../shared/run.ts';
import { variantOfCell } from '../../../shared/variant-of-cell.ts';
import type { LiveComparison } from '../../run/compare/live-comparisons.ts';
import { ownName, variantNames } from '../../run/compare/variant-names.ts';

interface CellWords {
  /** What the variant is called; undefined where the model is its name. */
  heading: string | undefined;
  /** In which it differs from the others. */
  preview: string;
  detail: string;
}

/** What tells a run of a comparison from the others of it. */
export function cellWords(run: RunSummary, live: LiveComparison | null): CellWords {
  const cell = run.cell === null ? undefined : live?.cells[run.cell];
  const variant = live && cell && variantOfCell(live.comparison, cell);
  if (live === null || cell === undefined || !variant) {
    return { heading: undefined, preview: run.preview || '–', detail: run.connectionName };
  }
  const { variants, rows, repeats } = live.comparison;
  const isNewest = variants.includes(variant);
  const name = isNewest ? variantNames(variants).get(variant.id)?.name : ownName(variant);
  const row = rows.length > 1 ? rows.find(({ id }) => id === cell.rowId)?.label : undefined;
  const words = [...(row === undefined ? [] : [row]), ...variant.differences];
  const repeat = repeats > 1 ? [`Repeat ${cell.repeat + 1}`] : [];
  return {
    heading: name === variant.request.model ? undefined : name,
    preview: words.join(' · ') || run.preview || '–',
    detail: [...repeat, run.connectionName].join(' · '),
  };
}
