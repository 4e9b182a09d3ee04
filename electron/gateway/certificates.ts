/** Reads certificates of gateways and certificate files that the user chose. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { CertificateFacts } from '../../shared/certificate.ts';
import type { ClientCertificate } from '../../shared/connection-options.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { toTlsOptions } from './route.ts';

export function toCertificateFacts(certificate: X509Certificate): CertificateFacts {
  return {
    subject: toLine(certificate.subject),
    issuer: toLine(certificate.issuer),
    hosts: (certificate.subjectAltName ?? '').split(', ').flatMap((name) => {
      const [, host] = /^(?:DNS|IP Address):(.+)$/.exec(name) ?? [];
      return host === undefined ? [] : [host];
    }),
    validFrom: certificate.validFromDate.getTime(),
    validTo: certificate.validToDate.getTime(),
    fingerprint: certificate.fingerprint256,
  };
}

/** Joins the attributes, which Node writes one per line; a certificate may have none. */
function toLine(name: string | undefined): string {
  return (name ?? '').trim().split('\n').join(', ');
}

const PEM_CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** Throws a `UserFacingError` about the field if the text holds no certificate. */
export function readCaCertificates(text: string): CertificateFacts[] {
  return readPem(text, ['caCertificate', 'text']);
}

/** Throws a `UserFacingError` about the wrong field. */
export function readClientCertificate(certificate: ClientCertificate): CertificateFacts {
  return certificate.kind === 'pem' ? readPemPair(certificate) : readPfx(certificate);
}

function readPem(text: string, path: string[]): CertificateFacts[] {
  const blocks = text.match(PEM_CERTIFICATE) ?? [];
  if (blocks.length === 0) throw createFieldError(path, 'This file has no PEM certificate.');
  return blocks.map((block) => {
    try {
      return toCertificateFacts(new X509Certificate(block));
    } catch {
      throw createFieldError(path, 'This file has a damaged certificate.');
    }
  });
}

const CLIENT = 'clientCertificate';

function readPemPair(pair: Extract<ClientCertificate, { kind: 'pem' }>): CertificateFacts {
  const [facts] = readPem(pair.certificate, [CLIENT, 'certificate']);
  const [block = ''] = pair.certificate.match(PEM_CERTIFICATE) ?? [];
  if (facts === undefined)
    throw createFieldError([CLIENT, 'certificate'], 'This file has no certificate.');
  const privateKey = readPrivateKey(pair.key, pair.passphrase);
  if (!new X509Certificate(block).checkPrivateKey(privateKey)) {
    throw createFieldError([CLIENT, 'key'], 'This key doesn’t belong to the certificate.');
  }
  return facts;
}

function readPrivateKey(key: string, passphrase: string | null) {
  try {
    return createPrivateKey({ key, ...(passphrase !== null && { passphrase }) });
  } catch {
    if (/ENCRYPTED/.test(key)) throw createPassphraseError(passphrase);
    throw createFieldError([CLIENT, 'key'], 'This file has no PEM private key.');
  }
}

function readPfx(file: Extract<ClientCertificate, { kind: 'pfx' }>): CertificateFacts {
  const socket = new Socket();
  try {
    // Node parses a PFX file only for a TLS context, whose certificate a socket can read.
    const secureContext = createSecureContext(toTlsOptions(file));
    const certificate = new TLSSocket(socket, { secureContext }).getX509Certificate();
    if (certificate !== undefined) return toCertificateFacts(certificate);
  } catch (cause) {
    // OpenSSL and BoringSSL describe a wrong passphrase differently.
    const reason = cause instanceof Error ? `${cause.message}` : '';
    if (/mac verify|incorrect.password|bad decrypt/i.test(reason)) {
      throw createPassphraseError(file.passphrase);
    }
    if (/unsupported/i.test(reason)) throw createFieldError([CLIENT, 'data'], OLD_PFX);
    throw createFieldError([CLIENT, 'data'], 'This isn’t a PFX (PKCS #12) file.');
  } finally {
    socket.destroy();
  }
  throw createFieldError([CLIENT, 'data'], 'This file has no certificate.');
}

const OLD_PFX =
  'This file uses an outdated encryption. Export it again, or convert it with “openssl pkcs12 -legacy”.';

function createPassphraseError(passphrase: string | null): UserFacingError {
  const isMissing = passphrase === null || passphrase === '';
  const message = isMissing ? 'Enter the passphrase of this key.' : 'The passphrase is wrong.';
  return createFieldError([CLIENT, 'passphrase'], message);
}

function createFieldError(path: string[], message: string): UserFacingError {
  return new UserFacingError(
    appError('invalid-request', message, 'Choose another file or correct the field.', {
      fields: [{ path: ['options', ...path], message }],
    }),
  );
}
