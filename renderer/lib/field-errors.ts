import type { AppError, FieldError } from '../../shared/errors.ts';

/** Returns the first error of the field at `path` or below, or null if there is none. */
export function fieldMessage(errors: readonly FieldError[], ...path: string[]): string | null {
  const isAbout = (error: FieldError) => path.every((name, index) => error.path[index] === name);
  return errors.find(isAbout)?.message ?? null;
}

const noFields: readonly FieldError[] = [];

/** Returns the field errors of an invalid request; empty for any other error. */
export function getFields(error: AppError | null): readonly FieldError[] {
  return error?.kind === 'invalid-request' ? error.fields : noFields;
}
