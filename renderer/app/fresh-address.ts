/**
 * The address of a restarted Gatehouse in what was pasted, which may be a whole line of the terminal; null
 * where there is none with a token, or where it leads to another machine than `hostname`.
 */
export function parseLoginUrl(pasted: string, hostname: string): string | null {
  const found = /http:\/\/\S+/.exec(pasted)?.[0];
  if (found === undefined || !URL.canParse(found)) return null;
  const url = new URL(found);
  const isHere = ['127.0.0.1', 'localhost', hostname].includes(url.hostname);
  return isHere && url.searchParams.get('token') ? url.href : null;
}
