/** Why the network returned no reply, in words. */
import { type AppError, appError } from '../../shared/errors.ts';
import { isLocalAddress } from './local-address.ts';
import { ProxyError } from './proxy-tunnel.ts';

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
]);

/** The request was not written: it can be sent again without being billed twice. */
export function unreachable(
  url: URL,
  cause: Error,
  platform: NodeJS.Platform = process.platform,
): AppError {
  if (cause instanceof ProxyError) {
    return appError(
      'unreachable',
      `The proxy ${cause.proxy} cannot be used: ${cause.reason}.`,
      'Check the proxy in HTTPS_PROXY, HTTP_PROXY, ALL_PROXY or the system’s settings.',
      { detail: describeCause(cause) },
    );
  }
  const code = getCode(cause);
  if (platform === 'darwin' && mayBeWithheld(url, cause, code)) {
    return appError('unreachable', `${url.host} cannot be reached.`, ALLOW_LOCAL_NETWORK, {
      detail: describeCause(cause),
    });
  }
  const [message, nextStep] = words(url, code);
  return appError('unreachable', message, nextStep, { detail: describeCause(cause) });
}

const ALLOW_LOCAL_NETWORK =
  'macOS may be blocking it. In System Settings > Privacy & Security > Local Network, allow Gatehouse or the terminal that started it, then run it again.';

/** Since macOS 15 an application that may not use the local network finds “no route” to it, without a word. */
function mayBeWithheld(url: URL, cause: Error, code: string): boolean {
  if (code !== 'EHOSTUNREACH' && code !== 'ENETUNREACH') return false;
  const { address = '' } = getFirst(cause) as NodeJS.ErrnoException & { address?: string };
  if (isLocalAddress(url)) return true;
  const host = address.includes(':') ? `[${address}]` : address;
  return URL.canParse(`http://${host}/`) && isLocalAddress(new URL(`http://${host}/`));
}

function words(url: URL, code: string): [message: string, nextStep: string] {
  const address = 'Check the base URL of this connection.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return [
      `The address of ${url.hostname} was not found.`,
      'Check the base URL and your network.',
    ];
  }
  if (code === 'ECONNREFUSED') {
    return [`${url.host} refused the connection.`, address];
  }
  if (UNTRUSTED.has(code)) {
    return [
      `The certificate of ${url.host} is not trusted by this computer.`,
      'If the gateway is yours, add its certificate authority to the system’s certificates, or set NODE_EXTRA_CA_CERTS.',
    ];
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return [
      `The certificate of ${url.host} has expired or is not valid yet.`,
      'Check this computer’s clock. If it is right, the gateway needs a new certificate.',
    ];
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return [`The certificate of ${url.host} is for a different host name.`, address];
  }
  if (isClientRefused(code)) {
    return [
      `${url.host} requires a client certificate, which Gatehouse cannot present.`,
      'Use a URL of the gateway that does not require one.',
    ];
  }
  if (/^ERR_SSL_(?:.*ALERT|UNSUPPORTED_PROTOCOL)/.test(code)) {
    return [
      `${url.host} refused the TLS connection: its TLS version, ciphers or client certificate do not match.`,
      'Ask whoever runs the gateway which TLS settings it requires.',
    ];
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return [
      `${url.host} does not support TLS.`,
      'Check whether the base URL should start with http:// instead of https://.',
    ];
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return [`${url.host} closed the connection before the request was sent.`, 'Run it again.'];
  }
  return [`${url.host} cannot be reached.`, 'Check the base URL and your network.'];
}

/** With TLS 1.3 this comes behind the handshake, when the request may be written already: nobody has read it. */
export function isClientRefused(code: string): boolean {
  return /^ERR_SSL_.*ALERT_(?:.*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code);
}

/** `ECONNREFUSED 127.0.0.1:9`, or the message where there is no code. */
export function describeCause(cause: Error): string {
  const first = getFirst(cause);
  const { code } = first as NodeJS.ErrnoException;
  const text = first.message.trim();
  return code && !text.includes(code) ? `${code}: ${text}` : text || String(code);
}

export function getCode(cause: Error): string {
  return String((getFirst(cause) as NodeJS.ErrnoException).code ?? '');
}

/** Several addresses of one name fail as one aggregate. */
function getFirst(cause: Error): Error {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : null;
  return first instanceof Error ? first : cause;
}
