/** Decodes file data in responses: base64 (plain, wrapped, in a data URL or unlabeled) and hex. */
import type { JsonValue } from '../../shared/json.ts';
import { SNIFF_BYTES, sniffMedia } from '../media/sniff.ts';

export interface Base64Data {
  base64: string;
  type: string | null;
}

/** Matches a single character, because a pattern for a whole video would overflow the stack. */
const NOT_BASE64 = /[^A-Za-z0-9+/=_-]/;
const DATA_URL_HEAD = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64$/i;
const MAX_HEAD = 256;

/** Returns null for anything else, including text, whose words vary in length. */
export function readBase64(value: JsonValue | undefined): Base64Data | null {
  if (typeof value !== 'string') return null;
  const dataUrl = readDataUrl(value);
  if (dataUrl !== null) return dataUrl;
  const text = value.trim().replace(/[\r\n]+/g, '');
  const bare = /\s/.test(text) ? joinBase64Chunks(text.split(/\s+/)) : text;
  const base64 = bare === null ? null : checkBase64(bare);
  return base64 === null ? null : { base64, type: null };
}

/** Joins pieces of equal length, the last of which may be shorter; returns null for other lists. */
export function joinBase64Chunks(pieces: readonly string[]): string | null {
  const width = pieces[0]?.length ?? 0;
  const last = pieces.at(-1)?.length ?? 0;
  const isEven = last <= width && pieces.slice(0, -1).every(({ length }) => length === width);
  return isEven ? pieces.join('') : null;
}

/** Ignores whitespace in the data: https://fetch.spec.whatwg.org/#data-urls */
export function readDataUrl(text: string): Base64Data | null {
  const start = text.trimStart();
  const comma = /^data:/i.test(start) ? start.slice(0, MAX_HEAD).indexOf(',') : -1;
  const head = comma === -1 ? null : DATA_URL_HEAD.exec(start.slice(0, comma));
  const base64 = head === null ? null : checkBase64(removeSpace(start.slice(comma + 1)));
  return head === null || base64 === null ? null : { base64, type: head[1] ?? null };
}

/**
 * Returns a piece of a stream that may be cut at any character, or an empty string if it isn't
 * base64.
 */
export function readBase64Piece(value: JsonValue | undefined): string {
  if (typeof value !== 'string') return '';
  const piece = removeSpace(value);
  return NOT_BASE64.test(piece) ? '' : piece;
}

/** Except for silence, base64 of this length also contains characters that aren't hex digits. */
const MIN_HEX_LENGTH = 32;

/** Reads hex digits of one case, such as MiniMax's audio: https://platform.minimax.io/docs */
export function readHex(text: string): Base64Data | null {
  const digits = text.trim();
  const isLikely = digits.length >= MIN_HEX_LENGTH && /\d/.test(digits);
  // Base64 of near-silence is almost entirely `A`.
  return isLikely && (!digits.includes('A') || /[B-F]/.test(digits)) ? readHexPiece(digits) : null;
}

/** Decodes a piece of a stream that is known to be hex. */
export function readHexPiece(text: string): Base64Data | null {
  const digits = text.trim();
  if (digits === '' || digits.length % 2 === 1) return null;
  if (NOT_LOWER_HEX.test(digits) && NOT_UPPER_HEX.test(digits)) return null;
  return { base64: Buffer.from(digits, 'hex').toString('base64'), type: null };
}

const NOT_LOWER_HEX = /[^0-9a-f]/;
const NOT_UPPER_HEX = /[^0-9A-F]/;

function checkBase64(text: string): string | null {
  const padding = text.indexOf('=');
  const length = padding === -1 ? text.length : padding;
  if (text.length < 4 || length % 4 === 1 || NOT_BASE64.test(text)) return null;
  return padding === -1 || /^={1,2}$/.test(text.slice(padding)) ? text : null;
}

function removeSpace(text: string): string {
  return /\s/.test(text) ? text.replace(/\s+/g, '') : text;
}

/** Shorter base64 may be an ID or a path, even if it starts with a file signature. */
const MIN_LENGTH = 64;
const MAX_ID_LENGTH = 1024;

/**
 * Requires a known file signature, unless the type of the content part indicates a file
 * (`isTyped`).
 */
export function readBareFile(text: string, isTyped: boolean): Base64Data | null {
  const base64 = text.length < MIN_LENGTH ? null : unwrapLines(text);
  if (base64 === null || base64.length < MIN_LENGTH) return null;
  const type = sniffType(base64);
  if (type !== null) return { base64, type };
  const isFile = isTyped && base64.length >= MAX_ID_LENGTH && hasBothCases(base64);
  return isFile ? { base64, type: null } : null;
}

/** Joins lines of equal length, as in MIME and PEM. */
function unwrapLines(text: string): string | null {
  const lines = text.split(/\r?\n/);
  while (lines.at(-1) === '') lines.pop();
  const joined = joinBase64Chunks(lines);
  const base64 = joined === null ? null : checkBase64(joined);
  return base64?.includes('=') && base64.length % 4 !== 0 ? null : base64;
}

/** Returns null unless the text has a signature too long for an ID to match by chance. */
function sniffType(base64: string): string | null {
  const head = Buffer.from(base64.slice(0, 2 * SNIFF_BYTES), 'base64').subarray(0, SNIFF_BYTES);
  const { kind, type } = sniffMedia(head, null);
  if (kind === 'file') return SIGNED_FILES.has(type) ? type : null;
  return FRAMED.has(type) && base64.length < MAX_ID_LENGTH ? null : type;
}

const SIGNED_FILES = new Set(['application/pdf', 'application/zip']);
/** The signatures of these types are only twelve bits long. */
const FRAMED = new Set(['audio/aac', 'audio/mpeg']);

/** Words and hex digits usually have a consistent case. */
function hasBothCases(base64: string): boolean {
  return /[a-z]/.test(base64) && /[A-Z]/.test(base64);
}
