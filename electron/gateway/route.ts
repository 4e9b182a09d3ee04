/** Defines what a connection adds to its requests, and how they reach its gateway. */
import { once } from 'node:events';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Worker } from 'node:worker_threads';
import type {
  ClientCertificate,
  ConnectionTimeouts,
  KeyHeader,
} from '../../shared/connection-options.ts';
import { getWorkerUrl } from '../base/worker-url.ts';
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
export function createContextCache(readTrusted: () => Promise<string[]>) {
  const contexts = new Map<string, SecureContext>();
  return async function getContext({ ca, clientCertificate }: Trust): Promise<SecureContext> {
    const trusted = await readTrusted();
    const place = JSON.stringify([ca, clientCertificate]);
    const known = contexts.get(place);
    if (known !== undefined) return known;
    if (contexts.size >= MAX_CONTEXTS) contexts.clear();
    const context = createSecureContext({
      ca: ca === null ? trusted : [...trusted, ca],
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

/** Reads the certificates of Node and the system, which may take seconds, on a thread. */
export async function readTrustedCertificates(): Promise<string[]> {
  const worker = new Worker(getWorkerUrl('./certificates-worker.ts', import.meta.url));
  worker.unref();
  try {
    const ended = once(worker, 'exit').then(() => {
      throw new Error('The thread that reads certificates ended early.');
    });
    const [certificates] = await Promise.race([once(worker, 'message'), ended]);
    return certificates;
  } finally {
    void worker.terminate();
  }
}
