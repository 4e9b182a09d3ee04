/** Finds the key in text, also URL-encoded, escaped as in JSON and in base64, and takes it out. */
import type { HeaderList } from '../../shared/run.ts';
import { memoizeLast } from './memoize-last.ts';

export const REDACTED = '[redacted]';

/** A shorter secret is an ordinary word, and taking it out would ruin the text. */
const MIN_SECRET = 6;
/** As many as alternatives of a pattern can be searched for at once without looking at each letter. */
const HINT_LENGTH = 3;

/** At most so many first characters may be missing: they can have been shown in an earlier frame. */
export const OPENING_LENGTH = 3;

export interface Redactor {
  text(text: string): string;
  /**
   * The same for a frame that may continue another: what follows a longer prefix stays, so that the prefix in the
   * frame before is found with it.
   */
  frame(text: string): string;
  /** With those characters plain that the key has and JSON can spell otherwise. */
  decoded(text: string): string;
  headers(headers: HeaderList): HeaderList;
  /** How to find every text that `text` would change, and perhaps more; null if there is none. */
  readonly screen: SecretPattern | null;
  /** What `frame-redaction.ts` looks for at the ends of strings; null if nothing is secret. */
  readonly secret: string | null;
}

export interface SecretPattern {
  pattern: string;
  /** Short texts, one of which is in every text that the pattern finds: a search for those is far faster. */
  hints: readonly string[];
  /** The longest text that the pattern finds. */
  reach: number;
}

/** Each exchange needs one, most often for the same key; its patterns take a while to compile. */
export const createRedactor = memoizeLast((key: string | null): Redactor => {
  if (key === null || key.length < MIN_SECRET) {
    const same = <Value>(value: Value) => value;
    return { text: same, frame: same, decoded: same, headers: same, screen: null, secret: null };
  }
  const plain = [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])];
  const base64 = base64Forms(key);
  const getPattern = (optionalLength: (form: string) => number) =>
    new RegExp(
      [
        ...plain.map((form) => withOptionalOpening(form, optionalLength(form))),
        ...base64.map(escapePattern),
      ].join('|'),
      'g',
    );
  const cores = [...plain.map((form) => form.slice(prefixLength(form))), ...base64];
  const escaped = getEscapes(key);
  const escapeStarts = [String.raw`\u00`, ...(key.includes('/') ? [String.raw`\/`] : [])];
  // Of ten million characters, a search for a plain text takes a twentieth of the time of one for a pattern.
  const holdsAny = (value: string, parts: readonly string[]) =>
    parts.some((part) => value.includes(part));
  const decoded = (value: string) =>
    holdsAny(value, escapeStarts)
      ? value.replace(escaped, (_, code?: string) =>
          code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16)),
        )
      : value;
  const without = (pattern: RegExp) => (value: string) => {
    const redacted = holdsAny(value, cores) ? value.replace(pattern, REDACTED) : value;
    if (!holdsAny(redacted, escapeStarts) || redacted.search(escaped) === -1) return redacted;
    const plainly = decoded(redacted);
    // Only what hides the key is rewritten; any other text is left as received.
    return plainly.search(pattern) === -1 ? redacted : plainly.replace(pattern, REDACTED);
  };
  const text = without(getPattern(prefixLength));
  return {
    text,
    frame: without(getPattern(openingLength)),
    decoded,
    headers: (headers) => headers.map(([name, value]) => [text(name), text(value)]),
    screen: {
      pattern: [...cores.map(escapePattern), escaped.source].join('|'),
      hints: [...cores.map((core) => core.slice(0, HINT_LENGTH)), ...escapeStarts],
      reach: Math.max(...[...plain, ...base64].map((form) => form.length)),
    },
    secret: key,
  };
});

/**
 * Finds characters of the key that JSON spells otherwise: by their number, or a slash behind a
 * backslash, as PHP does. In JSON inside JSON there are several backslashes.
 */
