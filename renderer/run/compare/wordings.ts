/** The texts that a comparison sends below the form's own. */
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from '../form/form.ts';
import { useForm } from '../form/use-form.ts';
import type { ComparedInput } from './compared-input.ts';

/** One per line; blank lines are none. */
export function wordingLines(wordings: string): string[] {
  return wordings
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** How many rows the form's comparison has for each repeat. */
export function useRowCount(form: Form<OperationName>, { word }: ComparedInput): number {
  const wordings = useForm(form, (values) => values.wordings);
  return word?.several === undefined ? 1 : 1 + wordingLines(wordings).length;
}
