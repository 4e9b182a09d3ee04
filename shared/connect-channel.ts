/** The one word by which page, preload and main pass a message port on. */
export const CONNECT_CHANNEL = 'gatehouse:connect';
