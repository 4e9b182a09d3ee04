/** Combines the options that the page sends with the saved ones, whose secrets it never sees. */
import { randomUUID } from 'node:crypto';
import {
  type AddedValue,
  type AddedValueInput,
  basicHeader,
  type ConnectionOptions,
  type ConnectionOptionsInput,
  defaultConnectionOptions,
  escapeVariables,
  listVariables,
  splitProxyUrl,
} from '../../shared/connection-options.ts';
import { appError, type FieldError, UserFacingError } from '../../shared/errors.ts';
import type { PastedUrl } from '../../shared/pasted-connection.ts';
import { readCaCertificates, readClientCertificate } from '../gateway/certificates.ts';
import { noSecrets, type OptionSecrets } from './connection-secrets.ts';

export interface WholeOptions {
  options: ConnectionOptions;
  caText: string | null;
  secrets: OptionSecrets;
}

export const noOptions: WholeOptions = {
  options: defaultConnectionOptions,
  caText: null,
  secrets: noSecrets,
};

/**
 * Returns all options with their secrets; throws a `UserFacingError` with fields. Saved secrets are
 * kept only if the base URL has the same origin.
 */
export function mergeOptions(
  saved: WholeOptions,
  input: ConnectionOptionsInput,
  isSameOrigin: boolean,
): WholeOptions {
  const fields: FieldError[] = [];
  const values = new Map<string, string>();
  const known = [...saved.options.headers, ...saved.options.query];

  function mergeValue(entry: AddedValueInput, list: string, index: number): AddedValue {
    const { id, name, isSecret } = entry;
    const before = known.find((each) => each.id === id) ?? null;
    const value = entry.value ?? before?.value ?? null;
    const kept = value ?? (isSameOrigin && isSecret ? saved.secrets.values.get(id) : undefined);
    if (kept === undefined || kept === '') {
      const message = describeMissing(entry, before, isSameOrigin);
      fields.push({ path: ['options', list, String(index), 'value'], message });
    } else if (isSecret) values.set(id, kept);
    // The template of a secret value isn't shown, but the variables that it needs are.
    const variables =
      kept === undefined ? [] : value === null ? (before?.variables ?? []) : listVariables(kept);
    return { id, name, isSecret, value: isSecret ? null : (kept ?? ''), variables };
  }

  const headers = input.headers.map((entry, index) => mergeValue(entry, 'headers', index));
  const query = input.query.map((entry, index) => mergeValue(entry, 'query', index));
  const ca = mergeCa(saved, input);
  const client = mergeClient(saved, input, isSameOrigin);
  const proxy = mergeProxy(saved, input);
  const [first] = fields;
  if (first !== undefined) {
    const nextStep = 'Fix the marked fields and try again.';
    throw new UserFacingError(appError('invalid-request', first.message, nextStep, { fields }));
  }
  const { keyHeader, timeouts, acceptedFingerprint, endpoints } = input;
  return {
    options: {
      keyHeader,
      headers,
      query,
      timeouts,
      acceptedFingerprint,
      caCertificates: ca.facts,
      clientCertificate: client.facts,
      proxy: proxy.shown,
      endpoints,
    },
    caText: ca.text,
    secrets: { values, clientCertificate: client.certificate, proxyLogin: proxy.login },
  };
}

function describeMissing(
  { value, isSecret }: AddedValueInput,
  before: AddedValue | null,
  isSameOrigin: boolean,
): string {
  if (before === null || value === '') return 'Enter a value.';
  if (!isSecret) return 'Enter the value again to show it from now on.';
  return isSameOrigin
    ? 'Enter this value again. It was kept for an earlier session only.'
    : 'Enter this value again. The saved one belongs to another address.';
}

function mergeCa(saved: WholeOptions, { caCertificate }: ConnectionOptionsInput) {
  if (caCertificate === null) return { text: null, facts: [] };
  if (caCertificate.kind === 'saved') {
    return { text: saved.caText, facts: saved.options.caCertificates };
  }
  return { text: caCertificate.text, facts: readCaCertificates(caCertificate.text) };
}

