/**
 * Redacts the API key in text, headers and streams, even if it is encoded or split across events.
 */
import type { HeaderList } from '../../shared/run.ts';
import type { Frame } from './exchange-types.ts';

export const REDACTED = '[redacted]';

/** Shorter secrets would match ordinary words. */
const MIN_SECRET = 6;
/** At most this many leading characters of a split key may be shown. */
const MAX_SHOWN = 3;
/** A frame that may contain part of the key is held for at most this many more frames. */
const MAX_IDLE = 8;

export interface Redactor {
  text(text: string): string;
  headers(headers: HeaderList): HeaderList;
  stream(): StreamRedaction;
}

export interface StreamRedaction {
  /** Returns the frames that are safe to show, including previously held frames. */
  take(frames: readonly Frame[]): readonly Frame[];
  /** Returns the frames that are still held. */
  rest(): Frame[];
}

const noRedaction: Redactor = {
  text: (text) => text,
  headers: (headers) => headers,
  stream: () => ({ take: (frames) => frames, rest: () => [] }),
};

/** Exceeds the number of secrets that are in use at the same time. */
const MAX_COMPILED = 64;
const compiled = new Map<string, Redactor>();

/** Caches redactors, because compiling their patterns is slow. */
export function createRedactor(key: string | null): Redactor {
  if (key === null || key.length < MIN_SECRET) return noRedaction;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  const redactor = compile(key);
  compiled.set(key, redactor);
  return redactor;
}

/** Redacts several secrets, the longest first, because one may contain another. */
export function redactAll(secrets: readonly string[]): Redactor {
  const long = [...new Set(secrets)].filter(({ length }) => length >= MIN_SECRET);
  const [first = noRedaction, ...others] = long
    .sort((one, other) => other.length - one.length)
    .map(createRedactor);
  if (others.length === 0) return first;
  const all = [first, ...others];
  return {
    text: (text) => all.reduce((left, redactor) => redactor.text(left), text),
    headers: (headers) => all.reduce((left, redactor) => redactor.headers(left), headers),
    stream() {
      const stages = all.map((redactor) => redactor.stream());
      return {
        take: (frames) => stages.reduce((left, stage) => stage.take(left), frames),
        rest: () =>
          stages.reduce<Frame[]>((left, stage) => [...stage.take(left), ...stage.rest()], []),
      };
    },
  };
}

function compile(key: string): Redactor {
  const spellings = [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])];
  const parts = spellings.map(splitPrefix);
  const base64 = getBase64Forms(key);
  const pattern = new RegExp(
    [
      ...parts.map(([prefix, secret]) => `${optional(prefix)}${escapePattern(secret)}`),
      ...base64.map(escapePattern),
    ].join('|'),
    'g',
  );
  // A plain-text search is 20 times faster than a regular expression.
  const needles = [...parts.map(([, secret]) => secret), ...base64];
  const escapes = createEscapePattern(key);
  const escapeStarts = [String.raw`\u00`, ...(key.includes('/') ? [String.raw`\/`] : [])];

  function decode(text: string): string {
    if (!includesAny(text, escapeStarts)) return text;
    return text.replace(escapes, (_, code?: string) =>
      code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16)),
    );
  }

  function redactText(text: string): string {
    const redacted = includesAny(text, needles) ? text.replace(pattern, REDACTED) : text;
    const decoded = decode(redacted);
    // Leave escapes unchanged unless they hide part of the key.
    if (decoded === redacted || decoded.search(pattern) === -1) return redacted;
    return decoded.replace(pattern, REDACTED);
  }

  const mayBegin = createBeginPattern(key);
  return {
    text: redactText,
    headers: (headers) => headers.map(([name, value]) => [redactText(name), redactText(value)]),
    stream: () => redactStream({ key, mayBegin, decode, redactText }),
  };
}

