/** Defines what a connection adds to its requests, and how they reach its gateway. */
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type {
  ClientCertificate,
  ConnectionTimeouts,
  KeyHeader,
} from '../../shared/connection-options.ts';
import type { ProxyServer } from './proxy-route.ts';

export interface GatewayRoute {
  /** Null for a direct connection; `default` uses the environment or the system settings. */
  proxy: ProxyServer | 'default' | null;
  /** PEM certificates that are trusted in addition to the system's. */
  ca: string | null;
  clientCertificate: ClientCertificate | null;
  /** The SHA-256 fingerprint of the gateway's certificate, if the user accepts it untrusted. */
  acceptedFingerprint: string | null;
}

export const defaultRoute: GatewayRoute = {
  proxy: 'default',
  ca: null,
  clientCertificate: null,
  acceptedFingerprint: null,
};

/** A header or query parameter, with the value that is recorded and shown in its place. */
export interface AddedPair {
  name: string;
  value: string;
  shown: string;
}

export interface GatewayAccess {
  /** Named in errors about the key; null if the request carries no key of a saved connection. */
  connection: { id: string; name: string } | null;
  key: string | null;
  keyHeader: KeyHeader;
  headers: readonly AddedPair[];
  query: readonly AddedPair[];
  /** Removed from all text that is recorded, logged and shown. */
  secrets: readonly string[];
  timeouts: ConnectionTimeouts;
  route: GatewayRoute;
}

/** Each edit of a connection leaves unused contexts in the cache. */
const MAX_CONTEXTS = 50;

type Trust = Pick<GatewayRoute, 'ca' | 'clientCertificate'>;

/** Caches TLS contexts, because creating one parses all trusted certificates. */
export function createContextCache(readTrusted: () => string[] = readTrustedCertificates) {
  const contexts = new Map<string, SecureContext>();
  return function getContext({ ca, clientCertificate }: Trust): SecureContext {
    const place = JSON.stringify([ca, clientCertificate]);
    const known = contexts.get(place);
    if (known !== undefined) return known;
    if (contexts.size >= MAX_CONTEXTS) contexts.clear();
    const context = createSecureContext({
      ca: ca === null ? readTrusted() : [...readTrusted(), ca],
      ...(clientCertificate !== null && toTlsOptions(clientCertificate)),
    });
    contexts.set(place, context);
    return context;
  };
}

/** Throws an OpenSSL error if the certificate, its key and the passphrase don't match. */
export function toTlsOptions(certificate: ClientCertificate) {
  const { passphrase } = certificate;
  const secret = passphrase === null || passphrase === '' ? {} : { passphrase };
  return certificate.kind === 'pem'
    ? { cert: certificate.certificate, key: certificate.key, ...secret }
    : { pfx: Buffer.from(certificate.data, 'base64'), ...secret };
}

/** Defers reading the system certificate store, which is slow, until the first HTTPS request. */
function readTrustedCertificates(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}
