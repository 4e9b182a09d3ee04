/** What the desktop's main process prints on standard output for the launcher that started it. */

/** The window is there and the services run. */
export const READY_LINE = 'gatehouse: ready';
/** Another Gatehouse has the data folder; its window was brought to the front instead. */
export const ALREADY_OPEN_LINE = 'gatehouse: already open';
