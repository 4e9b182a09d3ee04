/** What a comparison's variants write after one prompt. Pure. */
import type { Cell, Comparison } from '../../../shared/comparison.ts';
import { isFinished } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import type { CompareColumn } from '../../run/compare/compare-panel.ts';
import { cellTitle } from '../../run/compare/grid-rows.ts';
import { requestedCompletion } from './requested-completion.ts';
import { getContinuation } from './result-text.tsx';

export interface Continuation {
  id: string;
  /** `demo-completion · temperature 0.2, Repeat 2, choice 1`. */
  name: string;
  text: string;
}

export function continuationId(runId: string, choice: number): string {
  return `${runId} ${choice}`;
}

/** Of the row's runs that are over, in the order of the columns. */
export function getContinuations(
  { repeats }: Pick<Comparison, 'repeats'>,
  row: Comparison['rows'][number],
  cells: readonly Cell[],
  columns: readonly CompareColumn[],
  views: readonly RunView<'completion'>[],
): Continuation[] {
  return columns.flatMap((column) => {
    const { request, extraBody } = column.variant;
    const sent = requestedCompletion({ request: { ...row.request, ...request }, extraBody });
    return cells
      .filter(({ rowId, variantId }) => rowId === row.id && variantId === column.variant.id)
      .flatMap(({ run, repeat }): Continuation[] => {
        const view = views.find(({ id }) => id === run?.id);
        if (view === undefined || !isFinished(view.status)) return [];
        const { choices } = view.state;
        const label = repeats > 1 ? `Repeat ${repeat + 1}` : '';
        return choices.map(({ text }, at) => ({
          id: continuationId(view.id, at),
          name: `${cellTitle({ label }, column)}${choices.length > 1 ? `, choice ${at + 1}` : ''}`,
          text: getContinuation(text, sent.prompt, sent.echo),
        }));
      })
      .filter(({ text }) => text !== '');
  });
}
