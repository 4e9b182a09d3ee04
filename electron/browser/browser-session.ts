/** Exchanges a single-use token for a cookie and rejects other origins. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Maximum number of unused sign-in URLs; a new one replaces the oldest. */
const MAX_OPEN_TOKENS = 20;

export interface Session {
  /** Returns a token for a sign-in URL. */
  createToken(): string;
  /** Returns the `Set-Cookie` header for the token, or null if it is unknown or was used. */
  redeem(token: string): string | null;
  /** Returns true if the `Cookie` header has this session's cookie. */
  accepts(cookieHeader?: string): boolean;
}

/** The cookie name contains the port, because browsers share cookies between ports. */
export function createBrowserSession(port: number): Session {
  const name = `gatehouse-${port}`;
  const secret = randomBytes(32).toString('base64url');
  const openTokens = new Set<string>();

  return {
    createToken(): string {
      const token = randomBytes(32).toString('base64url');
      openTokens.add(token);
      const [oldest] = openTokens;
      if (openTokens.size > MAX_OPEN_TOKENS && oldest !== undefined) openTokens.delete(oldest);
      return token;
    },

    redeem(token: string): string | null {
      if (!openTokens.delete(token)) return null;
      return `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    },

    accepts(cookieHeader: string | undefined = ''): boolean {
      return cookieHeader.split(';').some((pair) => {
        const [key, value = ''] = pair.trim().split('=', 2);
        return key === name && isEqual(value, secret);
      });
    },
  };
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Prevents DNS rebinding, but allows any port so that SSH tunnels work. */
const OWN_HOST = /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/i;

type Transport = 'http' | 'write' | 'socket';

export function rejectReason(headers: IncomingHttpHeaders, transport: Transport): string | null {
  const host = headers.host ?? '';
  if (!OWN_HOST.test(host)) return 'Open Gatehouse at 127.0.0.1 or localhost.';

  // Browsers omit Origin from plain GET requests, but always send it for sockets and writes.
  const { origin } = headers;
  if (origin === undefined) {
    if (transport === 'socket') return 'WebSocket requests need an Origin header.';
    if (transport === 'write') return 'Write requests need an Origin header.';
  } else if (origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return 'Requests from other origins aren’t allowed.';
  }

  // A page on another port counts as "same-site", so its requests include the cookie.
  const site = headers['sec-fetch-site'];
  const isForeign = site === 'cross-site' || site === 'same-site';
  if (isForeign && headers['sec-fetch-mode'] !== 'navigate') {
    return 'Requests from other origins aren’t allowed.';
  }
  return null;
}
