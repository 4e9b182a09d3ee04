/** Reads literal values of JavaScript, such as JSON5 and calls of `JSON.stringify`, without eval. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { readJsonNumber } from '../parse-json.ts';
import { findNext, match } from './bash-words.ts';
import {
  CLASS_FIELD,
  FILE_FIELD,
  PAIRS_FIELD,
  toPair,
  toShortText,
  toText,
} from './literal-request.ts';
import {
  createExpansionBudget,
  MAX_PASTED_DEPTH,
  PastedTextError,
  UnclosedError,
  UnexpectedError,
} from './pasted-request.ts';

export const IDENTIFIER = /[A-Za-z_$][\w$]*/y;
/** Skipped, because `await` doesn't change the value. */
const AWAITS = /(?:await\s+)+/y;
const NUMBER = /[-+]?(?:0x[\da-f]+n?|(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?n?)/iy;
const ESCAPE = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[\s\S]))/y;
const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\n': '',
  '\r\n': '',
  '\u2028': '',
  '\u2029': '',
};
const FILE_CALL = /(?:createReadStream|readFileSync|readFile|openAsBlob|fileFromPath|Bun\.file)$/;

export interface JavaScriptReader {
  at: number;
  readonly variables: Map<string, JsonValue>;
  skipBlanks(): void;
  /** Throws a `PastedTextError` if the text isn't a value. */
  readValue(): JsonValue;
  /** Reads arguments up to the closing parenthesis. */
  readArguments(): JsonValue[];
  readString(): string;
}

