/** Defines the lines that the desktop app prints for its launcher. */

/** The window is visible, its page has connected and the services run. */
export const READY_LINE = 'gatehouse: ready';
/** Another instance has locked the data folder and shows its window. */
export const ALREADY_OPEN_LINE = 'gatehouse: already open';
/** The user closed the app before the window was ready. */
export const CLOSED_LINE = 'gatehouse: closed';
/** A reason that applies to every host follows, such as a damaged data folder. */
export const CANNOT_START = 'gatehouse: can’t start: ';
/** A reason that applies only to the desktop app follows. */
export const NO_WINDOW_PREFIX = 'gatehouse: no window: ';

export function statusLine(
  start: typeof CANNOT_START | typeof NO_WINDOW_PREFIX,
  reason: string,
): string {
  return start + reason.replaceAll(/\s+/g, ' ');
}

/** Windows has no signals, so the launcher sends this message over Node's channel. */
export const QUIT_MESSAGE = 'gatehouse: quit';
