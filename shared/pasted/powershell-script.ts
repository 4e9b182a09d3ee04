/**
 * Reads the commands and literals of PowerShell that browsers, API clients and documentation write,
 * without running it. The rest of the language is skipped.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { readJsonNumber } from '../parse-json.ts';
import { findNext, match } from './bash-words.ts';
import {
  createExpansionBudget,
  formatPosition,
  MAX_PASTED_DEPTH,
  PastedTextError,
  UnclosedError,
} from './pasted-request.ts';

/** Only a bare word can name a parameter. */
export type PowerShellArgument = { isBare: boolean; value: JsonValue };
export type PowerShellCommand = { name: string; args: PowerShellArgument[] };

/** The value of `Get-Item`, which names a file. */
export const FILE_FIELD = '\0file';

const BLANKS = /(?:[ \t]|`\r?\n)+/y;
const LINE_BLANKS = /(?:\s|`\r?\n|#[^\n]*)+/y;
const NAME = /[A-Za-z][\w.-]*/y;
const BARE = /[^\s"'`;|(){}$]+|`[\s\S]/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.-])/iy;
const VARIABLE = /\$(?:\{([^}\r\n]+)\}|((?:env:)?\w+))/iy;
const SPLAT = /@([A-Za-z_]\w*)/y;
/** A type before a value, or a call such as `[Text.Encoding]::UTF8.GetBytes(`. */
const TYPE = /\[[\w.[\],]+\](?:::([\w.]+)(?=\())?/y;
/** `$x = `, `$x.name = `, `$x["name"] = ` or the start of `$x.Add("name", …)`. */
const ASSIGNMENT =
  /\$(\w+)(?:(?:\.(\w+)|\[["']([\w-]+)["']\])?[ \t]*=(?:\s|`\r?\n)*|\.(Add)(?=\())/iy;
const HASHTABLE_KEY = /(?:([\w-]+)|"([^"\r\n]*)"|'([^'\r\n]*)')[ \t]*/y;
const HERE_STRING = /@(['"])[ \t]*\r?\n/y;
const HERE_ENDS: Record<string, RegExp> = { "'": /\r?\n[ \t]*'@/g, '"': /\r?\n[ \t]*"@/g };
/** Browsers write characters outside ASCII as `$([char]233)`. */
const SPECIAL =
  /""|`([\s\S])|\$\(\[char\](\d{1,5})\)|\$(?:\(\$((?:env:)?\w+)\)|\{([^}\r\n]+)\}|((?:env:)?\w+))/gi;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };

/** `problem` is the first statement that couldn't be read; null if all could. */
export function readPowerShell(text: string): {
  commands: PowerShellCommand[];
  problem: PastedTextError | null;
} {
  const commands: PowerShellCommand[] = [];
  const variables = new Map<string, JsonValue>([
    ['true', true],
    ['false', false],
    ['null', null],
  ]);
  const spend = createExpansionBudget();
  let at = 0;
  let depth = 0;

  const peek = () => text[at] ?? '';
  const take = (pattern: RegExp) => {
    const found = match(pattern, text, at);
    at += found?.[0].length ?? 0;
    return found;
  };

  function getVariable(name: string, written: string): JsonValue {
    const value = variables.get(name.toLowerCase());
    if (value === undefined) return written;
    spend(JSON.stringify(value).length);
    return value;
  }

  function readStatement(): void {
    const target = take(ASSIGNMENT);
    if (target !== null) {
      const [, written = '', member, index, add] = target;
      const [key, value = ''] = add ? readList() : [member ?? index, readExpression()];
      const name = written.toLowerCase();
      if (key === undefined) variables.set(name, value);
      else {
        const current = getVariable(name, '');
        variables.set(name, { ...(isJsonObject(current) && current), [toText(key)]: value });
      }
    } else if (peek() === '$') at = findNext(/[\n;]/g, text, at);
    else if (/[\w([@"']/.test(peek())) readExpression();
    else at += 1;
  }

  /** Reads values with `,`, `+` and `|` between them, in the order in which they are written. */
  function readExpression(): JsonValue {
    let value = readValue();
    let list: JsonValue[] | null = null;
    for (take(BLANKS); peek() !== '' && ',+|'.includes(peek()); take(BLANKS)) {
      const operator = peek();
      at += 1;
      take(LINE_BLANKS);
      if (operator === '|') {
        const isJson = /^convertto-json/i.test(text.slice(at, at + 14));
        readCommand();
        if (!isJson) continue;
        value = JSON.stringify(list ?? value);
        list = null;
        spend(value.length);
      } else if (operator === '+') value = toText(value) + toText(readValue());
      else {
        list ??= [value];
        list.push(readValue());
      }
    }
    return list ?? value;
  }

  function readCommand(): JsonValue {
    const command: PowerShellCommand = { name: take(NAME)?.[0] ?? '', args: [] };
    for (take(BLANKS); at < text.length && !'\r\n;|)}'.includes(peek()); take(BLANKS)) {
      const start = at;
      readArgument(command.args);
      if (at === start) at += 1;
    }
    commands.push(command);
    const file = command.args.findLast(({ isBare, value }) => !isBare || !/^-/.test(toText(value)));
    return /^(?:get-item|gi)$/i.test(command.name) && file
      ? { [FILE_FIELD]: toText(file.value) }
      : '';
  }

  function readArgument(args: PowerShellArgument[]): void {
    const splat = take(SPLAT);
    if (splat !== null) {
      const values = getVariable(splat[1] ?? '', '');
      for (const [name, value] of Object.entries(isJsonObject(values) ? values : {})) {
        args.push({ isBare: true, value: `-${name}` }, { isBare: false, value });
      }
      return;
    }
    const isBare = match(BARE, text, at) !== null && !'@['.includes(peek());
    let value = isBare ? (take(BARE)?.[0] ?? '') : readValue();
    // Adjacent pieces are one word, as in `$base/v1/models`.
    for (let piece = take(BARE); piece || /["'$(]/.test(peek()); piece = take(BARE)) {
      value = toText(value) + (piece?.[0].replace('`', '') ?? toText(readValue()));
    }
    args.push({ isBare, value });
  }

  function readValue(): JsonValue {
    depth += 1;
    if (depth > MAX_PASTED_DEPTH) throw new PastedTextError('It’s nested too deeply.');
    const value = readNested();
    depth -= 1;
    return value;
  }

  function readNested(): JsonValue {
    const type = take(TYPE);
    if (type?.[1] !== undefined) {
      const [first = null] = readList();
      return type[1] === 'ReadAllBytes' ? { [FILE_FIELD]: toText(first) } : first;
    }
    if (type !== null) return readValue();
    if (match(HERE_STRING, text, at) !== null) return readHereString();
    if (text.startsWith('@{', at)) return readHashtable();
    if (text.startsWith('@(', at)) {
      at += 1;
      return readList();
    }
    if (peek() === '(') {
      const values = readList();
      return values.length === 1 ? (values[0] ?? null) : values;
    }
    if (peek() === '"' || peek() === "'") return readString(peek());
    const variable = take(VARIABLE);
    if (variable !== null) return getVariable(variable[1] ?? variable[2] ?? '', variable[0]);
    const number = take(NUMBER);
    if (number !== null) return readJsonNumber(number[0]);
    if (match(NAME, text, at) !== null) return readCommand();
    throw new PastedTextError(
      at >= text.length
        ? 'The PowerShell command ends too early.'
        : `The PowerShell at character ${formatPosition(at)} can’t be read.`,
    );
  }

  /** Reads up to the closing parenthesis; both commas and line breaks separate values. */
  function readList(): JsonValue[] {
    const start = at;
    const values: JsonValue[] = [];
    at += 1;
    for (take(LINE_BLANKS); peek() !== ')'; take(LINE_BLANKS)) {
      if (at >= text.length) throw new UnclosedError('parenthesis', start);
      if (',;'.includes(peek())) at += 1;
      else values.push(readExpression());
    }
    at += 1;
    return values.flat(1);
  }

  function readHashtable(): JsonObject {
    const start = at;
    const entries: [string, JsonValue][] = [];
    at += 2;
    for (take(LINE_BLANKS); peek() !== '}'; take(LINE_BLANKS)) {
      if (at >= text.length) throw new UnclosedError('brace', start);
      const key = take(HASHTABLE_KEY);
      if (peek() === '=') {
        at += 1;
        take(LINE_BLANKS);
        entries.push([key?.[1] ?? key?.[2] ?? key?.[3] ?? '', readExpression()]);
      } else if (';,'.includes(peek()) && key === null) at += 1;
      else {
        const position = formatPosition(at);
        throw new PastedTextError(`Expected “=” at character ${position} of the hashtable.`);
      }
    }
    at += 1;
    return Object.fromEntries(entries);
  }

  function readHereString(): string {
    const start = at;
    const quote = take(HERE_STRING)?.[1] ?? '"';
    const from = at;
    // The line break before the end may be the one after the start.
    const end = findNext(HERE_ENDS[quote] ?? /$/g, text, from - 1);
    if (end >= text.length) throw new UnclosedError('here-string', start);
    at = text.indexOf('@', end) + 1;
    const body = text.slice(from, Math.max(end, from));
    return quote === "'" ? body : expand(body);
  }

  function readString(quote: string): string {
    const start = at;
    const marks = quote === "'" ? /'/g : /["`]/g;
    at += 1;
    for (;;) {
      at = findNext(marks, text, at);
      if (at >= text.length) {
        throw new UnclosedError(quote === "'" ? 'single quote' : 'double quote', start);
      }
      if (text[at] !== quote || text[at + 1] === quote) at += 2;
      else break;
    }
    at += 1;
    const body = text.slice(start + 1, at - 1);
    return quote === "'" ? body.replaceAll("''", "'") : expand(body);
  }

  function expand(body: string): string {
    return body.replace(SPECIAL, (written, escaped, code, inner, braced, plain) => {
      if (written === '""') return '"';
      if (escaped !== undefined) return ESCAPES[escaped] ?? escaped;
      if (code !== undefined) return String.fromCharCode(Number(code));
      return toText(getVariable(inner ?? braced ?? plain, written));
    });
  }

  let problem: PastedTextError | null = null;
  for (take(LINE_BLANKS); at < text.length; take(LINE_BLANKS)) {
    try {
      readStatement();
    } catch (error) {
      if (!(error instanceof PastedTextError)) throw error;
      problem ??= error;
      depth = 0;
      at = error instanceof UnclosedError ? text.length : findNext(/\n/g, text, at);
    }
  }
  return { commands, problem };
}

export function toText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isJsonObject(value) && typeof value[FILE_FIELD] === 'string') return `@${value[FILE_FIELD]}`;
  return JSON.stringify(value);
}
