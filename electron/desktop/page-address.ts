/** Where the page lives in the desktop window: one scheme and one origin for page and media. */

export const PAGE_SCHEME = 'app';
export const PAGE_HOST = 'gatehouse';
/** As frames report it. */
export const PAGE_ORIGIN = `${PAGE_SCHEME}://${PAGE_HOST}`;
export const PAGE_URL = `${PAGE_ORIGIN}/`;

/**
 * Whether an origin or URL is the page's own. Node gives `"null"` as the origin of a custom scheme,
 * and a prefix would also match `app://gatehouse.evil`: scheme and host are compared whole.
 */
export function isPageOrigin(text: string | undefined): boolean {
  if (text === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === `${PAGE_SCHEME}:` && url.host === PAGE_HOST;
}

/** Whether a URL is the page itself, at whatever place in it, and not a file beside it. */
export function isPage(url: string): boolean {
  return url.replace(/#.*$/s, '') === PAGE_URL;
}