function mergeClient(
  saved: WholeOptions,
  { clientCertificate }: ConnectionOptionsInput,
  isSameOrigin: boolean,
) {
  if (clientCertificate === null) return { certificate: null, facts: null };
  if (clientCertificate.kind !== 'saved') {
    return { certificate: clientCertificate, facts: readClientCertificate(clientCertificate) };
  }
  const certificate = isSameOrigin ? saved.secrets.clientCertificate : null;
  if (certificate !== null) return { certificate, facts: saved.options.clientCertificate };
  const message = 'Choose the client certificate again.';
  throw new UserFacingError(
    appError('invalid-request', message, 'Choose its file, or remove it.', {
      fields: [{ path: ['options', 'clientCertificate'], message }],
    }),
  );
}

function mergeProxy(saved: WholeOptions, { proxy }: ConnectionOptionsInput) {
  const split = proxy.kind === 'url' ? splitProxyUrl(proxy.url) : null;
  if (proxy.kind !== 'url' || split === null) {
    const kind = proxy.kind === 'none' ? ('none' as const) : ('default' as const);
    return { shown: { kind }, login: null };
  }
  const before = saved.options.proxy;
  const isSame = before.kind === 'url' && before.url === split.url;
  const login = split.login ?? (proxy.keepsLogin && isSame ? saved.secrets.proxyLogin : null);
  return { shown: { kind: 'url' as const, url: split.url, hasLogin: login !== null }, login };
}

/** Adds the key scheme and the query parameters of a pasted URL. */
export function addPasted(whole: WholeOptions, { login, query }: PastedUrl): WholeOptions {
  const { options, secrets } = whole;
  const names = new Set(options.query.map(({ name }) => name));
  const added = query
    .filter(({ name, value }) => name !== '' && value !== '' && !names.has(name))
    .map((pair) => ({ ...pair, id: randomUUID() }));
  const values = new Map(secrets.values);
  for (const { id, value, isSecret } of added) if (isSecret) values.set(id, escapeVariables(value));
  const shown = added.map(({ id, name, value, isSecret }): AddedValue => {
    return { id, name, isSecret, value: isSecret ? null : escapeVariables(value), variables: [] };
  });
  return {
    ...whole,
    options: {
      ...options,
      query: [...options.query, ...shown],
      ...(login !== null && { keyHeader: basicHeader }),
    },
    secrets: { ...secrets, values },
  };
}

/** Removes secrets for a new origin but keeps their names, so that users can enter them again. */
export function forgetSecrets(whole: WholeOptions): WholeOptions {
  return {
    ...whole,
    options: { ...whole.options, acceptedFingerprint: null },
    secrets: noSecrets,
  };
}

export function needsSecrets(options: ConnectionOptions): boolean {
  const { headers, query, clientCertificate, proxy } = options;
  const hasLogin = proxy.kind === 'url' && proxy.hasLogin;
  return hasLogin || clientCertificate !== null || [...headers, ...query].some(isHidden);
}

/** Returns false if a secret that the options need is missing, for example after a restart. */
export function isComplete({ options, secrets }: WholeOptions): boolean {
  const { headers, query, clientCertificate, proxy } = options;
  const hasLogin = proxy.kind === 'url' && proxy.hasLogin;
  return (
    [...headers, ...query].filter(isHidden).every(({ id }) => secrets.values.has(id)) &&
    (clientCertificate === null || secrets.clientCertificate !== null) &&
    (!hasLogin || secrets.proxyLogin !== null)
  );
}

const isHidden = ({ isSecret }: AddedValue) => isSecret;

/** Returns the key for Basic authentication. */
export function toBasicKey({ user, password }: { user: string; password: string }): string {
  return `${user}:${password}`;
}
