/** Lines that the desktop app prints for its launcher. */

/** Printed when the window is visible, its page has connected and the services are running. */
export const READY_LINE = 'gatehouse: ready';
/** Printed when another instance has locked the data folder and shows its window. */
export const ALREADY_OPEN_LINE = 'gatehouse: already open';
/** Printed when the user closes the app before the window is ready. */
export const CLOSED_LINE = 'gatehouse: closed';
/** Followed by a reason that applies to every host, such as a damaged data folder. */
export const CANNOT_START = 'gatehouse: can’t start: ';
/** Followed by a reason that applies only to the desktop app. */
export const NO_WINDOW_PREFIX = 'gatehouse: no window: ';

export function formatStatusLine(
  start: typeof CANNOT_START | typeof NO_WINDOW_PREFIX,
  reason: string,
): string {
  return start + reason.replaceAll(/\s+/g, ' ');
}

/** The launcher sends this over Node's IPC channel, because Windows has no signals. */
export const QUIT_MESSAGE = 'gatehouse: quit';
