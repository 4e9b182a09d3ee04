/** Decides which links lead out of Gatehouse, on both sides. */

/** Returns the normalized URL of an http(s) or mailto link, or null. */
export function sanitizeLink(href: string): string | null {
  const url = URL.parse(href);
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}
