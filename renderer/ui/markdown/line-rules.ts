/** Line rules that decide where Markdown blocks begin and end. */
import { readMathStart } from './math-rules.ts';

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$/;
const BULLET = /^( {0,3})([-*+]|(\d{1,9})([.)]))(?:([ \t]+)(.*)|$)/;
const QUOTE = /^ {0,3}>/;
const FOOTNOTE = /^ {0,3}\[\^([^\s[\]]+)\]:[ \t]*(.*)$/;
const DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export const isBlank = (line: string) => /^[ \t]*$/.test(line);
export const isHeading = (line: string) => HEADING.test(line);
export const isRule = (line: string) => RULE.test(line);
export const isQuote = (line: string) => QUOTE.test(line);
export const isSetextUnderline = (line: string) => /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
export const isDelimiterRow = (line: string) =>
  (line.includes('|') || line.includes(':')) && DELIMITER_ROW.test(line);

/** Returns the line's indentation in columns. */
export function getIndent(line: string, from = 0): number {
  let width = from;
  for (const character of line) {
    if (character === ' ') width += 1;
    else if (character === '\t') width += 4 - (width % 4);
    else break;
  }
  return width - from;
}

/** Removes up to `width` columns of indentation. If a tab is cut, later tabs become spaces. */
export function dedent(line: string, width: number, from = 0): string {
  const end = from + width;
  let column = from;
  for (const [index, character] of [...line.slice(0, width)].entries()) {
    if (column >= end) return line.slice(index);
    if (character === ' ') column += 1;
    else if (character === '\t') {
      column += 4 - (column % 4);
      if (column > end) {
        const rest = line.slice(index + 1);
        const columns = column - end + getIndent(rest, column);
        return ' '.repeat(columns) + rest.replace(/^[ \t]+/, '');
      }
    } else return line.slice(index);
  }
  return line.slice(width);
}

/** Returns the line without its quote marker. */
export function stripQuoteMarker(line: string): string {
  const start = line.indexOf('>') + 1;
  return dedent(line.slice(start), 1, start);
}

/** More columns than any nesting uses. */
const FAR = ' '.repeat(40);

/** Indents a lazy continuation line so that it can't start a new block. */
export function indentLazyLine(line: string): string {
  const text = line.trimStart();
  const isWords =
    !isSetextUnderline(text) &&
    !isDelimiterRow(text) &&
    readBulletStart(text) === null &&
    !interruptsParagraph(text);
  return isWords ? text : FAR + text;
}

export type FenceStart = { marker: string; indent: number; info: string };

export function readFenceStart(line: string): FenceStart | null {
  const match = FENCE.exec(line);
  if (!match) return null;
  const [, indent = '', marker = '', info = ''] = match;
  return { marker, indent: indent.length, info: info.trim() };
}

export function closesFence(line: string, marker: string): boolean {
  const text = line.trim();
  return (
    getIndent(line) < 4 &&
    text.length >= marker.length &&
    text === (marker[0] ?? '').repeat(text.length)
  );
}

export type BulletStart = {
  marker: string;
  ordered: boolean;
  start: number;
  contentIndent: number;
  content: string;
};

export function readBulletStart(line: string): BulletStart | null {
  const match = BULLET.exec(line);
  if (!match) return null;
  const [, indent = '', bullet = '', digits, delimiter, gap = ' ', content = ''] = match;
  const gapWidth = getIndent(gap, indent.length + bullet.length);
  // Five or more columns after the bullet mean that the item starts with indented code.
  const kept = gapWidth > 4 || content === '' ? 1 : gapWidth;
  return {
    marker: delimiter ?? bullet,
    ordered: digits !== undefined,
    start: digits === undefined ? 1 : Number(digits),
    contentIndent: indent.length + bullet.length + kept,
    content: content === '' ? '' : ' '.repeat(gapWidth - kept) + content,
  };
}

export type FootnoteStart = { label: string; text: string };

export function readFootnoteStart(line: string): FootnoteStart | null {
  const match = line.includes('[^') ? FOOTNOTE.exec(line) : null;
  if (!match) return null;
  const [, label = '', text = ''] = match;
  return { label, text };
}

/** Returns true if the line ends a paragraph without a blank line before it. */
export function interruptsParagraph(line: string): boolean {
  if (readFootnoteStart(line) !== null || readMathStart(line) !== null) return true;
  if (isHeading(line) || isRule(line) || isQuote(line) || readFenceStart(line) !== null)
    return true;
  const bullet = readBulletStart(line);
  return bullet !== null && bullet.content !== '' && (!bullet.ordered || bullet.start === 1);
}
