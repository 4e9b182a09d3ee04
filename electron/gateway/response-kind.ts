/** Detects whether a response is an event stream, a document or a file. */
import { decodeText } from '../base/decode-text.ts';
import type { Accepts } from './exchange-types.ts';
import { getHeader, type ResponseHead } from './response-head.ts';

export type ResponseKind = 'stream' | 'document' | 'bytes';

/** This many bytes are enough to tell JSON and HTML from audio that starts with the same bytes. */
const TELLING_BYTES = 64;

/** Returns null if more of `opening` is needed; `whole` means that it is the entire body. */
export function getResponseKind(
  accepts: Accepts,
  head: ResponseHead,
  opening: Buffer,
  whole: boolean,
): ResponseKind | null {
  const type = getHeader(head.headers, 'content-type')?.trim().toLowerCase() ?? '';
  const good = head.status < 300;
  if (!good && accepts !== 'any') return 'document';
  if (accepts === 'json' || accepts === 'json-list') return classifyJson(type, opening);
  if (good && type.startsWith(EVENT_STREAM)) {
    const isStream = beginsStream(opening, whole);
    if (isStream === null) return null;
    if (isStream) return 'stream';
  }
  switch (accepts) {
    case 'text':
      return 'document';
    case 'bytes':
      return classifyFile(type, opening, whole);
    case 'any':
      return classifyAnything(type, opening, whole);
  }
}

const EVENT_STREAM = 'text/event-stream';
const STREAM_START = /^(?:data|event|id|retry|:)/;
const FIELDS = ['data', 'event', 'id', 'retry'];

const MAX_SPACE_BYTES = 64 * 1024;

function classifyJson(type: string, opening: Buffer): ResponseKind | null {
  const start = getText(opening);
  if (start === '' && opening.byteLength < MAX_SPACE_BYTES) return null;
  if (/^[{[<]/.test(start)) return 'document';
  if (STREAM_START.test(start) || type.startsWith(EVENT_STREAM)) return 'stream';
  if (start === '') return 'document';
  return mayBecomeField(start) ? null : 'document';
}

function mayBecomeField(start: string): boolean {
  return FIELDS.some((name) => name.startsWith(start));
}

/**
 * Checks the bytes, because gateways mislabel other content as `text/event-stream`; null if
 * unclear.
 */
function beginsStream(opening: Buffer, whole: boolean): boolean | null {
  const start = getText(opening);
  if (STREAM_START.test(start)) return true;
  if (whole) return start === '';
  return opening.byteLength < MAX_SPACE_BYTES && mayBecomeField(start) ? null : false;
}

const DECLARED_TEXT =
  /^(?:text\/|application\/(?:json|xml|javascript|x-www-form-urlencoded|x-subrip|x-ndjson)\b|[^;]*\+(?:json|xml)\b)/;
const DECLARED_FILE = /^(?:audio|video|image|font)\/|^application\/(?:pdf|zip|gzip)\b/;

function classifyFile(type: string, opening: Buffer, whole: boolean): ResponseKind | null {
  const start = getText(opening);
  const enough = whole || opening.byteLength >= TELLING_BYTES;
  if (DECLARED_TEXT.test(type)) {
    if (!enough) return null;
    return isText(opening) ? 'document' : 'bytes';
  }
  if (start !== '' && !/^[{[<]/.test(start)) return 'bytes';
  if (!enough) return null;
  if (start === '') return whole ? 'document' : 'bytes';
  return isText(opening) && (JSON_START.test(start) || isWebPage(start)) ? 'document' : 'bytes';
}

function classifyAnything(type: string, opening: Buffer, whole: boolean): ResponseKind | null {
  if (!whole && opening.byteLength < TELLING_BYTES) return null;
  if (DECLARED_FILE.test(type) && !type.startsWith('image/svg')) {
    return opening.byteLength === 0 ? 'document' : 'bytes';
  }
  if (DECLARED_TEXT.test(type)) return opening.includes(0) ? 'bytes' : 'document';
  return isText(opening) ? 'document' : 'bytes';
}

const JSON_START = /^(?:\{\s*(?:["}]|$)|\[\s*(?:[\]{["\d-]|true|false|null|$))/;
const WEB_PAGE = /^<(?:!doctype\s+html|!--|html|head|body|meta|title|script|center|h1)\b/i;

/** Requires a known tag, because a transcript may start with `<noise>`. */
export function isWebPage(text: string): boolean {
  return WEB_PAGE.test(text.replace(/^\uFEFF/, '').trimStart());
}

function isText(opening: Buffer): boolean {
  return decodeText(opening) !== null;
}

/** Omits the byte order mark and an incomplete final character. */
function getText(opening: Buffer): string {
  return new TextDecoder().decode(opening, { stream: true }).trimStart();
}
