import type { AppError } from '../../shared/errors.ts';

/** An expected failure in the page, thrown as an exception. */
export class PageError extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.name = 'PageError';
    this.error = error;
  }
}
