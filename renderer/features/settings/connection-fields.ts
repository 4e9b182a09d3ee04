import type { CertificateFacts } from '../../../shared/certificate.ts';
import type { Connection, ConnectionDraft, KeyKeeping } from '../../../shared/connection.ts';
import {
  type AddedValue,
  type AddedValueInput,
  basicHeader,
  bearerHeader,
  type ClientCertificate,
  type ConnectionOptionsInput,
  type ConnectionTimeouts,
  defaultConnectionOptions,
  escapeVariables,
  type FormatEndpoint,
  type KeyHeader,
} from '../../../shared/connection-options.ts';
import { type ConnectionPreset, connectionPresets } from '../../../shared/connection-presets.ts';
import { cleanPastedKey, readPastedUrl } from '../../../shared/pasted-connection.ts';

export interface ValueField {
  id: string;
  name: string;
  value: string;
  isSecret: boolean;
  /** Variables of a saved secret, which an empty value keeps; null if none is saved. */
  savedVariables: readonly string[] | null;
}

export type KeyIntent = 'keep' | 'replace' | 'remove';

/** The connection dialog's fields. A typed key stays in the dialog's state. */
export interface ConnectionFields {
  /** Empty for none. */
  presetId: string;
  name: string;
  baseUrl: string;
  key: string;
  keyIntent: KeyIntent;
  /** Null until the user chooses. */
  keeping: KeyKeeping | null;
  keyHeader: KeyHeader;
  headers: readonly ValueField[];
  query: readonly ValueField[];
  endpoints: readonly FormatEndpoint[];
  /** `text` is null if the saved certificates are kept. */
  ca: { text: string | null; facts: readonly CertificateFacts[] } | null;
  /** `certificate` is null if the saved one is kept. */
  client: { certificate: ClientCertificate | null; facts: CertificateFacts } | null;
  acceptedFingerprint: string | null;
  timeouts: ConnectionTimeouts;
  proxyKind: 'default' | 'none' | 'url';
  proxyUrl: string;
  /** True if a user name and password are saved for the proxy. */
  proxyHasLogin: boolean;
}

export function createFields(connection: Connection | null): ConnectionFields {
  const options = connection?.options ?? defaultConnectionOptions;
  const { keyHeader, headers, query, caCertificates, clientCertificate, proxy } = options;
  return {
    presetId: '',
    name: connection?.name ?? '',
    baseUrl: connection?.baseUrl ?? '',
    key: '',
    keyIntent: 'keep',
    keeping: null,
    keyHeader,
    headers: headers.map(toField),
    query: query.map(toField),
    endpoints: options.endpoints,
    ca: caCertificates.length === 0 ? null : { text: null, facts: caCertificates },
    client: clientCertificate && { certificate: null, facts: clientCertificate },
    acceptedFingerprint: options.acceptedFingerprint,
    timeouts: options.timeouts,
    proxyKind: proxy.kind,
    proxyUrl: proxy.kind === 'url' ? proxy.url : '',
    proxyHasLogin: proxy.kind === 'url' && proxy.hasLogin,
  };
}

function toField({ id, name, value, isSecret, variables }: AddedValue): ValueField {
  return { id, name, value: value ?? '', isSecret, savedVariables: isSecret ? variables : null };
}

export function createValue(isSecret: boolean): ValueField {
  return { id: crypto.randomUUID(), name: '', value: '', isSecret, savedVariables: null };
}

export function toOptionsInput(fields: ConnectionFields): ConnectionOptionsInput {
  const { keyHeader, acceptedFingerprint, timeouts, ca, client, proxyKind } = fields;
  return {
    keyHeader,
    acceptedFingerprint,
    timeouts,
    headers: fields.headers.map(toValueInput),
    query: fields.query.map(toValueInput),
    endpoints: [...fields.endpoints],
    caCertificate: ca && (ca.text === null ? { kind: 'saved' } : { kind: 'pem', text: ca.text }),
    clientCertificate: client && (client.certificate ?? { kind: 'saved' }),
    proxy:
      proxyKind === 'url'
        ? { kind: 'url', url: fields.proxyUrl, keepsLogin: fields.proxyHasLogin }
        : { kind: proxyKind },
  };
}

function toValueInput({ id, name, value, isSecret, savedVariables }: ValueField): AddedValueInput {
  return { id, name, isSecret, value: value === '' && savedVariables !== null ? null : value };
}

/** Returns the draft to test; saving the same draft doesn't need another test. */
export function toDraft(fields: ConnectionFields, known: Connection | null): ConnectionDraft {
  const { baseUrl, key, keyIntent } = fields;
  const typed = key.trim() !== '' ? { key } : keyIntent === 'remove' ? { key: '' } : {};
  return { id: known?.id ?? null, baseUrl, options: toOptionsInput(fields), ...typed };
}

type Pair = ConnectionPreset['headers'][number];

export function findPreset({ presetId }: ConnectionFields): ConnectionPreset | null {
  return connectionPresets.find(({ id }) => id === presetId) ?? null;
}