export function createJavaScriptReader(text: string, start = 0): JavaScriptReader {
  const variables = new Map<string, JsonValue>();
  const spend = createExpansionBudget();
  let depth = 0;

  const reader: JavaScriptReader = {
    at: start,
    variables,
    skipBlanks,
    readValue,
    readArguments: () => readItems(')'),
    readString,
  };

  function skipBlanks(): void {
    for (;;) {
      reader.at = findNext(/\S/g, text, reader.at);
      if (text.startsWith('//', reader.at)) reader.at = findNext(/\n/g, text, reader.at);
      else if (text.startsWith('/*', reader.at)) {
        const end = text.indexOf('*/', reader.at + 2);
        if (end === -1) throw new UnclosedError('comment', reader.at);
        reader.at = end + 2;
      } else return;
    }
  }

  function takes(mark: string): boolean {
    skipBlanks();
    if (!text.startsWith(mark, reader.at)) return false;
    reader.at += mark.length;
    return true;
  }

  function readValue(): JsonValue {
    depth += 1;
    if (depth > MAX_PASTED_DEPTH) throw new PastedTextError('It’s nested too deeply.');
    try {
      const start = reader.at;
      let value = readOperand();
      while (takes('+')) value = toText(value) + toText(readOperand());
      // Encoding JSON in JSON again doubles its backslashes at each level.
      if (typeof value === 'string') spend(Math.max(value.length - (reader.at - start), 0));
      return value;
    } finally {
      depth -= 1;
    }
  }

  function readOperand(): JsonValue {
    skipBlanks();
    reader.at += match(AWAITS, text, reader.at)?.[0].length ?? 0;
    const char = text[reader.at] ?? '';
    if (char === '"' || char === "'" || char === '`') return readString();
    if (char === '{') return readObject();
    if (char === '[') {
      reader.at += 1;
      return readItems(']');
    }
    if (char === '(') {
      reader.at += 1;
      return readItems(')')[0] ?? null;
    }
    const number = match(NUMBER, text, reader.at);
    if (number !== null) {
      reader.at += number[0].length;
      return toNumber(number[0]);
    }
    const name = match(IDENTIFIER, text, reader.at);
    if (name === null) throw new UnexpectedError('JavaScript', text, reader.at);
    return readNamed(name[0]);
  }

  function readItems(close: string): JsonValue[] {
    const opening = reader.at - 1;
    const items: JsonValue[] = [];
    while (!takes(close)) {
      if (reader.at >= text.length) {
        throw new UnclosedError(close === ']' ? 'bracket' : 'parenthesis', opening);
      }
      items.push(readValue());
      if (!takes(',') && text[reader.at] !== close && reader.at < text.length) {
        throw new UnexpectedError('JavaScript', text, reader.at);
      }
    }
    return items;
  }

  function readObject(): JsonObject {
    const opening = reader.at;
    const entries: [string, JsonValue][] = [];
    reader.at += 1;
    while (!takes('}')) {
      if (reader.at >= text.length) throw new UnclosedError('brace', opening);
      const isQuoted = /["'`]/.test(text[reader.at] ?? '');
      const key = isQuoted ? readString() : readKey();
      if (takes(':')) entries.push([key, readValue()]);
      else entries.push([key, getVariable(key)]);
      if (!takes(',') && text[reader.at] !== '}' && reader.at < text.length) {
        throw new UnexpectedError('JavaScript', text, reader.at);
      }
    }
    return Object.fromEntries(entries);
  }

  function readKey(): string {
    if (takes('[')) return toShortText(readItems(']')[0] ?? '');
    const key = match(IDENTIFIER, text, reader.at) ?? match(NUMBER, text, reader.at);
    if (key === null) throw new UnexpectedError('JavaScript', text, reader.at);
    reader.at += key[0].length;
    return key[0];
  }

  function getVariable(name: string): JsonValue {
    const value = variables.get(name);
    // Texts count where they are read.
    spend(typeof value === 'object' ? JSON.stringify(value).length : 0);
    return value ?? name;
  }

  /** Reads constants, variables, `new FormData()` and known calls; keeps other calls as text. */
  function readNamed(first: string): JsonValue {
    const start = reader.at;
    reader.at += first.length;
    if (first === 'true' || first === 'false') return first === 'true';
    if (first === 'null' || first === 'undefined') return null;
    if (first === 'new') return readNew();
    let path = first;
    while (takes('.') || takes('?.')) {
      const member = match(IDENTIFIER, text, reader.at);
      if (member === null) throw new UnexpectedError('JavaScript', text, reader.at);
      reader.at += member[0].length;
      path += `.${member[0]}`;
    }
    if (takes('(')) {
      const args = readItems(')');
      if (path === 'JSON.stringify') return JSON.stringify(args[0] ?? null);
      if (path === 'String' || path === 'encodeURIComponent') return toText(args[0] ?? '');
      if (FILE_CALL.test(path)) return { [FILE_FIELD]: toShortText(args[0] ?? '') };
      return text.slice(start, reader.at);
    }
    return path === first ? getVariable(first) : path;
  }

  function readNew(): JsonValue {
    skipBlanks();
    const name = match(IDENTIFIER, text, reader.at)?.[0] ?? '';
    reader.at += name.length;
    const [first = null] = takes('(') ? readItems(')') : [];
    if (name === 'Headers' || name === 'URL') return first ?? {};
    if (name === 'URLSearchParams' || name === 'FormData') {
      const pairs = isJsonObject(first) ? Object.entries(first) : Array.isArray(first) ? first : [];
      return { [CLASS_FIELD]: name, [PAIRS_FIELD]: pairs.map((pair) => [...toPair(pair)]) };
    }
    return first;
  }

  function readString(): string {
    const opening = reader.at;
    const quote = text[opening] ?? '';
    const special = quote === '`' ? /[`\\$]/g : quote === '"' ? /["\\\n]/g : /['\\\n]/g;
    const pieces: string[] = [];
    reader.at += 1;
    for (;;) {
      const next = findNext(special, text, reader.at);
      pieces.push(text.slice(reader.at, next));
      reader.at = next;
      const char = text[next];
      if (char === quote) {
        reader.at += 1;
        return pieces.join('');
      }
      if (char === '$') pieces.push(readTemplateValue());
      else if (char === '\\') pieces.push(readEscape());
      else
        throw new UnclosedError(
          quote === "'" ? 'single quote' : quote === '`' ? 'backtick' : 'double quote',
          opening,
        );
    }
  }

  /** Replaces `${…}` with the value of a known variable; otherwise keeps it as written. */
  function readTemplateValue(): string {
    const start = reader.at;
    reader.at += 1;
    if (text[reader.at] !== '{') return '$';
    const end = text.indexOf('}', reader.at);
    if (end === -1) throw new UnclosedError('brace', start);
    const name = text.slice(reader.at + 1, end).trim();
    reader.at = end + 1;
    return variables.has(name) ? toText(getVariable(name)) : text.slice(start, end + 1);
  }

  function readEscape(): string {
    const found = match(ESCAPE, text, reader.at);
    if (found === null) throw new UnexpectedError('JavaScript', text, text.length);
    reader.at += found[0].length;
    const [, long, short, byte, letter = ''] = found;
    const code = long ?? short ?? byte;
    if (code === undefined) return LETTERS[letter] ?? letter;
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : found[0];
  }

  return reader;
}

/** Converts notations that JSON lacks, such as hexadecimal or `1_000`. */
function toNumber(source: string): JsonValue {
  const plain = source.replace(/[_n+]/g, (mark) => (mark === '+' ? '+' : '')).replace(/^\+/, '');
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(plain)
    ? readJsonNumber(plain)
    : Number(plain);
}
