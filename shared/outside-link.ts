/** Decides which links lead out of Gatehouse, on both sides. */

/** Exists on both sides; this folder has the types of neither. */
declare const URL: { parse(href: string): { href: string; protocol: string } | null };

/** Returns the normalized URL of an http(s) or mailto link, or null. */
export function sanitizeLink(href: string): string | null {
  const url = URL.parse(href);
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}
