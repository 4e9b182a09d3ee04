import { use } from 'react';
import { useStore } from 'zustand';
import type { FormValues } from '../../../shared/form.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from './form.ts';

/** A part of the form; renders again only when that part is another. */
export function useForm<Name extends OperationName, Part>(
  form: Form<Name>,
  select: (values: FormValues<Name>) => Part,
): Part {
  return useStore(form.state, ({ values }) => select(values));
}

/** False until main's fields are loaded: typing into a field before that would replace what it holds. */
export function useIsLoaded(form: Form<OperationName>): boolean {
  return useStore(form.state, ({ loaded }) => loaded);
}

/** Suspends until main's fields are loaded. */
export function useLoaded(form: Form<OperationName>): void {
  use(form.load());
}
