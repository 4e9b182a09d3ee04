/** Who may use the page: a token that works once becomes a cookie, and other pages of the browser are refused. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Addresses printed and not used yet; the oldest is given up for a new one. */
const MAX_OPEN_TOKENS = 20;

export interface Session {
  createToken(): string;
  /** The `Set-Cookie` value for a token that was not used before, else null. */
  redeem(token: string): string | null;
  accepts(cookieHeader: string | undefined): boolean;
}

/** Cookies are shared between the ports of a host, so the name carries the port. */
export function createSession(port: number): Session {
  const name = `gatehouse-${port}`;
  const secret = randomBytes(32).toString('base64url');
  const openTokens = new Set<string>();

  return {
    createToken() {
      const token = randomBytes(32).toString('base64url');
      openTokens.add(token);
      const [oldest] = openTokens;
      if (openTokens.size > MAX_OPEN_TOKENS && oldest !== undefined) openTokens.delete(oldest);
      return token;
    },

    redeem(token) {
      if (!openTokens.delete(token)) return null;
      return `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    },

    accepts(cookieHeader = '') {
      return cookieHeader.split(';').some((pair) => {
        const [key, value = ''] = pair.trim().split('=', 2);
        return key === name && equal(value, secret);
      });
    },
  };
}

function equal(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** By name, against DNS rebinding; any port, for SSH tunnels. */
const OWN_HOST = /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/i;

/** `write`: a request that changes something. */
type Transport = 'http' | 'write' | 'socket';

/** Why a request is refused, in one sentence; null if it is allowed. */
export function rejectReason(headers: IncomingHttpHeaders, transport: Transport): string | null {
  const host = headers.host ?? '';
  if (!OWN_HOST.test(host)) return 'Open Gatehouse at 127.0.0.1 or localhost.';

  // Browsers leave Origin out of plain GETs, and always send it for a socket and for what writes.
  const { origin } = headers;
  if (origin === undefined) {
    if (transport === 'socket') return 'WebSocket requests need an Origin header.';
    if (transport === 'write') return 'Write requests need an Origin header.';
  } else if (origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return 'Requests from other origins are not allowed.';
  }

  // A page on another port of this host is "same-site" and would carry our cookie.
  const site = headers['sec-fetch-site'];
  const isForeign = site === 'cross-site' || site === 'same-site';
  if (isForeign && headers['sec-fetch-mode'] !== 'navigate') {
    return 'Requests from other origins are not allowed.';
  }
  return null;
}