function getEscapes(key: string): RegExp {
  const codes = [...new Set(key)]
    .filter((char) => /[!#-[\]-~]/.test(char))
    .flatMap((char) => {
      const code = char.charCodeAt(0).toString(16);
      return [...new Set([code, code.toUpperCase()])];
    });
  const slash = key.includes('/') ? '/|' : '';
  // From the first backslash only: a search from each of many would take the square of their number.
  return new RegExp(String.raw`(?<!\\)\\+(?:${slash}u00(${codes.join('|')}))`, 'g');
}

/**
 * Matches all of `form`, and also what is left of it behind a few first characters where that is secret by
 * itself: of `sk-holdout` the word behind the prefix is not. There only the first character may be missing
 * (`frame-redaction.ts` follows two and more), and only where a text or word begins.
 */
function withOptionalOpening(form: string, length: number): string {
  const opening = [...form.slice(0, length)];
  const rest = escapePattern(form.slice(length));
  if (length === 1 && isWords(form.slice(1))) {
    return `(?:${escapePattern(form.slice(0, 1))}|(?<![\\w-]))${rest}`;
  }
  return `${opening.reduce((before, char) => `(?:${before}${escapePattern(char)})?`, '')}${rest}`;
}

/** How many first characters may be missing, at most `OPENING_LENGTH`. */
function openingLength(form: string): number {
  const most = Math.max(0, Math.min(OPENING_LENGTH, form.length - MIN_SECRET));
  for (let length = most; length > 0; length -= 1) {
    if (!isWords(form.slice(length))) return length;
  }
  const isPlainWord = /^[A-Za-z]*$/.test(form.slice(1));
  return most === 0 || isPlainWord ? 0 : 1;
}

/** One or more of `key_`, `proj-`, `api03-`. */
const PREFIX = /^(?:[A-Za-z]{1,10}\d{0,2}[-_.])+/;
/** Fewer characters that are not word can be a year or a number that anybody may write. */
const MIN_PART = 8;

/** The length of a longer prefix, such as `sk-proj-`, where what follows it is secret by itself; else that of the opening. */
function prefixLength(form: string): number {
  let prefix = PREFIX.exec(form)?.[0] ?? '';
  while (prefix.length > OPENING_LENGTH) {
    if (isSecretAlone(form.slice(prefix.length))) return prefix.length;
    prefix = prefix.replace(/[^-_.]*[-_.]$/, '');
  }
  return openingLength(form);
}

function isSecretAlone(text: string): boolean {
  if (text.length > MAX_PHRASE) return true;
  const random = text.split(/[-_.]/).filter((part) => !isWord(part));
  return random.join('').length >= MIN_PART;
}

const MAX_WORD = 10;
/** How longer English words end. */
const LONG_WORD =
  /^.{6,13}(?:[ts]ion|ment|ness|[ai]ble|ally|[ae]nce|ing|ity|ous|ive|is[mt]|ship|logy|ical|i[sz]ed|ers?)s?$/i;
const MAX_PHRASE = 32;
/** More in a row than any English word has. */
const UNSPEAKABLE = /[bcdfghjklmnpqrstvwxz]{5}|[aeiou]{4}/i;

/**
 * Words that anybody may write: letters in one case, or with a capital, joined by hyphens and the like. What is
 * longer, or has no vowels where a word has them, is taken for random letters and so for a secret.
 */
function isWords(text: string): boolean {
  const words = text.replace(/^[-_.]/, '').split(/[-_.]/);
  return text.length <= MAX_PHRASE && words.every((word) => isWord(word));
}

function isWord(text: string): boolean {
  const hasShape =
    /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(text) && (text.length <= MAX_WORD || LONG_WORD.test(text));
  return hasShape && !UNSPEAKABLE.test(text) && (text.length < 3 || /[aeiouy]/i.test(text));
}

/**
 * The characters of base64 that the key alone decides, for each of its three alignments: so it is
 * found inside `base64("Bearer " + key)` or `base64("user:" + key)` too.
 */
function base64Forms(key: string): string[] {
  const bytes = Buffer.from(key, 'utf8');
  return [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const start = shift === 0 ? 0 : 4;
    const end = Math.floor(shifted.length / 3) * 4;
    const form = shifted.toString('base64').slice(start, end);
    if (form.length < MIN_SECRET) return [];
    return [...new Set([form, form.replaceAll('+', '-').replaceAll('/', '_')])];
  });
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
