/** Which addresses in a model's answer may be opened or loaded; everything else is dead text. */

/** The address of an http(s) or mailto link, normalized; null for any other. */
export function safeLink(href: string): string | null {
  const url = parseUrl(href);
  if (url === null) return null;
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

export type ImageSource =
  /** Pixels inside the text itself: nothing is fetched. */
  | { kind: 'inline'; url: string }
  /** Fetching it reveals to its host that the answer was read, and whatever the URL contains. */
  | { kind: 'remote'; url: string; host: string }
  | { kind: 'dead' };

export function imageSource(href: string): ImageSource {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=]+$/.test(href)) {
    return { kind: 'inline', url: href };
  }
  const url = parseUrl(href);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return { kind: 'dead' };
  return { kind: 'remote', url: url.href, host: url.host };
}

/** Only absolute addresses: a relative one would point into Gatehouse itself. */
function parseUrl(href: string): URL | null {
  return URL.parse(href);
}
