/** Adds a connection's key, headers, query and timeouts to a request. */
import {
  bearerHeader,
  type ConnectionTimeouts,
  defaultConnectionTimeouts,
  type KeyHeader,
} from '../../shared/connection-options.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Timeouts } from '../../shared/settings.ts';
import { REDACTED } from '../redaction/redactor.ts';
import { type AddedPair, defaultRoute, type GatewayAccess } from './route.ts';

/** Sends the key as a bearer token. */
export function createKeyAccess(
  key: string | null,
  connection: GatewayAccess['connection'] = null,
): GatewayAccess {
  return {
    connection,
    key,
    keyHeader: bearerHeader,
    headers: [],
    query: [],
    secrets: key === null ? [] : [key],
    timeouts: defaultConnectionTimeouts,
    route: defaultRoute,
  };
}

/** Returns access for another origin, without secrets or anything that identifies the user. */
export function withoutCredentials(access: GatewayAccess): GatewayAccess {
  const route = { ...access.route, clientCertificate: null, acceptedFingerprint: null };
  return { ...access, connection: null, key: null, headers: [], query: [], route };
}

/** Sends the key in another header; null keeps the connection's. */
export function withKeyHeader(access: GatewayAccess, keyHeader: KeyHeader | null): GatewayAccess {
  return keyHeader === null ? access : { ...access, keyHeader };
}

export function getKeyHeader({ key, keyHeader }: GatewayAccess): AddedPair | null {
  if (key === null) return null;
  const { name, scheme } = keyHeader;
  const secret = isBasic(keyHeader) ? Buffer.from(key, 'utf8').toString('base64') : key;
  const before = scheme === '' ? '' : `${scheme} `;
  return { name, value: `${before}${secret}`, shown: `${before}${REDACTED}` };
}

/** Basic authentication (RFC 7617) sends `user:password` in base64. */
export function isBasic({ scheme }: KeyHeader): boolean {
  return scheme.toLowerCase() === 'basic';
}

/**
 * Adds the connection's query parameters that the URL doesn't have, without changing its own,
 * which may be signed. `shown` has no secret value.
 */
export function addQuery(url: URL, query: readonly AddedPair[]): { sent: URL; shown: URL } {
  const added = query.filter(({ name }) => !url.searchParams.has(name));
  const append = (read: (pair: AddedPair) => string): URL => {
    const next = new URL(url);
    const pairs = added.map((pair) => `${encodeURIComponent(pair.name)}=${read(pair)}`);
    next.search = [next.search.slice(1), ...pairs].filter((part) => part !== '').join('&');
    return next;
  };
  if (added.length === 0) return { sent: url, shown: url };
  return {
    sent: append(({ value }) => encodeURIComponent(value)),
    shown: append(({ shown }) => (shown === REDACTED ? REDACTED : encodeURIComponent(shown))),
  };
}

export function applyTimeouts(timeouts: Timeouts, own: ConnectionTimeouts): Timeouts {
  return {
    connectSeconds: own.connectSeconds ?? timeouts.connectSeconds,
    firstByteSeconds: own.firstByteSeconds ?? timeouts.firstByteSeconds,
    stallSeconds: own.stallSeconds ?? timeouts.stallSeconds,
  };
}

const ABOUT_KEY =
  /api[ _-]?key|access[ _-]?key|token|credential|unauthori[sz]ed|authenticat|secret key|密钥|令牌/i;

/** Names the connection in an error about its key, so that the page can open its key field. */
export function nameConnection(error: AppError, { connection }: GatewayAccess): AppError {
  if (connection === null) return error;
  const isAboutKey =
    error.kind === 'unauthorized' ||
    (error.kind === 'forbidden' && ABOUT_KEY.test(error.gateway?.message ?? ''));
  if (!isAboutKey) return error;
  return { ...error, connection, nextStep: `Check the key of “${connection.name}”.` };
}
