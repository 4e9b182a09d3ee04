/** Finds images in an answer's text: data URLs, either bare or in Markdown or HTML. */
import { createMediaReference, findMediaReferences } from '../../media.ts';
import type { RunEventOf } from '../../run.ts';

/** A data URL in the text of `content` or of one of its parts. */
export type InlineImage = NonNullable<RunEventOf<'media'>['inText']>;
type TextRange = Pick<InlineImage, 'at' | 'length'>;
/** The range includes the Markdown or HTML around the URL. */
type FoundImage = TextRange & { url: string };

const HEAD = /data:image\/[\w.+-]+(?:;[\w=.+-]+)*;base64,/gi;
/** Matches the first bytes of PNG, JPEG, GIF, WebP and AVIF, because models may make up data. */
const SIGNATURE = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|AAAA.GZ0eXBhdmlm)/;
const OPENING = /(?:!?\[[^[\]\n]*\]\(\s*<?|<img\s[^<>]*src=["']?)$/i;
const CLOSING = /^\s*>?\s*(?:"[^"\n]*"|'[^'\n]*')?\s*\)/;
const HTML_CLOSING = /^["']?[^<>]*>/;
/** A shorter bare data URL is probably an example in a sentence. */
const MIN_BARE = 256;
const MAX_LABEL = 2000;

/** Returns the data URLs outside code; a truncated text may end inside the last one. */
export function findDataUrls(text: string): TextRange[] {
  // Return early, because most answers have no data URL and finding code is slower.
  if (!text.includes(';base64,')) return [];
  const code = findCode(text);
  const found: TextRange[] = [];
  let nextCode = 0;
  for (const { 0: head, index: at } of text.matchAll(HEAD)) {
    while (isBefore(code[nextCode], at)) nextCode += 1;
    if ((code[nextCode]?.at ?? text.length) <= at) continue;
    const from = at + head.length;
    if (!SIGNATURE.test(text.slice(from, from + 32))) continue;
    const label = getLabel(text, at);
    const wrapped = label === '' ? null : findEnd(text, from, NOT_WRAPPED_DATA);
    const isClosed =
      wrapped !== null && (isLast(text, wrapped) || hasClosing(text, wrapped, label));
    const to = isClosed ? wrapped : findEnd(text, from, NOT_DATA);
    if (isClosed || to - from >= MIN_BARE) found.push({ at, length: to - at });
  }
  return found;
}

function isBefore(range: TextRange | undefined, at: number): boolean {
  return range !== undefined && range.at + range.length <= at;
}

/** Match in pieces, because a greedy pattern for all the data would overflow the stack. */
const NOT_DATA = /[^A-Za-z0-9+/=_-]/g;
const NOT_WRAPPED_DATA = /[^A-Za-z0-9+/=_\s-]/g;

function findEnd(text: string, from: number, end: RegExp): number {
  end.lastIndex = from;
  const to = end.exec(text)?.index ?? text.length;
  return from + text.slice(from, to).trimEnd().length;
}

function isLast(text: string, at: number): boolean {
  return text.slice(at, at + MAX_LABEL).trim() === '';
}

/** Returns the Markdown or HTML before the URL; empty for a bare URL. */
function getLabel(text: string, at: number, from = 0): string {
  return OPENING.exec(text.slice(Math.max(from, at - MAX_LABEL), at))?.[0] ?? '';
}

function getClosing(text: string, at: number, label: string): string {
  if (label === '') return '';
  const closing = label.startsWith('<') ? HTML_CLOSING : CLOSING;
  return closing.exec(text.slice(at, at + MAX_LABEL))?.[0] ?? '';
}

function hasClosing(text: string, at: number, label: string): boolean {
  return getClosing(text, at, label) !== '';
}

/**
 * Replaces data URLs with Markdown references; ignores a range without a data URL. The images are
 * sorted from the end of the text, so that each change leaves the earlier ranges valid.
 */
export function replaceImages(
  text: string,
  images: readonly (TextRange & { mediaId: string })[],
): string {
  const pieces: string[] = [];
  let end = text.length;
  for (const { at, length, mediaId } of images) {
    if (at + length > end || text.slice(at, at + 5).toLowerCase() !== 'data:') continue;
    const reference = createMediaReference(mediaId);
    const image = getLabel(text, at) === '' ? `![](${reference})` : reference;
    pieces.push(text.slice(at + length, end), image);
    end = at;
  }
  return text.slice(0, end) + pieces.reverse().join('');
}

/** Splits a text at its images; `stored` has the media IDs of data URLs in the text. */
export function splitAtImages(
  text: string,
  stored: readonly string[],
): (string | { url: string })[] {
  const images = findImages(text, stored);
  if (images.length === 0) return [text];
  const pieces: (string | { url: string })[] = [];
  // Some providers reject a text part that contains only whitespace.
  const addText = (piece: string) => void (piece.trim() !== '' && pieces.push(piece));
  let from = 0;
  for (const { at, length, url } of images) {
    addText(text.slice(from, at));
    pieces.push({ url });
    from = at + length;
  }
  addText(text.slice(from));
  return pieces;
}

/** Replaces the data of images that are still streaming, because it can be megabytes long. */
export function hideDataUrls(text: string): string {
  let shown = '';
  let from = 0;
  for (const { at, length } of findImages(text, [])) {
    shown += `${text.slice(from, at)}*Receiving image…*`;
    from = at + length;
  }
  return from === 0 ? text : shown + text.slice(from);
}

function findImages(text: string, stored: readonly string[]): FoundImage[] {
  const ranges = [
    ...findDataUrls(text),
    ...(stored.length === 0 ? [] : findReferences(text, new Set(stored))),
  ].toSorted((one, other) => one.at - other.at);
  const images: FoundImage[] = [];
  let from = 0;
  for (const { at, length } of ranges) {
    const label = getLabel(text, at, from);
    const end = at + length + getClosing(text, at + length, label).length;
    images.push({
      at: at - label.length,
      length: end - at + label.length,
      url: text.slice(at, at + length),
    });
    from = end;
  }
  return images;
}

function findReferences(text: string, mediaIds: ReadonlySet<string>): TextRange[] {
  return findMediaReferences(text).flatMap(({ mediaId, at, length }) =>
    mediaIds.has(mediaId) && getLabel(text, at) !== '' ? { at, length } : [],
  );
}

/** Returns fenced code and code spans (https://spec.commonmark.org/0.31.2/#fenced-code-blocks). */
function findCode(text: string): TextRange[] {
  const code: TextRange[] = [];
  const mark = /`+|~{3,}/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const { 0: marks, index: at } = found;
    const isFence = marks.length >= 3 && isLineStart(text, at);
    const end = isFence
      ? findFenceEnd(text, at + marks.length, marks)
      : marks.startsWith('`') && marks.length <= MAX_SPAN_MARKS
        ? findSpanEnd(text, at + marks.length, marks.length)
        : null;
    if (end === null) continue;
    code.push({ at, length: end - at });
    mark.lastIndex = end;
  }
  return code;
}

/** Search each backtick run length once per paragraph, or many lengths would be slow. */
const MAX_SPAN_MARKS = 32;

/** Lists and quotes may precede a fence. */
function isLineStart(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return at === 0 || (line.length < 200 && /^(?:\s|>|[-*+]\s|\d+[.)]\s)*$/.test(line));
}

/** An unclosed fence extends to the end of the text. */
function findFenceEnd(text: string, from: number, marks: string): number {
  const fence = new RegExp(`^[\\s>]*${marks[0]}{${marks.length},}[ \\t]*$`, 'gm');
  fence.lastIndex = Math.max(from, text.indexOf('\n', from));
  const end = fence.exec(text);
  return end === null ? text.length : end.index + end[0].length;
}

/** A code span must end in the paragraph where it starts. */
function findSpanEnd(text: string, from: number, length: number): number | null {
  const mark = /`+|\n[ \t]*\n/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0].startsWith('\n')) return null;
    if (found[0].length === length) return found.index + length;
  }
  return null;
}
