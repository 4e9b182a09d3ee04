import type { AppError, FieldError } from '../../shared/errors.ts';

/** What is wrong with the field at `path`; null if no error is about it or something inside it. */
export function fieldMessage(errors: readonly FieldError[], ...path: string[]): string | null {
  const isAbout = (error: FieldError) => path.every((name, index) => error.path[index] === name);
  return errors.find(isAbout)?.message ?? null;
}

const noFields: readonly FieldError[] = [];

/** The fields that an error is about; none if it is about something else. */
export function getFields(error: AppError | null): readonly FieldError[] {
  return error?.kind === 'invalid-request' ? error.fields : noFields;
}
