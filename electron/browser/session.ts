/** Who may use the page: a token that works once becomes a cookie that only this server accepts. */
import { randomBytes, timingSafeEqual } from 'node:crypto';

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
