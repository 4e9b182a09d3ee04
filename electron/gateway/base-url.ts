/** Where an endpoint stands under the base URL as the user wrote it. */

const VERSION_SUFFIX = /\/v1(?:beta)?$/;

/**
 * `baseUrl` may end in a slash, in `/v1` or in `/v1beta`; `path` brings its own version
 * (`/v1/chat/completions`), so that exactly one stands in the result. A path prefix is kept.
 */
export function endpointUrl(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl.trim());
  const prefix = url.pathname.replace(/\/+$/, '').replace(VERSION_SUFFIX, '').replace(/\/+$/, '');
  return new URL(`${url.origin}${prefix}${path}`);
}
