/** Says why Gatehouse cannot start, on the screen and on standard error, and ends it. */
import { app, dialog } from 'electron';
import { type AppError, AppFailure, appError } from '../../shared/errors.ts';
import { stackOf } from '../defects.ts';

export function showStartFailure(cause: unknown, log: (line: string) => void): void {
  const error = cause instanceof AppFailure ? cause.error : unexpected(cause);
  log(`${error.message} ${error.nextStep}`);
  if (error.detail !== null) log(error.detail);
  dialog.showErrorBox(
    'Gatehouse cannot start',
    [error.message, error.nextStep, error.detail].filter((text) => text !== null).join('\n\n'),
  );
  app.exit(1);
}

function unexpected(cause: unknown): AppError {
  return appError(
    'unexpected',
    'Something in Gatehouse failed while it was starting.',
    'Start it again; if it happens again, report it with the detail below.',
    { detail: stackOf(cause) },
  );
}
