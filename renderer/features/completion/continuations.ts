import type { Cell, Comparison } from '../../../shared/comparison.ts';
import { getString, type JsonObject } from '../../../shared/json.ts';
import type { CompletionInput } from '../../../shared/operations/completion/request.ts';
import { isFinished, type RunInput } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { getCellTitle } from '../../run/compare/compare-columns.ts';
import type { CompareColumn } from '../../run/compare/compare-panel.ts';
import { type ComparedInput, createPromptField } from '../../run/compare/compared-input.ts';

export interface SentCompletion extends CompletionInput {
  /** True if the response starts by repeating the prompt. */
  echo: boolean;
}

/** Extra JSON overrides the form's fields. */
export function getSentCompletion({
  request,
  extraBody,
}: Pick<RunInput, 'request' | 'extraBody'>): SentCompletion {
  const { prompt, suffix, echo }: JsonObject = { ...request, ...extraBody };
  return { prompt: getString(prompt), suffix: getString(suffix), echo: echo === true };
}

export function toCompletionFields({ prompt, suffix }: CompletionInput): JsonObject {
  return { prompt, ...(suffix !== '' && { suffix }) };
}

export function toCompletionInput(request: JsonObject): CompletionInput {
  const { prompt, suffix } = getSentCompletion({ request, extraBody: {} });
  return { prompt, suffix };
}

export const comparedCompletion: ComparedInput = {
  promptField: createPromptField('prompt', 'Prompt', 'Prompts'),
  own: {
    write: (input) => ('suffix' in input ? toCompletionFields(input) : {}),
    read: toCompletionInput,
  },
};

/** Removes the prompt that the response repeats when `echo` is set. */
export function getContinuation(text: string, { prompt, echo }: SentCompletion): string {
  if (!echo) return text;
  if (text.startsWith(prompt)) return text.slice(prompt.length);
  return prompt.startsWith(text) ? '' : text;
}

interface Continuation {
  id: string;
  name: string;
  text: string;
}

export function getContinuationId(runId: string, choice: number): string {
  return `${runId} ${choice}`;
}

/** Returns the continuations from the row's finished runs, in column order. */
export function getContinuations(
  { repeats }: Pick<Comparison, 'repeats'>,
  row: Comparison['rows'][number],
  cells: readonly Cell[],
  columns: readonly CompareColumn[],
  views: readonly RunView<'completion'>[],
): Continuation[] {
  return columns.flatMap((column) => {
    const { request, extraBody } = column.variant;
    const sent = getSentCompletion({ request: { ...row.request, ...request }, extraBody });
    return cells
      .filter(({ rowId, variantId }) => rowId === row.id && variantId === column.variant.id)
      .flatMap(({ run, repeat }): Continuation[] => {
        const view = views.find(({ id }) => id === run?.id);
        if (view === undefined || !isFinished(view.status)) return [];
        const { choices } = view.state;
        const label = repeats > 1 ? `Repeat ${repeat + 1}` : '';
        return choices.map(({ text }, choice) => ({
          id: getContinuationId(view.id, choice),
          name: `${getCellTitle({ label }, column)}${choices.length > 1 ? `, choice ${choice + 1}` : ''}`,
          text: getContinuation(text, sent),
        }));
      })
      .filter(({ text }) => text !== '');
  });
}
