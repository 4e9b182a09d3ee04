import { use } from 'react';
import { useStore } from 'zustand';
import type { FormValues } from '../../../shared/form.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from './form.ts';

/** Re-renders only if the selected value changes. */
export function useForm<Name extends OperationName, Part>(
  form: Form<Name>,
  select: (values: FormValues<Name>) => Part,
): Part {
  return useStore(form.state, ({ values }) => select(values));
}

/** Fields must be read-only until the form loads. */
export function useIsLoaded(form: Form<OperationName>): boolean {
  return useStore(form.state, ({ loaded }) => loaded);
}

export function useLoaded(form: Form<OperationName>): void {
  use(form.load());
}
