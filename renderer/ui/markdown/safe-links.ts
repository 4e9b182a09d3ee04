/** Allows only safe, absolute URLs in answers; others render as plain text. */

/** Returns the normalized URL of an http(s) or mailto link, or null. */
export function sanitizeLink(href: string): string | null {
  const url = URL.parse(href);
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

export type ImageSource =
  /** A data URL is safe to load because it makes no request. */
  | { kind: 'inline'; url: string }
  /** Loading an image tells its host that the answer was read and leaks any data in the URL. */
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
