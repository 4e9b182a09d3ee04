/** What the desktop shows where no page can show it: why it cannot start, and a page that is of no use. */
import { app, type BrowserWindow, dialog } from 'electron';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import { CANNOT_START, statusLine } from '../launch/status-lines.ts';
import { formatStack } from '../uncaught-errors.ts';

export interface StartFailureOutput {
  /** Standard output, which the launcher reads. */
  print: (line: string) => void;
  /** Standard error. */
  log: (line: string) => void;
}

/** Printed first, since the dialog waits for its user; after it the application ends. */
export function showStartFailure(cause: unknown, { print, log }: StartFailureOutput): void {
  const error = cause instanceof UserFacingError ? cause.error : unexpected(cause);
  print(statusLine(CANNOT_START, `${error.message} ${error.nextStep}`));
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
    { detail: formatStack(cause) },
  );
}

/** `blank`: it is there, and has not connected. */
export type PageFailureKind = 'blank' | 'crashing';

const PAGE_TROUBLE: Record<PageFailureKind, string> = {
  blank: 'The Gatehouse window did not finish loading.',
  crashing: 'The Gatehouse window keeps crashing.',
};

export interface ReloadOffer {
  trouble: PageFailureKind;
  quit: () => void;
  showLog: () => void;
  /** Takes the question back. */
  signal: AbortSignal;
}

/** Whether the user wants the page again; not where the question was taken back. */
export async function offerReload(
  window: BrowserWindow,
  { trouble, quit, showLog, signal }: ReloadOffer,
): Promise<boolean> {
  for (;;) {
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message: PAGE_TROUBLE[trouble],
      detail:
        'Runs continue in the background. Reload the window, or quit; partial results are kept.',
      buttons: ['Reload', 'Show log file', 'Quit'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal,
    });
    if (signal.aborted) return false;
    if (response === 0) return true;
    if (response === 1) showLog();
    else {
      quit();
      return false;
    }
  }
}

/** A page that never came, where no launcher could open the browser host instead. */
export function windowFailedError(reason: string): UserFacingError {
  return new UserFacingError(
    appError(
      'unexpected',
      'The Gatehouse window could not be opened.',
      'Restart this computer. If it keeps failing, report it with the details below.',
      { detail: reason },
    ),
  );
}
