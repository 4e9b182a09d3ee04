/** A file as base64 in a part of an answer where nothing says that it is base64: told from text, IDs and addresses. */
import { SNIFF_BYTES, sniffMedia } from '../media/sniff.ts';
import { type Base64Data, joinBase64Chunks, wholeBase64 } from './base64-data.ts';

/** In letters of base64: what is shorter is an ID or a path, also where its first bytes look like a file's. */
const MIN_LENGTH = 64;
/** No ID is as long. */
const BEYOND_IDS = 1024;

/**
 * Null for anything else. `isTyped`: the type of the part says that it is a file. Only then may its bytes be any;
 * else they must have the signature of a known format.
 */
export function readBareFile(text: string, isTyped: boolean): Base64Data | null {
  const base64 = text.length < MIN_LENGTH ? null : unwrapped(text);
  if (base64 === null || base64.length < MIN_LENGTH) return null;
  const type = signedType(base64);
  if (type !== null) return { base64, type };
  const isFile = isTyped && base64.length >= BEYOND_IDS && hasBothCases(base64);
  return isFile ? { base64, type: null } : null;
}

/** As MIME and PEM break base64: lines of one length, padded at the end or not at all. Words have other lengths. */
function unwrapped(text: string): string | null {
  const lines = text.split(/\r?\n/);
  while (lines.at(-1) === '') lines.pop();
  const joined = joinBase64Chunks(lines);
  const base64 = joined === null ? null : wholeBase64(joined);
  return base64?.includes('=') && base64.length % 4 !== 0 ? null : base64;
}

/** Null if the first bytes have no signature, or one too short to tell it from an ID by. */
function signedType(base64: string): string | null {
  const head = Buffer.from(base64.slice(0, 2 * SNIFF_BYTES), 'base64').subarray(0, SNIFF_BYTES);
  const { kind, type } = sniffMedia(head, null);
  if (kind === 'file') return SIGNED_FILES.has(type) ? type : null;
  return FRAMED.has(type) && base64.length < BEYOND_IDS ? null : type;
}

/** Text has no signature: an ID may be text in base64 as well. */
const SIGNED_FILES = new Set(['application/pdf', 'application/zip']);
/** Known by twelve bits, until a second frame follows. */
const FRAMED = new Set(['audio/aac', 'audio/mpeg']);

/** Words and hexadecimal digits are mostly of one case, the base64 of a file never. */
function hasBothCases(base64: string): boolean {
  return /[a-z]/.test(base64) && /[A-Z]/.test(base64);
}
