/**
 * Reads `Invoke-RestMethod`, `Invoke-WebRequest` and curl in PowerShell, as browsers, API clients and
 * documentation write them: with literals and variables. Nothing is run, and the rest of the language
 * is skipped.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { readJsonNumber } from '../parse-json.ts';
import type { HeaderList } from '../run.ts';
import { findNext, match } from './bash-words.ts';
import {
  createExpansionBudget,
  formatPosition,
  MAX_PASTED_DEPTH,
  type PastedBody,
  type PastedFile,
  type PastedRequest,
  PastedTextError,
  UnclosedError,
} from './pasted-request.ts';
import { readCurls } from './read-curl.ts';
import { parseBody } from './request-body.ts';

/** Only a bare word can name a parameter. */
type Argument = { isBare: boolean; value: JsonValue };

/** The value of `Get-Item`, which names a file. */
const FILE_FIELD = '\0file';

const INVOKE = /^(?:invoke-restmethod|invoke-webrequest|irm|iwr)$/i;
/** Parameters without a value. */
const SWITCH = /^-(?:use(?!ragent)|skip|no|allow|preserve|passthru|resume|disable|verbose)/i;
const BLANKS = /(?:[ \t]|`\r?\n)+/y;
const LINE_BLANKS = /(?:\s|`\r?\n|#[^\n]*)+/y;
const SEPARATORS = /(?:[\s,;]|`\r?\n|#[^\n]*)+/y;
const NAME = /[A-Za-z][\w.-]*/y;
const BARE = /(?![@[])[^\s"'`;|(){}$]+/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.-])/iy;
const VARIABLE = /\$((?:env:)?\w+)/iy;
const SPLAT = /@([A-Za-z_]\w*)/y;
/** A type before a value, or a call such as `[Text.Encoding]::UTF8.GetBytes(`. */
const TYPE = /\[[\w.[\],]+\](?:::[\w.]+(?=\())?/y;
/** `$x = `, `$x.name = `, `$x["name"] = ` or the start of `$x.Add("name", …)`. */
const ASSIGNMENT =
  /\$(\w+)(?:(?:\.(\w+)|\[["']([\w-]+)["']\])?[ \t]*=(?:\s|`\r?\n)*|\.(Add)(?=\())/iy;
const HASHTABLE_KEY = /(?:([\w-]+)|"([^"\r\n]*)"|'([^'\r\n]*)')[ \t]*/y;
const STRING_START = /@(['"])[ \t]*\r?\n|(['"])/y;
const HERE_ENDS: Record<string, RegExp> = { "'": /\r?\n[ \t]*'@/g, '"': /\r?\n[ \t]*"@/g };
/** Browsers write characters outside ASCII as `$([char]233)`. */
const SPECIAL = /""|`([\s\S])|\$\(\[char\](\d{1,5})\)|\$((?:env:)?\w+)/gi;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };

/** Throws the first error of the script if it has no request. */
export function readPowerShellRequests(text: string): PastedRequest[] {
  const requests: PastedRequest[] = [];
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
      const current = key === undefined ? null : getVariable(name, '');
      const known = isJsonObject(current) ? current : {};
      variables.set(name, key === undefined ? value : { ...known, [toText(key)]: value });
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
      if (operator === ',') list = [...(list ?? [value]), readValue()];
      else if (operator === '+') value = toText(value) + toText(readValue());
      else {
        const isJson = /^convertto-json/i.test(text.slice(at, at + 14));
        readCommand();
        if (!isJson) continue;
        value = JSON.stringify(list ?? value);
        list = null;
        spend(value.length);
      }
    }
    return list ?? value;
  }

  /** Returns the file that `Get-Item` names, or empty text for any other command. */
  function readCommand(): JsonValue {
    const name = take(NAME)?.[0] ?? '';
    const args: Argument[] = [];
    for (take(BLANKS); at < text.length && !'\r\n;|)}'.includes(peek()); take(BLANKS)) {
      const splat = take(SPLAT);
      const values = splat && getVariable(splat[1] ?? '', '');
      for (const [parameter, value] of Object.entries(isJsonObject(values) ? values : {})) {
        args.push({ isBare: true, value: `-${parameter}` }, { isBare: false, value });
      }
      if (splat !== null) continue;
      const isBare = match(BARE, text, at) !== null;
      let value = isBare ? (take(BARE)?.[0] ?? '') : readValue();
      // Adjacent pieces are one word, as in `$base/v1/models`.
      for (let piece = take(BARE); piece || /["'$(]/.test(peek()); piece = take(BARE)) {
        value = toText(value) + (piece?.[0] ?? toText(readValue()));
      }
      args.push({ isBare, value });
    }
    // In Windows PowerShell, `curl` is `Invoke-WebRequest`, whose parameters have one dash.
    const hasUri = args.some(({ isBare, value }) => isBare && /^-uri$/i.test(toText(value)));
    if (INVOKE.test(name) || (hasUri && /^curl$/i.test(name))) requests.push(readInvoke(args));
    else if (/^curl(?:\.exe)?$/i.test(name)) {
      const words = ['curl', ...args.map(({ value }) => toText(value))];
      requests.push(...readCurls({ commands: [{ words, stdin: null, output: null }], notes: [] }));
    }
    const file = args.at(-1);
    return /^get-item$/i.test(name) && file ? { [FILE_FIELD]: toText(file.value) } : '';
  }

  function readValue(): JsonValue {
    depth += 1;
    if (depth > MAX_PASTED_DEPTH) throw new PastedTextError('It’s nested too deeply.');
    const value = readNested();
    depth -= 1;
    return value;
  }

  function readNested(): JsonValue {
    const type = take(TYPE)?.[0];
    if (type?.includes('::')) return readList()[0] ?? null;
    if (type !== undefined) return readValue();
    if (match(STRING_START, text, at) !== null) return readString();
    if (text.startsWith('@{', at)) return readHashtable();
    if (text.startsWith('@(', at)) {
      at += 1;
      return readList();
    }
    if (peek() === '(') {
      const values = readList();
      return values.length === 1 ? (values[0] ?? null) : values;
    }
    const variable = take(VARIABLE);
    if (variable !== null) return getVariable(variable[1] ?? '', variable[0]);
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
    for (take(SEPARATORS); peek() !== ')'; take(SEPARATORS)) {
      if (at >= text.length) throw new UnclosedError('parenthesis', start);
      values.push(readExpression());
    }
    at += 1;
    return values.flat(1);
  }

  function readHashtable(): JsonObject {
    const start = at;
    const entries: [string, JsonValue][] = [];
    at += 2;
    for (take(SEPARATORS); peek() !== '}'; take(SEPARATORS)) {
      if (at >= text.length) throw new UnclosedError('brace', start);
      const [, bare, double, single] = take(HASHTABLE_KEY) ?? [];
      if (peek() !== '=') {
        const position = formatPosition(at);
        throw new PastedTextError(`Expected “=” at character ${position} of the hashtable.`);
      }
      at += 1;
      take(LINE_BLANKS);
      entries.push([bare ?? double ?? single ?? '', readExpression()]);
    }
    at += 1;
    return Object.fromEntries(entries);
  }

  function readString(): string {
    const start = at;
    const [, hereQuote, plainQuote] = take(STRING_START) ?? [];
    const quote = hereQuote ?? plainQuote ?? '';
    const from = at;
    const marks = quote === "'" ? /'/g : /["`]/g;
    if (hereQuote !== undefined) {
      // The line break before the end may be the one after the start.
      at = findNext(HERE_ENDS[quote] ?? /$/g, text, from - 1);
    } else {
      for (at = findNext(marks, text, at); at < text.length; at = findNext(marks, text, at + 2)) {
        if (text[at] === quote && text[at + 1] !== quote) break;
      }
    }
    if (at >= text.length) {
      const plain = quote === "'" ? 'single quote' : 'double quote';
      throw new UnclosedError(hereQuote === undefined ? plain : 'here-string', start);
    }
    const body = text.slice(from, Math.max(at, from));
    at = hereQuote === undefined ? at + 1 : text.indexOf('@', at) + 1;
    if (quote === '"') return expand(body);
    return hereQuote === undefined ? body.replaceAll("''", "'") : body;
  }

  function expand(body: string): string {
    return body.replace(SPECIAL, (written, escaped, code, name) => {
      if (written === '""') return '"';
      if (escaped !== undefined) return ESCAPES[escaped] ?? escaped;
      if (code !== undefined) return String.fromCharCode(Number(code));
      return toText(getVariable(name, written));
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
  if (requests.length === 0 && problem !== null) throw problem;
  return requests;
}

function readInvoke(args: readonly Argument[]): PastedRequest {
  const parameters = readParameters(args);
  const uri = parameters.get('uri');
  if (uri === undefined) throw new PastedTextError('The PowerShell command has no -Uri.');
  const table = parameters.get('headers');
  const headers: HeaderList = Object.entries(isJsonObject(table) ? table : {}).map(
    ([name, value]) => [name, toText(value)],
  );
  const type = parameters.get('contenttype');
  if (type !== undefined) headers.push(['Content-Type', toText(type)]);
  const form = parameters.get('form');
  const file = parameters.get('infile');
  const body = toText(parameters.get('body') ?? '');
  return {
    source: 'powershell',
    method: toText(parameters.get('method') ?? 'GET').toUpperCase(),
    url: toText(uri),
    headers,
    body: isJsonObject(form) ? readForm(form) : parseBody(body, headers),
    notes:
      file === undefined ? [] : [`The file “${getFileName(file)}” can’t be read from pasted text.`],
  };
}

function readParameters(args: readonly Argument[]): Map<string, JsonValue> {
  const parameters = new Map<string, JsonValue>();
  for (let index = 0; index < args.length; index += 1) {
    const { isBare = false, value = '' } = args[index] ?? {};
    const word = isBare ? toText(value) : '';
    if (/^-[a-z]/i.test(word)) {
      if (SWITCH.test(word)) continue;
      index += 1;
      parameters.set(word.slice(1).toLowerCase(), args[index]?.value ?? '');
    } else if (!parameters.has('uri')) parameters.set('uri', value);
  }
  return parameters;
}

function readForm(form: JsonObject): PastedBody {
  const fields: [string, string][] = [];
  const files: PastedFile[] = [];
  for (const [field, value] of Object.entries(form)) {
    if (isFile(value)) files.push({ field, fileName: getFileName(value) });
    else fields.push([field, toText(value)]);
  }
  return { kind: 'form', fields, files };
}

function isFile(value: JsonValue): value is { [FILE_FIELD]: string } {
  return isJsonObject(value) && FILE_FIELD in value;
}

function getFileName(value: JsonValue): string {
  return toText(value).split(/[\\/]/).at(-1) ?? '';
}

function toText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return isFile(value) ? value[FILE_FIELD] : JSON.stringify(value);
}
