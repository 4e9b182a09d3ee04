/** Refuses what other pages of the same browser could send to the loopback server. */
import type { IncomingHttpHeaders } from 'node:http';

/** By name, against DNS rebinding; any port, for SSH tunnels. */
const OWN_HOST = /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/i;

/** `write`: a request that changes something. */
export type Transport = 'http' | 'write' | 'socket';

/** Why a request is refused, in one sentence; null where it may go on. */
export function refusalOf(headers: IncomingHttpHeaders, transport: Transport): string | null {
  const host = headers.host ?? '';
  if (!OWN_HOST.test(host)) return 'Open Gatehouse as 127.0.0.1 or localhost.';

  // Browsers leave Origin out of plain GETs, and always send it for a socket and for what writes.
  const { origin } = headers;
  if (origin === undefined) {
    if (transport === 'socket') return 'A socket needs an Origin header.';
    if (transport === 'write') return 'A request that writes needs an Origin header.';
  } else if (origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return 'Another page may not use Gatehouse.';
  }

  // A page on another port of this host is "same-site" and would carry our cookie.
  const site = headers['sec-fetch-site'];
  const isForeign = site === 'cross-site' || site === 'same-site';
  if (isForeign && headers['sec-fetch-mode'] !== 'navigate') {
    return 'Another page may not use Gatehouse.';
  }
  return null;
}
