/** Base64 as replies carry it: bare or in a data URL, also with the line breaks of MIME. */
import type { JsonValue } from '../../shared/json.ts';

export interface Base64Data {
  /** Without white space. */
  base64: string;
  /** As the data URL declares it; null where it does not, or is none. */
  type: string | null;
}

/** Looked for one by one: a pattern for all of them would overflow the matcher's stack on a video. */
const NOT_BASE64 = /[^A-Za-z0-9+/=_-]/;
const DATA_URL_HEAD = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64$/i;
const LONGEST_HEAD = 256;

/** Null for anything that cannot be decoded whole. */
export function readBase64(value: JsonValue | undefined): Base64Data | null {
  if (typeof value !== 'string') return null;
  const dataUrl = readDataUrl(value);
  if (dataUrl !== null) return dataUrl;
  const base64 = plainBase64(value);
  return base64 === null ? null : { base64, type: null };
}

/** Null for anything that is no data URL in base64. */
export function readDataUrl(text: string): Base64Data | null {
  const start = text.trimStart();
  const comma = /^data:/i.test(start) ? start.slice(0, LONGEST_HEAD).indexOf(',') : -1;
  const head = comma === -1 ? null : DATA_URL_HEAD.exec(start.slice(0, comma));
  const base64 = head === null ? null : plainBase64(start.slice(comma + 1));
  return head === null || base64 === null ? null : { base64, type: head[1] ?? null };
}

/** One more piece of a stream, which may be cut anywhere; empty for nothing. */
export function base64Piece(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return '';
  const piece = withoutSpace(value);
  return NOT_BASE64.test(piece) ? '' : piece;
}

function plainBase64(text: string): string | null {
  const base64 = withoutSpace(text);
  const padding = base64.indexOf('=');
  const length = padding === -1 ? base64.length : padding;
  if (base64.length < 4 || length % 4 === 1 || NOT_BASE64.test(base64)) return null;
  return padding === -1 || /^={1,2}$/.test(base64.slice(padding)) ? base64 : null;
}

function withoutSpace(text: string): string {
  return /\s/.test(text) ? text.replace(/\s+/g, '') : text;
}
