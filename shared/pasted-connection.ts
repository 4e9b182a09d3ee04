/** Cleans pasted keys and base URLs, and lists the removed text. */

export interface PastedKey {
  text: string;
  /** The removed parts, as words for a list, such as `quotes` or `“Bearer ”`. */
  removed: string[];
}

/** Zero-width characters, byte order marks and direction marks, which no key contains. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const LINE_END = /^\s*[\r\n\u2028\u2029]|[\r\n\u2028\u2029]\s*$/;
const NON_BREAKING = /^\s*[\u00a0\u2007\u202f]|[\u00a0\u2007\u202f]\s*$/;

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '«': '»',
  '„': '“',
};

/** `export NAME=`, `set NAME=`, `$env:NAME = ` and `NAME=`; base64 ends in `=` without a value. */
const ASSIGNMENT = /^(?:(?:export|setx?)\s+|\$env:)?[A-Za-z_]\w*\s*=\s*(?=[^\s=])/;
/** A header or JSON field, as in curl's `-H "Authorization: Bearer …"` or `"api_key": "…"`. */
const FIELD =
  /^(?:(?:-H|--header)\s+["']?)?["']?(?:[A-Za-z][\w-]*)?(?:authorization|key|token|secret)["']?\s*:\s*(?=\S)/i;
const SCHEME = /^(?:bearer|token)\s+(?=\S)/i;

/** Don't use it for `user:password` keys, because a password may contain anything. */
export function cleanPastedKey(pasted: string): PastedKey {
  const removed: string[] = [];
  let text = trimPasted(pasted, removed);
  // A value can be quoted inside a quoted assignment, so repeat until nothing changes.
  for (let before = ''; before !== text; ) {
    before = text;
    text = unquote(text, removed);
    text = cutFront(text, removed);
    text = cutEnd(text, removed);
  }
  return { text, removed: [...new Set(removed)] };
}

function trimPasted(pasted: string, removed: string[]): string {
  const visible = pasted.replace(INVISIBLE, '');
  if (visible !== pasted) removed.push('an invisible character');
  if (LINE_END.test(visible)) removed.push('a line break');
  if (NON_BREAKING.test(visible)) removed.push('a non-breaking space');
  const text = visible.trim();
  if (/^ | $/.test(visible)) removed.push('spaces');
  return text;
}

function unquote(text: string, removed: string[]): string {
  const close = QUOTES[text.slice(0, 1)];
  // An inner quote means that the outer quotes aren't a pair, as in `"key": "value"`.
  if (close === undefined || text.indexOf(close, 1) !== text.length - 1) return text;
  removed.push('quotes');
  return text.slice(1, -1).trim();
}

/** Removes a list or statement separator. */
function cutEnd(text: string, removed: string[]): string {
  const end = /[;,]$/.exec(text)?.[0];
  if (end === undefined) return text;
  removed.push(`“${end}”`);
  return text.slice(0, -1).trim();
}

function cutFront(text: string, removed: string[]): string {
  for (const pattern of [ASSIGNMENT, FIELD, SCHEME]) {
    const [front] = pattern.exec(text) ?? [];
    if (front === undefined) continue;
    removed.push(`“${front.trim()}”`);
    const rest = text.slice(front.length);
    return /^(?:-H|--header)\s+["']/.test(front) ? rest.replace(/["']$/, '') : rest;
  }
  return text;
}

/** Endpoints that users paste along with the base URL from a provider's documentation. */
const ENDPOINTS = [
  '(?:chat/)?completions',
  'responses',
  'messages',
  'embeddings',
  'images/(?:generations|edits|variations)',
  'audio/(?:speech|transcriptions|translations)',
  'video/generations',
  'videos',
  'rerank',
  'ranking',
  'models(?:/[^:]+:[a-z]+)?',
].join('|');
const PASTED_URL = new RegExp(`^(https?://[^/]+(?:/.*?)?)(/(?:${ENDPOINTS}))/*$`, 'i');

/** Strips a pasted endpoint from a base URL; `removed` is null if there was none. */
export function cutEndpoint(url: string): { baseUrl: string; removed: string | null } {
  const text = url.trim();
  const [, baseUrl, removed] = PASTED_URL.exec(text) ?? [];
  if (baseUrl === undefined || removed === undefined) return { baseUrl: text, removed: null };
  return { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''), removed };
}

export interface PastedUrl {
  /** Excludes the login, query, fragment and endpoint. */
  baseUrl: string;
  /** From `user:password@`; it becomes the key of Basic authentication. */
  login: { user: string; password: string } | null;
  /** From `?name=value`, for the connection's query parameters. */
  query: { name: string; value: string; isSecret: boolean }[];
  /** The removed parts, as words for a list, such as `quotes` or `/chat/completions`. */
  removed: string[];
}

const URL_PARTS = /^(https?:\/\/)(?:([^/?#]*)@)?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/i;
/** Names of query parameters that carry a secret, such as Google's `key` or Azure's `sig`. */
const SECRET_NAME = /key|token|secret|sig|password|auth|code/i;

/** Returns text that isn't a URL as a cleaned `baseUrl`. */
export function readPastedUrl(pasted: string): PastedUrl {
  const removed: string[] = [];
  const text = unquote(trimPasted(pasted, removed), removed);
  const [, scheme, userInfo, rest = '', search = ''] = URL_PARTS.exec(text) ?? [];
  if (scheme === undefined) return { baseUrl: text, login: null, query: [], removed };
  const cut = cutEndpoint(scheme + rest);
  if (cut.removed !== null) removed.push(cut.removed);
  const fragment = /#.*$/.exec(text)?.[0];
  if (fragment !== undefined) removed.push(`“${fragment}”`);
  return {
    baseUrl: cut.baseUrl,
    login: userInfo === undefined || userInfo === '' ? null : readLogin(userInfo),
    query: search
      .split('&')
      .filter((pair) => pair !== '')
      .map(readPair),
    removed,
  };
}

function readLogin(userInfo: string): { user: string; password: string } {
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(userInfo) ?? [];
  return { user: decode(user), password: decode(password) };
}

function readPair(pair: string) {
  const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair.replaceAll('+', ' ')) ?? [];
  return { name: decode(name), value: decode(value), isSecret: SECRET_NAME.test(name) };
}

/** Returns a malformed encoding, such as a lone `%`, unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
