/** The texts that a comparison sends below the form's own. */
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from '../form/form.ts';
import { useForm } from '../form/use-form.ts';
import type { ComparedInput } from './compared-input.ts';
import { rowInputs } from './compared-rows.ts';

/** How many rows the form's comparison has for each repeat. */
export function useRowCount(form: Form<OperationName>, input: ComparedInput): number {
  return useForm(form, ({ input: values, morePrompts }) =>
    input.promptField?.several === undefined
      ? 1
      : rowInputs(input.own?.sent(values) ?? {}, input, morePrompts).length,
  );
}
