import type { AppError, FieldError } from '../../shared/errors.ts';

/** Returns the first error at `path` or below; null if there is none. */
export function findFieldMessage(errors: readonly FieldError[], ...path: string[]): string | null {
  const isAbout = (error: FieldError) => path.every((name, index) => error.path[index] === name);
  return errors.find(isAbout)?.message ?? null;
}

const noFields: readonly FieldError[] = [];

/** Returns the field errors of an invalid request, or an empty list for other errors. */
export function getFieldErrors(error: AppError | null): readonly FieldError[] {
  return error?.kind === 'invalid-request' ? error.fields : noFields;
}
