/** Allows only safe, absolute URLs in answers to open or load; others render as plain text. */

/** Returns the normalized URL of an http(s) or mailto link, or null. */
export function safeLink(href: string): string | null {
  const url = URL.parse(href);
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

export type ImageSource =
  /** A data URL needs no request. */
  | { kind: 'inline'; url: string }
  /** A request tells the host that the answer was read, and leaks the data in the URL. */
  | { kind: 'remote'; url: string; host: string }
  | { kind: 'dead' };

export function imageSource(href: string): ImageSource {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=]+$/.test(href)) {
    return { kind: 'inline', url: href };
  }
  const url = URL.parse(href);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return { kind: 'dead' };
  return { kind: 'remote', url: url.href, host: url.host };
}
