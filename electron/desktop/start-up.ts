/** Tracks startup and reports why Gatehouse can't start. */
import { app, dialog } from 'electron';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { formatStack } from '../base/uncaught-errors.ts';
import { CANNOT_START, formatStatusLine } from '../launch/status-lines.ts';

export interface StartUpOptions {
  onReady: () => void;
  onFailure: (reason: string) => void;
  onClosed: () => void;
}

export function watchStartUp({ onReady, onFailure, onClosed }: StartUpOptions) {
  const awaited = new Set(['window', 'page']);
  let state: 'starting' | 'ready' | 'failed' | 'closed' = 'starting';

  function markLoaded(part: string): void {
    awaited.delete(part);
    if (state !== 'starting' || awaited.size > 0) return;
    state = 'ready';
    onReady();
  }

  return {
    windowShown: () => markLoaded('window'),
    pageConnected: () => markLoaded('page'),
    isReady: () => state === 'ready',
    failed(reason: string): boolean {
      if (state === 'ready') return false;
      if (state === 'starting') {
        state = 'failed';
        onFailure(reason);
      }
      return true;
    },
    quitting(): void {
      if (state !== 'starting') return;
      state = 'closed';
      onClosed();
    },
  };
}

export interface StartFailureOutput {
  print: (line: string) => void;
  log: (line: string) => void;
}

/** Prints the reason first, because the dialog blocks until the user responds. */
export function showStartFailure(cause: unknown, { print, log }: StartFailureOutput): void {
  const error = cause instanceof UserFacingError ? cause.error : createUnexpectedError(cause);
  print(formatStatusLine(CANNOT_START, `${error.message} ${error.nextStep}`));
  if (error.detail !== null) log(error.detail);
  dialog.showErrorBox(
    'Gatehouse can’t start',
    [error.message, error.nextStep, error.detail].filter((text) => text !== null).join('\n\n'),
  );
  app.exit(1);
}

function createUnexpectedError(cause: unknown): AppError {
  return appError(
    'unexpected',
    'Gatehouse failed to start.',
    'Try again. If it keeps failing, report it with the details below.',
    { detail: formatStack(cause) },
  );
}

export function createWindowError(reason: string): UserFacingError {
  return new UserFacingError(
    appError(
      'unexpected',
      'The Gatehouse window couldn’t be opened.',
      'Restart your computer. If it keeps failing, report it with the details below.',
      { detail: reason },
    ),
  );
}
