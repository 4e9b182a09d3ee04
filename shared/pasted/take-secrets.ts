/** Separates keys from a pasted request, so that nothing stores or shows them. */
import type { KeyHeader } from '../connection-options.ts';
import { cleanPastedKey } from '../pasted-connection.ts';
import type { HeaderList } from '../run.ts';
import type { PastedRequest } from './pasted-request.ts';

/**
 * A key that the user may save for a connection. Don't log it or put it into a form. With the
 * scheme Basic, it is `user:password` or its base64, as written.
 */
export type RemovedKey =
  | { place: 'header'; header: KeyHeader; value: string }
  | { place: 'query'; name: string; value: string };

export interface WithoutSecrets {
  request: PastedRequest;
  /** Null if there is none, or only a placeholder such as `$OPENAI_API_KEY`. */
  key: RemovedKey | null;
  /** Names each removed secret for display, such as `the Authorization header`. */
  removed: string[];
}

/** Names such as `x-goog-api-key`, `X-Auth-Token` and `X-Master-Key`, but not `Idempotency-Key`. */
const SECRET_HEADER =
  /authorization|authentication|cookie|api-?_?key|(?<!idempotency)(?:^|[-_])key$|(?:^|[-_])(?:auth|token|secret)(?:$|[-_])/i;
/** Values that are secret in any header, such as `Bearer …`, `sk-…` and JSON web tokens. */
const SECRET_VALUE =
  /\bbearer\s+\S|\bbasic\s+[a-z\d+/]{8,}={0,2}\s*$|(?:^|[^\w-])(?:(?:sk|gsk|xai|hf|pplx|ghp)[-_][\w-]{6,}|AIza[\w-]{20,}|eyJ[\w-]+\.eyJ)/i;
const SECRET_PARAMETER =
  /^(?:key|code|sig|signature)$|api-?_?key|token|secret|password|subscription-key/i;
const PLACEHOLDER =
  /[$<>{}%…]|\.\.\.|^x+$|\b(?:your|my|insert|replace|paste)[-_ ]|[-_](?:here|key|token)$|^(?:api[-_]?)?(?:key|token)$/i;
const URL_PARTS = /^([a-z][a-z\d+.-]*:\/\/)?(?:([^/?#]*)@)?([^?#]*)(?:\?([^#]*))?(#.*)?$/is;

export function takeSecrets(request: PastedRequest): WithoutSecrets {
  const { headers, url } = request;
  const isSecret = ([name, value]: HeaderList[number]) =>
    SECRET_HEADER.test(name) || SECRET_VALUE.test(value);
  const kept = headers.filter((header) => !isSecret(header));
  const secret = headers.filter(isSecret);
  const fromUrl = url === null ? null : splitUrl(url);
  const removed = [
    ...[...new Set(secret.map(([name]) => name))].map((name) => `the ${name} header`),
    ...(fromUrl?.removed ?? []),
  ];
  return {
    request: { ...request, headers: kept, url: fromUrl?.url ?? url },
    key: findHeaderKey(secret) ?? fromUrl?.key ?? null,
    removed,
  };
}

/** Prefers the provider's key to a gateway's key, such as `cf-aig-authorization`. */
function findHeaderKey(headers: HeaderList): RemovedKey | null {
  const likelySecrets = headers.filter(([name]) => /^(?:authorization|.*api-?_?key)$/i.test(name));
  for (const [name, text] of [...likelySecrets, ...headers]) {
    if (/cookie|^proxy-/i.test(name)) continue;
    const [, scheme = '', value = ''] = /^(?:(bearer|basic|token|key)\s+)?(.*)$/is.exec(text) ?? [];
    const key = scheme.toLowerCase() === 'basic' ? value : cleanPastedKey(value).text;
    if (key === '' || PLACEHOLDER.test(key)) continue;
    return { place: 'header', header: { name, scheme: capitalize(scheme) }, value: key };
  }
  return null;
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();
}

function splitUrl(url: string): { url: string; key: RemovedKey | null; removed: string[] } {
  const [, scheme = '', login, rest = '', search, fragment = ''] = URL_PARTS.exec(url) ?? [];
  const pairs = search === undefined ? [] : search.split('&').filter((pair) => pair !== '');
  const getName = (pair: string) => decode(pair.split('=', 1)[0] ?? '');
  const secrets = pairs.filter((pair) => SECRET_PARAMETER.test(getName(pair)));
  const kept = pairs.filter((pair) => !secrets.includes(pair));
  const query = kept.length === 0 ? '' : `?${kept.join('&')}`;
  return {
    url: `${scheme}${rest}${query}${fragment}`,
    key: (login === undefined ? null : readLogin(login)) ?? findQueryKey(secrets),
    removed: [
      ...(login === undefined ? [] : ['the login in the URL']),
      ...secrets.map((pair) => `the ${getName(pair)} parameter`),
    ],
  };
}

function findQueryKey(pairs: readonly string[]): RemovedKey | null {
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const key = decode(value);
    if (key !== '' && !PLACEHOLDER.test(key))
      return { place: 'query', name: decode(name), value: key };
  }
  return null;
}

function readLogin(login: string): RemovedKey | null {
  const value = decode(login);
  if (!value.includes(':') || PLACEHOLDER.test(value)) return null;
  return { place: 'header', header: { name: 'Authorization', scheme: 'Basic' }, value };
}

/** Returns a malformed encoding, such as a lone `%`, unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
