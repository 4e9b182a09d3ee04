/** Describes why no response arrived. */
import { type AppError, appError } from '../../shared/errors.ts';
import { CERTIFICATE_CHANGED, ProxyError } from './connector.ts';
import { isLocalAddress } from './local-address.ts';

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
]);

/** Certificates for another name or time, which the user may accept. */
const INVALID = [
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  CERTIFICATE_CHANGED,
];

/** Returns true if only the gateway's certificate kept the request from being sent. */
export function isUntrusted({ kind, detail }: AppError): boolean {
  if (kind !== 'unreachable' || detail === null) return false;
  return [...UNTRUSTED, ...INVALID].some((code) => detail.includes(code));
}

/** Creates the error for a request that was not sent, and so can't be billed twice. */
export function createUnreachableError(
  url: URL,
  cause: Error,
  platform: NodeJS.Platform = process.platform,
): AppError {
  if (cause instanceof ProxyError) {
    return appError(
      'unreachable',
      `Proxy ${cause.proxy} failed: ${cause.reason}.`,
      'Check the connection’s proxy, or else your proxy settings (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY or the system proxy).',
      { detail: describeCause(cause) },
    );
  }
  const code = getCode(cause);
  if (platform === 'darwin' && mayLackPermission(url, cause, code)) {
    return appError('unreachable', `Can’t reach ${url.host}.`, ALLOW_LOCAL_NETWORK, {
      detail: describeCause(cause),
    });
  }
  const [message, nextStep] = describeCode(url, code);
  return appError('unreachable', message, nextStep, { detail: describeCause(cause) });
}

const ALLOW_LOCAL_NETWORK =
  'macOS may be blocking it. In System Settings > Privacy & Security > Local Network, allow Gatehouse or the terminal that started it, then retry.';

/** macOS 15 reports “no route” for apps without the local network permission. */
function mayLackPermission(url: URL, cause: Error, code: string): boolean {
  if (code !== 'EHOSTUNREACH' && code !== 'ENETUNREACH') return false;
  const { address = '' } = getFirstError(cause) as NodeJS.ErrnoException & { address?: string };
  if (isLocalAddress(url)) return true;
  const host = address.includes(':') ? `[${address}]` : address;
  return URL.canParse(`http://${host}/`) && isLocalAddress(new URL(`http://${host}/`));
}

function describeCode(url: URL, code: string): [message: string, nextStep: string] {
  const checkUrl = 'Check this connection’s base URL.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return [
      `Can’t find ${url.hostname}. DNS lookup failed.`,
      'Check the base URL and your network.',
    ];
  }
  if (code === 'ECONNREFUSED') {
    return [`${url.host} refused the connection.`, checkUrl];
  }
  if (UNTRUSTED.has(code)) {
    return [
      `Your computer doesn’t trust ${url.host}’s certificate.`,
      'If you run the gateway, add its CA certificate to the connection, or test the connection and accept the certificate.',
    ];
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return [
      `${url.host}’s certificate has expired or isn’t valid yet.`,
      'Check your computer’s clock. If it’s correct, the gateway needs a new certificate.',
    ];
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return [`${url.host}’s certificate is for a different host name.`, checkUrl];
  }
  if (code === CERTIFICATE_CHANGED) {
    return [
      `${url.host}’s certificate isn’t the one you accepted.`,
      'Test the connection to see the new one. Accept it only if you know why it changed.',
    ];
  }
  if (isClientCertificateError(code)) {
    return [
      `${url.host} requires a client certificate, or rejected the one this connection sent.`,
      'Add or check the client certificate in the connection’s settings.',
    ];
  }
  if (/^ERR_SSL_(?:.*ALERT|UNSUPPORTED_PROTOCOL)/.test(code)) {
    return [
      `${url.host} refused the TLS connection. It may require another TLS version, cipher or client certificate.`,
      'Ask the gateway’s operator which TLS settings it requires.',
    ];
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return [`${url.host} doesn’t support TLS.`, 'Try a base URL that starts with http://.'];
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return [`${url.host} closed the connection before the request was sent.`, 'Retry.'];
  }
  return [`Can’t reach ${url.host}.`, 'Check the base URL and your network.'];
}

/** TLS 1.3 reports these after the handshake, when the request may be written but not yet read. */
export function isClientCertificateError(code: string): boolean {
  return /^ERR_SSL_.*ALERT_(?:.*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code);
}

/** Returns a description such as `ECONNREFUSED 127.0.0.1:9`. */
export function describeCause(cause: Error): string {
  const first = getFirstError(cause);
  const { code } = first as NodeJS.ErrnoException;
  const text = first.message.trim();
  return code && !text.includes(code) ? `${code}: ${text}` : text || String(code);
}

export function getCode(cause: Error): string {
  return String((getFirstError(cause) as NodeJS.ErrnoException).code ?? '');
}

/** A host name with several addresses fails with one AggregateError. */
function getFirstError(cause: Error): Error {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : null;
  return first instanceof Error ? first : cause;
}