/** Applies a preset, but keeps values that presets don't define, such as the key. */
export function applyConnectionPreset(
  fields: ConnectionFields,
  presetId: string,
): ConnectionFields {
  const preset = findPreset({ ...fields, presetId });
  if (preset === null) return { ...withoutPreset(fields), presetId };
  const { name, baseUrl, keyHeader } = preset;
  const toValue = (pair: Pair) => ({ ...createValue(false), ...pair });
  const query = preset.query.map(toValue);
  const own = withoutPreset(fields);
  const headers = [...own.headers, ...preset.headers.map(toValue)];
  const endpoints = [...own.endpoints, ...preset.endpoints];
  return { ...fields, presetId, name, baseUrl, keyHeader, query, headers, endpoints };
}

/** Removes the values that the preset filled in, unless the user changed them. */
function withoutPreset(fields: ConnectionFields): ConnectionFields {
  const preset = findPreset(fields);
  if (preset === null) return fields;
  const { name, baseUrl, keyHeader, query, headers } = fields;
  const isOwn = (filled: readonly Pair[]) => (pair: Pair) =>
    !filled.some(({ name, value }) => name === pair.name && value === pair.value);
  return {
    ...fields,
    name: name === preset.name ? '' : name,
    baseUrl: baseUrl === preset.baseUrl ? '' : baseUrl,
    keyHeader: keyHeader === preset.keyHeader ? bearerHeader : keyHeader,
    query: query.filter(isOwn(preset.query)),
    headers: headers.filter(isOwn(preset.headers)),
    endpoints: fields.endpoints.filter((endpoint) => !preset.endpoints.includes(endpoint)),
  };
}

/** Returns the part of the preset's base URL that the user hasn't replaced yet. */
export function findPlaceholder(fields: ConnectionFields): string | null {
  const all = connectionPresets.flatMap(({ placeholders }) => placeholders);
  return all.find((placeholder) => fields.baseUrl.includes(placeholder)) ?? null;
}

export interface Cleaned {
  fields: ConnectionFields;
  /** Tells the user what was removed or moved; null if nothing changed. */
  note: string | null;
}

/** Moves the login in a pasted URL to the key, and its query to the query parameters. */
export function cleanUrl(fields: ConnectionFields): Cleaned {
  const { baseUrl, login, query, removed } = readPastedUrl(fields.baseUrl);
  const known = new Set(fields.query.map(({ name }) => name));
  const added = query.filter(({ name, value }) => name !== '' && value !== '' && !known.has(name));
  const cleaned = {
    ...fields,
    baseUrl,
    query: [
      ...fields.query,
      ...added.map(({ name, value, isSecret }) => ({
        ...createValue(isSecret),
        name,
        value: escapeVariables(value),
      })),
    ],
  };
  const sentences = [
    ...(removed.length > 0 ? [`Removed ${joinWords(removed)}.`] : []),
    ...(login === null ? [] : ['The user name and password are the key, as Basic authentication.']),
    ...(added.length > 0
      ? [`Moved ${joinWords(added.map(({ name }) => name))} to Advanced, query parameters.`]
      : []),
  ];
  const note = sentences.length > 0 ? sentences.join(' ') : null;
  if (login === null) return { fields: cleaned, note };
  const key = `${login.user}:${login.password}`;
  return { fields: { ...cleaned, key, keyIntent: 'replace', keyHeader: basicHeader }, note };
}

/** Cleans a pasted key, but not a password, which may contain any characters. */
export function cleanKey(fields: ConnectionFields): Cleaned {
  if (isBasic(fields.keyHeader)) return { fields, note: null };
  const { text, removed } = cleanPastedKey(fields.key);
  const note = removed.length > 0 ? `Removed ${joinWords(removed)}.` : null;
  return { fields: { ...fields, key: text }, note };
}

export function isBasic({ scheme }: KeyHeader): boolean {
  return scheme.toLowerCase() === basicHeader.scheme.toLowerCase();
}

function joinWords(words: readonly string[]): string {
  return new Intl.ListFormat('en-US').format(words);
}

/** Returns `Gateway` if the URL is incomplete. */
export function getHost(baseUrl: string): string {
  const host = URL.parse(baseUrl.trim())?.host ?? '';
  return host === '' ? 'Gateway' : host.slice(0, 60);
}

/** Returns true if the origin changed, in which case the main process deletes the key. */
export function hasDifferentOrigin(edited: string, saved: string): boolean {
  const url = URL.parse(edited.trim());
  return url !== null && url.origin !== URL.parse(saved)?.origin;
}

/** Lists the advanced options that aren't at their defaults. */
export function listAdvanced(fields: ConnectionFields): string[] {
  const { keyHeader, headers, query, ca, client, timeouts, proxyKind } = fields;
  const { keyHeader: defaultHeader } = defaultConnectionOptions;
  const isDefault =
    keyHeader.name.toLowerCase() === defaultHeader.name.toLowerCase() &&
    keyHeader.scheme === defaultHeader.scheme;
  return [
    ...(isDefault ? [] : ['key header']),
    ...(headers.length > 0 ? ['headers'] : []),
    ...(query.length > 0 ? ['query parameters'] : []),
    ...(fields.endpoints.length > 0 ? ['formats'] : []),
    ...(ca === null && client === null && fields.acceptedFingerprint === null
      ? []
      : ['certificates']),
    ...(Object.values(timeouts).every((seconds) => seconds === null) ? [] : ['timeouts']),
    ...(proxyKind === 'default' ? [] : ['proxy']),
  ];
}
