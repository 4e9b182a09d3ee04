import type { AppError, FieldError } from '../../shared/errors.ts';

/** Returns the first error of the field at `path` or inside it, or null. */
export function fieldMessage(errors: readonly FieldError[], ...path: string[]): string | null {
  const isAbout = (error: FieldError) => path.every((name, index) => error.path[index] === name);
  return errors.find(isAbout)?.message ?? null;
}

const noFields: readonly FieldError[] = [];

/** Returns the field errors of an invalid request, else none. */
export function getFields(error: AppError | null): readonly FieldError[] {
  return error?.kind === 'invalid-request' ? error.fields : noFields;
}
