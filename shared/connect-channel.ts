/**
 * Names the channel that passes a message port between the page, the preload script and main
 * process.
 */
export const CONNECT_CHANNEL = 'gatehouse:connect';
