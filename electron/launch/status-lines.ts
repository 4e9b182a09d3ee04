/** The lines that the desktop app prints for its launcher. */

/** The window is visible, its page has connected and the services run. */
export const READY_LINE = 'gatehouse: ready';
/** Another instance has the data folder and shows its window. */
export const ALREADY_OPEN_LINE = 'gatehouse: already open';
/** The user closed it before it was ready. */
export const CLOSED_LINE = 'gatehouse: closed';
/** Followed by a reason that applies to every host, such as a damaged data folder. */
export const CANNOT_START = 'gatehouse: can’t start: ';
/** Followed by a reason that applies only to the desktop. */
export const NO_WINDOW_PREFIX = 'gatehouse: no window: ';

export function statusLine(
  start: typeof CANNOT_START | typeof NO_WINDOW_PREFIX,
  reason: string,
): string {
  return start + reason.replaceAll(/\s+/g, ' ');
}

/** Sent over Node's channel on Windows, which has no signals. */
export const QUIT_MESSAGE = 'gatehouse: quit';
