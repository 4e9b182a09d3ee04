/** What the desktop's main process prints on standard output for the launcher that started it. */

/** The window is shown, its page has connected, and the services run. */
export const READY_LINE = 'gatehouse: ready';
/** Another Gatehouse has the data folder; its window was brought to the front instead. */
export const ALREADY_OPEN_LINE = 'gatehouse: already open';
/** Its user closed it before it was ready. */
export const CLOSED_LINE = 'gatehouse: closed';
/** Before a reason that holds for any host: the data folder is in use or damaged. */
export const CANNOT_START = 'gatehouse: cannot start: ';
/** Before a reason that holds for the desktop only; main ends by itself. */
export const NO_WINDOW_PREFIX = 'gatehouse: no window: ';

export function statusLine(
  start: typeof CANNOT_START | typeof NO_WINDOW_PREFIX,
  reason: string,
): string {
  return start + reason.replaceAll(/\s+/g, ' ');
}

/** Sent to main over Node's own channel, where a signal would not reach it (Windows). */
export const QUIT_MESSAGE = 'gatehouse: quit';
