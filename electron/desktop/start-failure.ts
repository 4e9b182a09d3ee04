/** Says why Gatehouse cannot start, on the screen and on standard error, and ends it. */
import { app, dialog } from 'electron';
import type { AppError } from '../../shared/errors.ts';

export function showStartFailure(error: AppError, log: (line: string) => void): void {
  log(`${error.message} ${error.nextStep}`);
  dialog.showErrorBox('Gatehouse cannot start', `${error.message}\n\n${error.nextStep}`);
  app.exit(1);
}