/** Splits the key into a prefix that may be missing and the rest, which is secret on its own. */
function splitPrefix(spelling: string): [prefix: string, secret: string] {
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

function optional(prefix: string): string {
  if (prefix === '') return '';
  return `(?:${escapePattern(prefix.slice(0, 1))}?${escapePattern(prefix.slice(1))})?`;
}

function includesAny(text: string, needles: readonly string[]): boolean {
  return needles.some((needle) => text.includes(needle));
}

/** Matches `\u0041` and `\/`, even with multiple backslashes as in nested JSON. */
function createEscapePattern(key: string): RegExp {
  const codes = [...new Set(key)]
    .filter((char) => /[!#-[\]-~]/.test(char))
    .flatMap((char) => {
      const code = char.charCodeAt(0).toString(16);
      return [...new Set([code, code.toUpperCase()])];
    });
  const slash = key.includes('/') ? '/|' : '';
  // The lookbehind keeps matching linear for long runs of backslashes.
  return new RegExp(String.raw`(?<!\\)\\+(?:${slash}u00(${codes.join('|')}))`, 'g');
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

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A frame that is held back, with its unescaped text and the parts of the key found in it. */
interface HeldFrame {
  frame: Frame;
  plain: string;
  cuts: Piece[];
}

interface Piece {
  held: HeldFrame;
  start: number;
  end: number;
  isLast: boolean;
}

/** A series of strings that together end in the first `matched` characters of the key. */
interface Trail {
  matched: number;
  pieces: Set<Piece>;
  /** Number of frames since the last part of the key. */
  idle: number;
}

function redactStream({
  key,
  mayBegin,
  decode,
  redactText,
}: {
  key: string;
  mayBegin: RegExp;
  decode: (text: string) => string;
  redactText: (text: string) => string;
}): StreamRedaction {
  let trails: Trail[] = [];
  const waiting: HeldFrame[] = [];

  function follow(held: HeldFrame): void {
    const values = readStringValues(held.plain.replaceAll(key, '\0'.repeat(key.length)));
    // Merge trails with the same position, because two fields with the same text would cause
    // exponential growth.
    const next = new Map<string, Trail>();
    const add = (matched: number, idle: number, pieces: Iterable<Piece>) => {
      const place = `${matched}/${idle}`;
      const known = next.get(place)?.pieces ?? [];
      next.set(place, { matched, idle, pieces: new Set([...known, ...pieces]) });
    };
    for (const { matched, idle, pieces } of trails) {
      const rest = key.slice(matched);
      let isContinued = false;
      for (const { text, start } of values) {
        const length = text.startsWith(rest)
          ? rest.length
          : rest.startsWith(text)
            ? text.length
            : 0;
        if (length === 0) continue;
        isContinued = true;
        const isLast = length === rest.length;
        const all = [...pieces, { held, start, end: start + length, isLast }];
        if (!isLast) add(matched + length, 0, all);
        else for (const piece of all) piece.held.cuts.push(piece);
      }
      if (!isContinued && idle < MAX_IDLE) add(matched, idle + 1, pieces);
    }
    for (const { text, start } of values) {
      const begun = findBeginning(text, key);
      if (begun === null) continue;
      const end = start + text.length;
      add(begun.matched, 0, [{ held, start: end - begun.length, end, isLast: false }]);
    }
    trails = [...next.values()];
  }

  function release(count: number): Frame[] {
    return waiting.splice(0, count).map((held) => redactFrame(held, redactText));
  }

  return {
    take(frames) {
      const passed: Frame[] = [];
      for (const frame of frames) {
        const held: HeldFrame = { frame, plain: decode(frame.data), cuts: [] };
        waiting.push(held);
        if (!frame.comment && (trails.length > 0 || mayBegin.test(held.plain))) follow(held);
        const long = trails.filter(({ matched }) => matched > MAX_SHOWN);
        const needed = new Set(
          long.flatMap(({ pieces }) => [...pieces].map((piece) => piece.held)),
        );
        const firstNeeded = waiting.findIndex((each) => needed.has(each));
        passed.push(...release(firstNeeded === -1 ? waiting.length : firstNeeded));
      }
      return passed;
    },
    rest: () => release(waiting.length),
  };
}

function redactFrame(
  { frame, plain, cuts }: HeldFrame,
  redactText: (text: string) => string,
): Frame {
  let data = cuts.length === 0 ? frame.data : plain;
  const byStart = new Map(cuts.map((cut) => [cut.start, cut]));
  // Replace from the end, so that earlier positions remain valid.
  for (const { start, end, isLast } of [...byStart.values()].sort((a, b) => b.start - a.start)) {
    data = data.slice(0, start) + (isLast ? REDACTED : '') + data.slice(end);
  }
  data = redactText(data);
  const event = frame.event === null ? null : redactText(frame.event);
  return data === frame.data && event === frame.event ? frame : { ...frame, data, event };
}

/**
 * Finds a key prefix at the end of `text`, including text that continues the key's first character.
 */
function findBeginning(text: string, key: string): { length: number; matched: number } | null {
  for (let length = Math.min(text.length, key.length - 1); length > 1; length -= 1) {
    if (text.endsWith(key.slice(0, length))) return { length, matched: length };
  }
  if (text !== '' && text === key[0]) return { length: 1, matched: 1 };
  const { length } = text;
  const continues = length > 0 && length < key.length - 1 && key.startsWith(text, 1);
  return continues ? { length, matched: 1 + length } : null;
}

/** A pattern nests a group for each character, and V8 can't compile thousands of them. */
const MAX_MATCHED = 256;

/** Matches data that may end in a prefix of the key, without parsing JSON. */
function createBeginPattern(key: string): RegExp {
  const [first, second] = [escapePattern(key.slice(0, 1)), escapePattern(key.slice(1, 2))];
  const isLong = key.length - 1 > MAX_MATCHED;
  const later = [...key.slice(2, isLong ? MAX_MATCHED : -1)].reduceRight(
    (after, char) => `(?:${escapePattern(char)}${after})?`,
    isLong ? '[^"]*' : '',
  );
  const end = '(?:"(?!\\s*:)|$)';
  return new RegExp(`${first}${second}${later}${end}|(?:"|^)(?:${first}|${second}${later})${end}`);
}

/** Matches in parts, because a pattern for a whole string overflows the stack on large base64. */
const QUOTE = /\\[\s\S]|"/g;

/** Returns the string values of a JSON text; data without quotes counts as one value. */
function readStringValues(data: string): { text: string; start: number }[] {
  if (!data.includes('"')) return [{ text: data, start: 0 }];
  const values: { text: string; start: number }[] = [];
  let start: number | null = null;
  for (const { 0: mark, index } of data.matchAll(QUOTE)) {
    if (mark !== '"') continue;
    if (start !== null && !/^\s*:/.test(data.slice(index + 1, index + 9))) {
      values.push({ text: data.slice(start, index), start });
    }
    start = start === null ? index + 1 : null;
  }
  return values;
}
