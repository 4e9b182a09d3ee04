/**
 * Returns the login URL from pasted terminal output; null if the URL has no token or another host.
 */
export function parseLoginUrl(pasted: string, hostname: string): string | null {
  const found = /http:\/\/\S+/.exec(pasted)?.[0];
  if (found === undefined || !URL.canParse(found)) return null;
  const url = new URL(found);
  const isHere = ['127.0.0.1', 'localhost', hostname].includes(url.hostname);
  return isHere && url.searchParams.get('token') ? url.href : null;
}
