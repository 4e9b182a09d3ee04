/** Decides which images of answers may be loaded. */

export type ImageSource =
  /** A data URL is safe to load because it makes no request. */
  | { kind: 'inline'; url: string }
  /** Loading an image tells its host that the answer was read and leaks any data in the URL. */
  | { kind: 'remote'; url: string; host: string }
  | { kind: 'dead' };

export function readImageSource(href: string): ImageSource {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=]+$/.test(href)) {
    return { kind: 'inline', url: href };
  }
  const url = URL.parse(href);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return { kind: 'dead' };
  return { kind: 'remote', url: url.href, host: url.host };
}
