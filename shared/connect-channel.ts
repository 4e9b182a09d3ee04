/** The IPC channel that passes a message port from the main process to the page. */
export const CONNECT_CHANNEL = 'gatehouse:connect';
