import type { ClientCertificate } from '../../../shared/connection-options.ts';

/** In bytes; the contract accepts at most as many characters of PEM text or base64. */
const MAX_FILE_BYTES = 192 * 1024;

interface ChosenFiles {
  /** The files' texts, in order. */
  texts: string[];
  /** The files as a client certificate; null if something is missing. */
  certificate: ClientCertificate | null;
  /** Why the files can't be read at all; null if they can. */
  problem: string | null;
  /** Why they aren't a client certificate; null if they are one. */
  missing: string | null;
}

/** Reads certificate files and tells certificate, private key and PFX apart by their content. */
export async function readChosenFiles(files: readonly File[]): Promise<ChosenFiles> {
  const large = files.find(({ size }) => size > MAX_FILE_BYTES);
  if (large !== undefined) {
    const problem = `${large.name} is larger than 192 KiB.`;
    return { texts: [], certificate: null, problem, missing: null };
  }
  const contents = await Promise.all(
    files.map(async (file) => new Uint8Array(await file.arrayBuffer())),
  );
  const texts = contents.map((bytes) => new TextDecoder().decode(bytes));
  const [first] = contents;
  const isPem = texts.some((text) => text.includes('-----BEGIN '));
  if (first !== undefined && !isPem) {
    const certificate = { kind: 'pfx', data: toBase64(first), passphrase: null } as const;
    return { texts, certificate, problem: null, missing: null };
  }
  const whole = texts.join('\n');
  const hasCertificate = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/.test(whole);
  const key = texts.find((text) => /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text));
  const nothing = { texts, certificate: null, problem: null, missing: null };
  if (files.length === 0) return nothing;
  if (!hasCertificate) {
    return { ...nothing, missing: 'Choose the certificate along with its private key.' };
  }
  if (key === undefined) {
    return { ...nothing, missing: 'Choose the private key along with its certificate.' };
  }
  return {
    ...nothing,
    certificate: { kind: 'pem', certificate: whole, key, passphrase: null },
  };
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
