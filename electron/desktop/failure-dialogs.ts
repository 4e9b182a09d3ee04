/** What the desktop shows where no page can show it: why it cannot start, and a page that keeps crashing. */
import { app, type BrowserWindow, dialog } from 'electron';
import { type AppError, AppFailure, appError } from '../../shared/errors.ts';
import { stackOf } from '../defects.ts';

/** On the screen and on standard error; then the application ends. */
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
    'Gatehouse failed to start.',
    'Start it again. If it keeps failing, report it with the details below.',
    { detail: stackOf(cause) },
  );
}

/** A page that was there before: the user decides. */
export async function offerReload(window: BrowserWindow, quit: () => void): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The Gatehouse window keeps crashing.',
    detail:
      'Runs continue in the background. Reload the window, or quit; partial results are kept.',
    buttons: ['Reload', 'Quit'],
    defaultId: 0,
    noLink: true,
  });
  if (response === 1) quit();
  else if (!window.isDestroyed()) window.webContents.reload();
}

/** A page that never loaded: Gatehouse has not started. */
export function pageNeverCame(reason: string): AppFailure {
  return new AppFailure(
    appError(
      'unexpected',
      'The Gatehouse window crashed each time it was opened.',
      'Restart this computer, or use Gatehouse in a browser: npm start -- --browser.',
      { detail: reason },
    ),
  );
}
