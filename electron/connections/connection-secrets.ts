/** Defines the secrets of a connection's options, which the key vault stores as one entry. */
import { z } from 'zod';
import {
  type ClientCertificate,
  clientCertificateSchema,
} from '../../shared/connection-options.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { REDACTED, redactAll } from '../redaction/redactor.ts';

const storedSchema = z.object({
  values: z.array(z.tuple([z.string(), z.string()])),
  clientCertificate: clientCertificateSchema.nullable(),
  proxyLogin: z.string().nullable(),
});

export interface OptionSecrets {
  /** Header and query values by the ID of their entry. */
  values: ReadonlyMap<string, string>;
  clientCertificate: ClientCertificate | null;
  /** `user:password`, percent-encoded as in the proxy's URL. */
  proxyLogin: string | null;
}

export const noSecrets: OptionSecrets = {
  values: new Map(),
  clientCertificate: null,
  proxyLogin: null,
};

/** Returns the vault ID for a connection's option secrets; the key has the connection's ID. */
export function getSecretsId(connectionId: string): string {
  return `${connectionId}/options`;
}

/** Returns the ID of the connection that a vault entry belongs to. */
export function getConnectionId(entryId: string): string {
  return entryId.replace(/\/options$/, '');
}

export function isSecretsId(id: string): boolean {
  return id.endsWith('/options');
}

/** Returns the vault's ID for an entry of an MCP server. */
export function getMcpId(serverId: string, entry: string): string {
  return getSecretsId(`mcp-${entry}-${serverId}`);
}

function isMcpId(id: string): boolean {
  return id.startsWith('mcp-');
}

export function writeSecrets({ values, ...others }: OptionSecrets): string {
  return JSON.stringify({ values: [...values], ...others });
}

/** Returns null if the text has another version, for example after a downgrade. */
export function readSecrets(text: string | null): OptionSecrets | null {
  const { success, data } = storedSchema.safeParse(parseJson(text ?? ''));
  return success ? { ...data, values: new Map(data.values) } : null;
}

/** Removes every secret of a vault entry from text, such as a log line. */
export function redactEntry(id: string, entry: string, text: string): string {
  const secrets = isSecretsId(id) ? readSecrets(entry) : null;
  if (secrets === null) return redactAll(getKeyParts(entry)).text(text);
  const { values, clientCertificate, proxyLogin } = secrets;
  const sent = [...values].filter((entry) => !isMcpId(id) || isSecretEntry(entry));
  const left = redactAll([
    ...sent.flatMap(([, value]) => getValueParts(value)),
    ...getLoginParts(proxyLogin),
  ]).text(text);
  return getLines(clientCertificate).reduce((rest, line) => rest.replaceAll(line, REDACTED), left);
}

/** Returns the key and any part that is secret by itself: the password of `user:password`. */
export function getKeyParts(key: string): string[] {
  return [key, ...getPassword(key)];
}

/** Returns a header's value and any part that is secret by itself, such as a bearer token. */
export function getValueParts(value: string): string[] {
  const words = value.split(/[\s;,]+/).map((word) => word.replace(/^[\w-]+=(?=.)/, ''));
  return [value, ...words.filter(isLikelySecret)];
}

/** Returns a proxy login both as it appears in the URL and as it is sent. */
export function getLoginParts(login: string | null): string[] {
  if (login === null) return [];
  const decoded = decode(login);
  return [login, decoded, ...getPassword(decoded), Buffer.from(decoded).toString('base64')];
}

function getPassword(login: string): string[] {
  const [, password] = /^[^:]*:(.+)$/s.exec(login) ?? [];
  return password === undefined ? [] : [password];
}

const MIN_LENGTH = 8;

/** Returns false for plain words, which are too common in ordinary text to redact. */
export function isLikelySecret(word: string): boolean {
  return word.length >= MIN_LENGTH && /\d/.test(word) && /[A-Za-z]/.test(word);
}

const SECRET_NAME = /key|token|secret|pass|pwd|auth|credential|cookie|signature/i;
const PATH = /^(?:[/~.]|[A-Za-z]:[\\/])/;

/**
 * Ordinary settings aren't redacted, because a tool result with the server's folder must reach the
 * model unchanged.
 */
function isSecretEntry([name, value]: [string, string]): boolean {
  return SECRET_NAME.test(name) || (isLikelySecret(value) && !PATH.test(value));
}

/** Returns the lines of the private key and the passphrase, which an error could quote. */
function getLines(certificate: ClientCertificate | null): string[] {
  if (certificate === null) return [];
  const { passphrase } = certificate;
  const text = certificate.kind === 'pem' ? certificate.key : certificate.data;
  const lines = text.split(/\r?\n/).filter((line) => line.length >= 16 && !line.includes('-----'));
  return passphrase === null || passphrase.length < 6 ? lines : [...lines, passphrase];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
