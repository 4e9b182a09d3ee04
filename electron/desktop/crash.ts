/** What to do with a page that keeps ending: nobody must be left with a window that stays empty. */
import { type BrowserWindow, dialog } from 'electron';
import { AppFailure, appError } from '../../shared/errors.ts';

/** A page that was there before: the user decides. */
export async function offerReload(window: BrowserWindow, quit: () => void): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The page of Gatehouse keeps ending.',
    detail: 'Runs go on meanwhile. Load it again, or quit; what has arrived is kept.',
    buttons: ['Load again', 'Quit'],
    defaultId: 0,
    noLink: true,
  });
  if (response === 1) quit();
  else if (!window.isDestroyed()) window.webContents.reload();
}

/** A page that never came: Gatehouse has not started. */
export function pageNeverCame(reason: string): AppFailure {
  return new AppFailure(
    appError(
      'unexpected',
      'The page of Gatehouse ended each time it was started.',
      'Restart this computer, or use Gatehouse in a browser: npm start -- --browser.',
      { detail: reason },
    ),
  );
}
