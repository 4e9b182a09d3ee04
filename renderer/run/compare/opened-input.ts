/** The input of a comparison in its form. */
import { useMemo } from 'react';
import type { Comparison } from '../../../shared/comparison.ts';
import type { FormValues } from '../../../shared/form.ts';
import { isSameJson } from '../../../shared/json.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from '../form/form.ts';
import { useForm } from '../form/use-form.ts';
import type { ComparedInput } from './compared-input.ts';
import { differentInputs, readRows, rowInputs } from './compared-rows.ts';

type AnyForm = Form<OperationName>;
type Values = FormValues<OperationName>;

/** `same`: the form would send it. `other`: it would not, and can again. `foreign`: no form of the panel makes it. */
export type InputState = 'same' | 'other' | 'foreign';

export function useInputState(
  form: AnyForm,
  input: ComparedInput,
  { rows }: Pick<Comparison, 'rows'>,
): InputState {
  const select = useMemo(() => {
    // A form may hold thousands of documents, and changes with every key.
    let last: { values: Values; state: InputState } | null = null;
    return (values: Values): InputState => {
      const isKnown =
        last?.values.input === values.input && last.values.morePrompts === values.morePrompts;
      const state = isKnown && last !== null ? last.state : inputState(values, input, rows);
      last = { values, state };
      return state;
    };
  }, [input, rows]);
  return useForm(form, select);
}

export function inputState(
  values: Values,
  input: ComparedInput,
  rows: Comparison['rows'],
): InputState {
  if (input.own === undefined) return 'same';
  const now = rowInputs(input.own.sent(values.input), input, values.morePrompts);
  if (isSameJson(now, differentInputs(rows))) return 'same';
  return readRows(rows, input) === null ? 'foreign' : 'other';
}

/** The form's input becomes the comparison's, where it can. */
export function restoreInput(
  form: AnyForm,
  input: ComparedInput,
  { rows }: Pick<Comparison, 'rows'>,
): void {
  if (inputState(form.state.getState().values, input, rows) !== 'other') return;
  const sent = readRows(rows, input);
  if (sent === null || input.own === undefined) return;
  form.change({ input: input.own.read(sent.own), morePrompts: sent.morePrompts });
}
