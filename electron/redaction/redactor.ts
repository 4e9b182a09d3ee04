/** Finds and redacts secrets in text and headers, however they are encoded. */
import type { HeaderList } from '../../shared/run.ts';

export const REDACTED = '[redacted]';

/** Shorter secrets would match ordinary words. */
const MIN_SECRET = 6;
/** An escape such as `\u0041` takes this many characters, with backslashes of nested JSON. */
const MAX_ESCAPE = 8;

export interface Range {
  start: number;
  end: number;
}

export interface Redactor {
  text(text: string): string;
  headers(headers: HeaderList): HeaderList;
  /** Returns the ranges of secrets in `text`, in order and without overlaps. */
  find(text: string): readonly Range[];
  /** The secrets to redact. */
  readonly secrets: readonly string[];
  /** The length of the longest encoded secret, or 0 if there are no secrets. */
  readonly maxLength: number;
}

/** Exceeds the number of secrets that are in use at the same time. */
const MAX_COMPILED = 64;
const compiled = new Map<string, Redactor>();

export function createRedactor(key: string | null): Redactor {
  return redactAll(key === null ? [] : [key]);
}

/** Caches redactors, because deriving all forms of the secrets is slow. */
export function redactAll(secrets: readonly string[]): Redactor {
  const long = [...new Set(secrets)].filter(({ length }) => length >= MIN_SECRET);
  const name = JSON.stringify(long);
  const known = compiled.get(name);
  if (known !== undefined) return known;
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  const redactor = compile(long);
  compiled.set(name, redactor);
  return redactor;
}

function compile(secrets: readonly string[]): Redactor {
  const needles = secrets.flatMap((key) => [
    ...[...new Set(listEncodings(key))].map(splitPrefix),
    ...getBase64Forms(key).map((form): Needle => ['', form]),
  ]);
  const hasMarks = secrets.some((key) => /["/\\]/.test(key));
  const hasSlash = needles.some(([, secret]) => secret.includes('/'));

  function findPlain(text: string): Range[] {
    const found: Range[] = [];
    for (const [prefix, secret] of needles) {
      for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
        found.push({ start: at - getPrefixLength(text, at, prefix), end: at + secret.length });
      }
    }
    return found;
  }

  function find(text: string): readonly Range[] {
    const found = findPlain(text);
    const mayHide =
      text.includes('%') ||
      text.includes(String.raw`\u00`) ||
      (hasSlash && text.includes(String.raw`\/`)) ||
      (hasMarks && text.includes('\\'));
    if (mayHide && needles.length > 0) {
      const decoded = decodeEscapes(text);
      const hidden = decoded.text === text ? [] : findPlain(decoded.text);
      for (const { start, end } of hidden) {
        found.push({ start: decoded.getIndex(start), end: decoded.getIndex(end) });
      }
    }
    return mergeRanges(found);
  }

  function text(given: string): string {
    const ranges = find(given);
    if (ranges.length === 0) return given;
    const ends = [0, ...ranges.map(({ end }) => end)];
    return ends.map((end, at) => given.slice(end, ranges[at]?.start)).join(REDACTED);
  }

  const lengths = needles.map(([prefix, secret]) => prefix.length + secret.length);
  return {
    text,
    headers: (headers) => headers.map(([name, value]) => [text(name), text(value)]),
    find,
    secrets,
    maxLength: MAX_ESCAPE * Math.max(0, ...lengths),
  };
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) merged.push({ ...range });
    else last.end = Math.max(last.end, range.end);
  }
  return merged;
}

/** Returns every form in which a secret can appear in a header, a URL, a form body or JSON. */
function listEncodings(key: string): string[] {
  const encoded = encodeURIComponent(key);
  const lower = encoded.replaceAll(/%../g, (code) => code.toLowerCase());
  return [
    key,
    key.replaceAll(' ', '+'),
    ...[encoded, lower].flatMap((form) => [form, form.replaceAll('%20', '+')]),
    JSON.stringify(key).slice(1, -1),
  ];
}

type Needle = [prefix: string, secret: string];

/** Splits the key into a prefix that may be missing and the rest, which is secret on its own. */
function splitPrefix(spelling: string): Needle {
  let prefix = /^(?:[A-Za-z]{1,10}\d{0,2}[-_.])+/.exec(spelling)?.[0] ?? '';
  while (prefix !== '' && !isSecret(spelling.slice(prefix.length))) {
    prefix = prefix.replace(/[^-_.]*[-_.]$/, '');
  }
  // For example, the key `ollama` must not cause `llama` to be redacted.
  const length = prefix === '' && !WORD.test(spelling) ? 1 : prefix.length;
  return [spelling.slice(0, length), spelling.slice(length)];
}

const WORD = /^[A-Za-z]{1,15}$/;

/** Ignores words and short numbers, which are common in ordinary text. */
function isSecret(text: string): boolean {
  const random = text.split(/[-_.]/).filter((part) => !WORD.test(part));
  return random.join('').length >= 8;
}

/** Returns how much of the prefix precedes `at`: all, all but its first character, or none. */
function getPrefixLength(text: string, at: number, prefix: string): number {
  if (prefix === '') return 0;
  if (text.startsWith(prefix, at - prefix.length)) return prefix.length;
  const rest = prefix.slice(1);
  return text.startsWith(rest, at - rest.length) ? rest.length : 0;
}

/** `\u0041`, `\/`, `\"` and `%41`, even with multiple backslashes as in nested JSON. */
const ESCAPE = /(?<!\\)\\+(?:u00([0-9a-f]{2})|(["/]))|\\{2,}|%([0-9a-f]{2})/gi;

/** Decodes escapes; `getIndex` returns where a character of the decoded text comes from. */
function decodeEscapes(text: string): { text: string; getIndex: (at: number) => number } {
  const parts: string[] = [];
  const ends: { decoded: number; raw: number }[] = [{ decoded: 0, raw: 0 }];
  let length = 0;
  let from = 0;
  for (const { 0: whole, 1: unicode, 2: mark, 3: percent, index } of text.matchAll(ESCAPE)) {
    const code = unicode ?? percent;
    const char =
      code === undefined ? (mark ?? '\\') : String.fromCharCode(Number.parseInt(code, 16));
    parts.push(text.slice(from, index), char);
    length += index - from + 1;
    from = index + whole.length;
    ends.push({ decoded: length, raw: from });
  }
  parts.push(text.slice(from));
  return {
    text: parts.join(''),
    getIndex(at) {
      // A binary search, because a response may repeat a secret thousands of times.
      let [low, high] = [0, ends.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((ends[middle]?.decoded ?? 0) <= at) low = middle;
        else high = middle;
      }
      const { decoded = 0, raw = 0 } = ends[low] ?? {};
      return raw + at - decoded;
    },
  };
}

/** Returns the base64 characters that depend only on the key, for each of the three alignments. */
function getBase64Forms(key: string): string[] {
  const bytes = Buffer.from(key, 'utf8');
  return [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const end = Math.floor(shifted.length / 3) * 4;
    const form = shifted.toString('base64').slice(shift === 0 ? 0 : 4, end);
    if (form.length < MIN_SECRET) return [];
    return [...new Set([form, form.replaceAll('+', '-').replaceAll('/', '_')])];
  });
}
