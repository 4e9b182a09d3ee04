import type { AppError } from '../../shared/errors.ts';

/** An expected failure on the page's own side, carried through code that throws. */
export class PageError extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.name = 'PageFailure';
    this.error = error;
  }
}
