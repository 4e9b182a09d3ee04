/** Base64 as replies carry it: bare, also with white space, or in a data URL. */
import type { JsonValue } from '../../shared/json.ts';

export interface Base64Data {
  /** Without white space. */
  base64: string;
  /** As the data URL declares it; null if it does not, or is none. */
  type: string | null;
}

/** Looked for one by one: a pattern for all of them would overflow the matcher's stack on a video. */
const NOT_BASE64 = /[^A-Za-z0-9+/=_-]/;
const DATA_URL_HEAD = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64$/i;
const MAX_HEAD = 256;

/** Null for anything that cannot be decoded whole, and for a text: its words have different lengths. */
export function readBase64(value: JsonValue | undefined): Base64Data | null {
  if (typeof value !== 'string') return null;
  const dataUrl = readDataUrl(value);
  if (dataUrl !== null) return dataUrl;
  const text = value.trim().replace(/[\r\n]+/g, '');
  const bare = /\s/.test(text) ? joinBase64Chunks(text.split(/\s+/)) : text;
  const base64 = bare === null ? null : wholeBase64(bare);
  return base64 === null ? null : { base64, type: null };
}

/** Pieces of one length, of which the last may be shorter; null for any others. */
export function joinBase64Chunks(pieces: readonly string[]): string | null {
  const width = pieces[0]?.length ?? 0;
  const last = pieces.at(-1)?.length ?? 0;
  const isEven = last <= width && pieces.slice(0, -1).every(({ length }) => length === width);
  return isEven ? pieces.join('') : null;
}

/**
 * Null for anything that is not a data URL in base64. White space in one is none of its data:
 * https://fetch.spec.whatwg.org/#data-urls
 */
export function readDataUrl(text: string): Base64Data | null {
  const start = text.trimStart();
  const comma = /^data:/i.test(start) ? start.slice(0, MAX_HEAD).indexOf(',') : -1;
  const head = comma === -1 ? null : DATA_URL_HEAD.exec(start.slice(0, comma));
  const base64 = head === null ? null : wholeBase64(withoutSpace(start.slice(comma + 1)));
  return head === null || base64 === null ? null : { base64, type: head[1] ?? null };
}

/** One more piece of a stream, which may be cut anywhere; empty for nothing. */
export function base64Piece(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return '';
  const piece = withoutSpace(value);
  return NOT_BASE64.test(piece) ? '' : piece;
}

/** The same text, with or without padding; null for anything else, white space too. */
export function wholeBase64(text: string): string | null {
  const padding = text.indexOf('=');
  const length = padding === -1 ? text.length : padding;
  if (text.length < 4 || length % 4 === 1 || NOT_BASE64.test(text)) return null;
  return padding === -1 || /^={1,2}$/.test(text.slice(padding)) ? text : null;
}

function withoutSpace(text: string): string {
  return /\s/.test(text) ? text.replace(/\s+/g, '') : text;
}
