/** Reads the commands of a PowerShell script with their literal arguments, without running it. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { jsonNumber } from '../parse-json.ts';
import { findNext, match } from './bash-words.ts';
import {
  createExpansionBudget,
  formatPosition,
  MAX_PASTED_DEPTH,
  PastedTextError,
  UnclosedError,
} from './pasted-request.ts';
import {
  type Quoted,
  readDoubleQuoted,
  readHereString,
  readSingleQuoted,
} from './powershell-strings.ts';

export interface PowerShellCommand {
  name: string;
  args: PowerShellArgument[];
}

/** Only a bare word can name a parameter; `@name` passes the parameters of a hashtable. */
export type PowerShellArgument =
  | { kind: 'bare'; text: string }
  | { kind: 'value'; value: JsonValue }
  | { kind: 'splat'; values: JsonValue };

/** The value of `Get-Item`, which names a file. */
export const FILE_FIELD = '\0file';

const BLANKS = /(?:[ \t]|`\r?\n)+/y;
const LINE_BLANKS = /(?:\s|`\r?\n)+/y;
const VARIABLE = /\$(?:\{([^}\r\n]+)\}|((?:env:|script:|global:)?\w+))/iy;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w-])/iy;
const TYPE = /\[[\w.[\]]+\]/y;
const STATIC_CALL = /::(?:\w+\.)*\w+\(/y;
const MEMBER = /\.(\w+)(?![\w(])/y;
const ADD_CALL = /\.Add\(/iy;
const KEY = /[\w-]+/y;
const NAME = /[A-Za-z][\w.-]*/y;
const BARE = /[^\s"'`;|(){}$]+/y;
const SPLAT = /@([A-Za-z_]\w*)/y;
/** A variable that is the start of a word, as in `$base/v1/models`. */
const WORD_WITH_VARIABLE = /\$(?:\{[^}\r\n]+\}|(?:env:)?\w+)[/:?&=-]/iy;

export interface PowerShellScript {
  commands: PowerShellCommand[];
  /** The first statement that couldn't be read; null if all could. */
  problem: PastedTextError | null;
}

export function readPowerShell(text: string): PowerShellScript {
  const commands: PowerShellCommand[] = [];
  const variables = new Map<string, JsonValue>();
  const lengths = new Map<string, number>();
  const spend = createExpansionBudget();
  let at = 0;
  let depth = 0;

  const peek = () => text[at] ?? '';
  const skip = (pattern: RegExp) => {
    for (;;) {
      at += match(pattern, text, at)?.[0].length ?? 0;
      if (text.startsWith('<#', at)) {
        const end = text.indexOf('#>', at);
        at = end === -1 ? text.length : end + 2;
      } else if (peek() === '#') at = findNext(/\n/g, text, at);
      else return;
    }
  };

  function setVariable(name: string, value: JsonValue): void {
    variables.set(name, value);
    lengths.set(name, JSON.stringify(value).length);
  }

  function getVariable(written: string, name: string): JsonValue {
    spend(lengths.get(name) ?? 0);
    return variables.get(name) ?? (constants.has(name) ? (constants.get(name) ?? null) : written);
  }

  function nest<Value>(read: () => Value): Value {
    depth += 1;
    if (depth > MAX_PASTED_DEPTH) throw new PastedTextError('It’s nested too deeply.');
    const value = read();
    depth -= 1;
    return value;
  }

  function readStatement(): void {
    const start = at;
    const variable = match(VARIABLE, text, at);
    if (variable !== null && peek() === '$') {
      at += variable[0].length;
      if (readAssignment((variable[1] ?? variable[2] ?? '').toLowerCase())) return;
      at = start;
    }
    readPipeline();
    if (at === start) at += 1;
  }

  /** Reads `$x = …`, `$x.name = …`, `$x["name"] = …` and `$x.Add("name", …)`. */
  function readAssignment(name: string): boolean {
    const add = match(ADD_CALL, text, at);
    const member = match(MEMBER, text, at);
    let key: string | null = null;
    if (add !== null) {
      at += add[0].length;
      const values = readList(')');
      setField(name, toText(values[0] ?? ''), values[1] ?? '');
      return true;
    }
    if (member !== null) {
      key = member[1] ?? '';
      at += member[0].length;
    } else if (peek() === '[') {
      at += 1;
      key = toText(readExpression());
      skip(LINE_BLANKS);
      if (peek() === ']') at += 1;
    }
    skip(BLANKS);
    if (peek() !== '=') return false;
    at += 1;
    skip(LINE_BLANKS);
    const value = readPipeline();
    if (key === null) setVariable(name, value);
    else setField(name, key, value);
    return true;
  }

  function setField(name: string, key: string, value: JsonValue): void {
    const current = variables.get(name);
    spend(lengths.get(name) ?? 0);
    setVariable(name, { ...(isJsonObject(current) && current), [key]: value });
  }

  /** Reads an expression or a command, and what `|` does with its result. */
  function readPipeline(): JsonValue {
    let value = match(NAME, text, at) === null ? readExpression() : readCommand();
    for (skip(BLANKS); peek() === '|'; skip(BLANKS)) {
      at += 1;
      skip(LINE_BLANKS);
      const name = match(NAME, text, at)?.[0].toLowerCase();
      readCommand();
      if (name === 'convertto-json') value = JSON.stringify(value);
      else if (name !== 'out-string') value = '';
    }
    return value;
  }

  function readCommand(): JsonValue {
    const name = match(NAME, text, at)?.[0] ?? '';
    at += name.length;
    const command: PowerShellCommand = { name, args: [] };
    for (skip(BLANKS); at < text.length && !'\r\n;|)}'.includes(peek()); skip(BLANKS)) {
      const start = at;
      command.args.push(readArgument());
      if (at === start) at += 1;
    }
    commands.push(command);
    return getResult(command);
  }

  function readArgument(): PowerShellArgument {
    const splat = match(SPLAT, text, at);
    if (splat !== null) {
      at += splat[0].length;
      return { kind: 'splat', values: getVariable('', (splat[1] ?? '').toLowerCase()) };
    }
    const isValue = /["'$@([]/.test(peek()) || match(NUMBER, text, at) !== null;
    if (isValue && match(WORD_WITH_VARIABLE, text, at) === null) {
      return { kind: 'value', value: readExpression() };
    }
    const pieces: string[] = [];
    while (at < text.length && !/[\s;|(){}]/.test(peek())) pieces.push(readBarePiece());
    return { kind: 'bare', text: pieces.join('') };
  }

  /** A bare word may contain quoted text, as in `-H:"name: value"`. */
  function readBarePiece(): string {
    if (peek() === '"' || peek() === "'") return readString();
    if (peek() === '$') return toText(readVariable());
    if (peek() === '`') {
      at += 2;
      return text[at - 1] ?? '';
    }
    const [bare = ''] = match(BARE, text, at) ?? [];
    at += Math.max(bare.length, 1);
    return bare;
  }

  /** Reads values joined by `+` or by commas, which make a list. */
  function readExpression(): JsonValue {
    const values = [readSum()];
    for (skip(BLANKS); peek() === ','; skip(BLANKS)) {
      at += 1;
      skip(LINE_BLANKS);
      values.push(readSum());
    }
    return values.length === 1 ? (values[0] ?? null) : values;
  }

  function readSum(): JsonValue {
    let value = readValue();
    for (skip(BLANKS); peek() === '+'; skip(BLANKS)) {
      at += 1;
      skip(LINE_BLANKS);
      const other = readValue();
      value =
        isJsonObject(value) && isJsonObject(other)
          ? { ...value, ...other }
          : toText(value) + toText(other);
    }
    return value;
  }

  function readValue(): JsonValue {
    const type = match(TYPE, text, at);
    if (type !== null) {
      at += type[0].length;
      const call = match(STATIC_CALL, text, at);
      if (call === null) return nest(readValue);
      at += call[0].length;
      const [first = null] = nest(() => readList(')'));
      return /ReadAllBytes/i.test(call[0]) ? { [FILE_FIELD]: toText(first) } : first;
    }
    const hereString = readHereString(text, at, expand);
    if (hereString !== null) {
      at = hereString.next;
      return hereString.value;
    }
    if (text.startsWith('@{', at)) return nest(readHashtable);
    if (text.startsWith('@(', at)) {
      at += 2;
      return nest(() => readList(')')).flat(1);
    }
    if (peek() === '(') {
      at += 1;
      const values = nest(() => readList(')'));
      return values.length === 1 ? (values[0] ?? null) : values;
    }
    if (peek() === '"' || peek() === "'") return readString();
    if (peek() === '$') return readVariable();
    const number = match(NUMBER, text, at);
    if (number !== null) {
      at += number[0].length;
      return jsonNumber(number[0]);
    }
    const name = match(NAME, text, at);
    if (name !== null) return nest(readCommand);
    throw new PastedTextError(
      at >= text.length
        ? 'The PowerShell command ends too early.'
        : `The PowerShell at character ${formatPosition(at)} can’t be read.`,
    );
  }

  function readVariable(): JsonValue {
    const variable = match(VARIABLE, text, at);
    if (variable === null) {
      if (text.startsWith('$(', at)) {
        at += 2;
        return nest(() => readList(')'))[0] ?? null;
      }
      at += 1;
      return '$';
    }
    at += variable[0].length;
    const value = getVariable(variable[0], (variable[1] ?? variable[2] ?? '').toLowerCase());
    const member = match(MEMBER, text, at);
    if (member === null) return value;
    at += member[0].length;
    const found = isJsonObject(value) ? value[member[1] ?? ''] : undefined;
    return found ?? variable[0] + member[0];
  }

  function readList(close: string): JsonValue[] {
    const start = at - 1;
    const values: JsonValue[] = [];
    for (;;) {
      skip(LINE_BLANKS);
      if (at >= text.length) throw new UnclosedError('parenthesis', start);
      if (peek() === close) break;
      if (peek() === ',' || peek() === ';') at += 1;
      else {
        const value = readPipeline();
        // Both commas and line breaks separate items, so flatten one level.
        values.push(...(Array.isArray(value) ? value : [value]));
      }
    }
    at += 1;
    return values;
  }

  function readHashtable(): JsonObject {
    const start = at;
    const entries: [string, JsonValue][] = [];
    at += 2;
    for (;;) {
      skip(LINE_BLANKS);
      if (at >= text.length) throw new UnclosedError('brace', start);
      if (peek() === '}') break;
      if (peek() === ';' || peek() === ',') {
        at += 1;
        continue;
      }
      const key = readKey();
      skip(BLANKS);
      if (peek() !== '=') {
        throw new PastedTextError(
          `Expected “=” at character ${formatPosition(at)} of the hashtable.`,
        );
      }
      at += 1;
      skip(LINE_BLANKS);
      entries.push([key, readPipeline()]);
    }
    at += 1;
    return Object.fromEntries(entries);
  }

  function readKey(): string {
    if (peek() === '"' || peek() === "'") return readString();
    const [key = ''] = match(KEY, text, at) ?? [];
    at += key.length;
    return key;
  }

  function readString(): string {
    const { value, next } =
      peek() === "'" ? readSingleQuoted(text, at) : readDoubleQuoted(text, at, expand);
    at = next;
    return value;
  }

  function expand(index: number): Quoted {
    at = index;
    const value = toText(readVariable());
    return { value, next: at };
  }

  let problem: PastedTextError | null = null;
  while (at < text.length) {
    skip(LINE_BLANKS);
    if (at >= text.length) break;
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

const constants: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const FILE_OPTION = /^-(?:Raw|Path|LiteralPath|Encoding|AsByteStream)$/i;

function getResult({ name, args }: PowerShellCommand): JsonValue {
  if (!/^(?:get-item|get-childitem|get-content|gc|gi)$/i.test(name)) return '';
  const texts = args.flatMap((arg) => {
    if (arg.kind === 'splat') return [];
    return arg.kind === 'bare' ? [arg.text] : [toText(arg.value)];
  });
  const path = texts.findLast((text) => !FILE_OPTION.test(text));
  return path === undefined ? '' : { [FILE_FIELD]: path };
}

export function toText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isJsonObject(value) && typeof value[FILE_FIELD] === 'string') return `@${value[FILE_FIELD]}`;
  return JSON.stringify(value);
}
