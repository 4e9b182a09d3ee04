/** Parses JSON without losing digits, because `JSON.parse` rounds large numbers. */
import { compareNumbers } from './compare-numbers.ts';
import { ExactNumber, type JsonNumber } from './exact-number.ts';
import type { JsonValue } from './json.ts';

/**
 * Returns undefined if the JSON is invalid or too deep; drops NUL characters that gateways send.
 */
export function parseJson(text: string): JsonValue | undefined {
  if (text.length > 2 * MAX_DEPTH && isDeeperThan(MAX_DEPTH, text)) return undefined;
  try {
    return mayLoseDigits(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    return text.includes('\0') ? parseJson(text.replaceAll('\0', '')) : undefined;
  }
}

/** Like `parseJson`, but rounds long numbers, which is many times as fast. */
export function parseRounded(text: string): JsonValue | undefined {
  if (text.length > 2 * MAX_DEPTH && isDeeperThan(MAX_DEPTH, text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text.includes('\0') ? parseRounded(text.replaceAll('\0', '')) : undefined;
  }
}

/** PHP reads 512 levels; other languages have lower limits. */
const MAX_DEPTH = 512;
const MARKS = /["[\]{}]/g;

function isDeeperThan(maxDepth: number, text: string): boolean {
  let depth = 0;
  MARKS.lastIndex = 0;
  for (let mark = MARKS.exec(text); mark !== null; mark = MARKS.exec(text)) {
    if (mark[0] === '"') MARKS.lastIndex = findStringEnd(text, mark.index);
    else depth += mark[0] === '[' || mark[0] === '{' ? 1 : -1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Skips past the closing quote without visiting each character. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Older browsers don't pass the source text to the reviver. */
function keepDigits(_key: string, value: JsonValue, context?: { source?: string }): JsonValue {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined ? readJsonNumber(source) : value;
}

/** A double stores 15 digits exactly, unless the exponent has three digits. */
const SAFE_DIGITS = 15;
const LONG_EXPONENT = /\d[eE][-+\d]\d\d/;
const NUMBER = /-?\d[-+.\deE]*/y;
/** Digits after any other character are part of a string, usually an ID. */
const BEFORE_NUMBER = ':,[ \n\r\t';

/** Checks only every 16th character, which any run of 16 digits must include. */
function mayLoseDigits(text: string): boolean {
  for (let at = SAFE_DIGITS; at < text.length; at += SAFE_DIGITS + 1) {
    if (!isDigitOrPoint(text.charCodeAt(at))) continue;
    let start = at;
    while (isDigitOrPoint(text.charCodeAt(start - 1))) start -= 1;
    while (isDigitOrPoint(text.charCodeAt(at + 1))) at += 1;
    if (at - start >= SAFE_DIGITS && isLossyAt(text, start)) return true;
  }
  return LONG_EXPONENT.test(text);
}

function isLossyAt(text: string, start: number): boolean {
  NUMBER.lastIndex = text[start - 1] === '-' ? start - 1 : start;
  if (!BEFORE_NUMBER.includes(text[NUMBER.lastIndex - 1] ?? ' ')) return false;
  const [source = ''] = NUMBER.exec(text) ?? [];
  return readJsonNumber(source) instanceof ExactNumber;
}

/** Returns false for NaN, which `charCodeAt` returns past the end of the text. */
function isDigitOrPoint(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

export function readJsonNumber(source: string): JsonNumber {
  const value = Number(source);
  return isLossless(source, value) ? value : new ExactNumber(source);
}

/** Whether the JavaScript number prints exactly the same value. */
function isLossless(source: string, value: number): boolean {
  const printed = String(value);
  if (printed === source) return true;
  // Many servers reject `1e+21` as an integer, so keep the digits of such an integer.
  if (!Number.isFinite(value) || (printed.includes('e+') && !/e/i.test(source))) return false;
  return compareNumbers(new ExactNumber(source), value) === 0;
}

declare global {
  interface JSON {
    /** Missing from TypeScript's library: https://tc39.es/proposal-json-parse-with-source/ */
    parse(
      text: string,
      reviver: (key: string, value: JsonValue, context?: { source?: string }) => JsonValue,
    ): JsonValue;
  }
}
