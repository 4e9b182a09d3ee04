/** Reads PowerShell requests as browsers, API clients and documentation write them; runs nothing. */
import { isJsonObject, type JsonValue } from '../json.ts';
import { parseJson, readJsonNumber } from '../parse-json.ts';
import { findNext, match } from './bash-words.ts';
import {
  CLASS_FIELD,
  createRequest,
  FILE_FIELD,
  PAIRS_FIELD,
  toShortText,
  toText,
} from './literal-request.ts';
import {
  createExpansionBudget,
  FinalPastedTextError,
  formatPosition,
  MAX_PASTED_DEPTH,
  MAX_PASTED_PROBLEMS,
  type PastedRequest,
  PastedTextError,
  UnclosedError,
  UnexpectedError,
} from './pasted-request.ts';
import { readCurls } from './read-curl.ts';

const INVOKE = /^(?:invoke-restmethod|invoke-webrequest|irm|iwr)$/i;
/** In Windows PowerShell, `curl` is `Invoke-WebRequest`, whose parameters have one dash. */
const INVOKE_PARAMETER = /^-(?:uri|method|headers|body)$/i;
/** Parameters without a value, and splatted variables that the script doesn't assign. */
const SWITCH = /^(?:@|-(?:use(?!ragent)|skip|no|allow|preserve|passthru|resume|disable|verbose))/i;

/** Includes no-break spaces, which web pages put into commands. */
const BLANKS = /[^\S\r\n]+|`\r?\n/y;
/** Separators, comments, types and static methods, all skipped before a value. */
const IGNORED = /[\s,;&]+|`\r?\n|#[^\n]*|\[[\w.[\],]+\](?:::[\w.]+(?=\())?/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.-])/iy;
const HERE_STRING = /@(["'])[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??[ \t]*\1@/y;
/** A variable, a command, or the start of a string, list or hashtable. */
const VALUE = /[$@]((?:env:)?\w+)|([a-z][\w.-]*)|(@?["'(]|@\{)/iy;
const BARE_WORD = /(?!@)[^\s"'`;|(){}$]+/y;
const OPERATOR = /(?:[^\S\r\n]|`\r?\n)*([,+|])/y;
const KEY = /[\w-]+/y;
const EQUALS = /=/y;
/** `$x =`, `$x.name =`, `$x["name"] =` or the start of `$x.Add("name", …)`. */
const TARGET = /\$(\w+)(?:(?:(?:\.|\[["'])([\w-]+)(?:["']\])?)?[ \t]*=|\.Add(\())/iy;
/** Browsers write characters outside ASCII as `$([char]233)`. */
const SPECIAL = /`([\s\S])|\$\(\[char\](\d{1,5})\)|\$((?:env:)?\w+)/gi;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };

/** Throws the first error of the script if it has no request. */
export function readPowerShellRequests(text: string): PastedRequest[] {
  const requests: PastedRequest[] = [];
  const variables = new Map<string, JsonValue>();
  const spend = createExpansionBudget();
  let at = 0;
  let depth = 0;

  const peek = () => text[at] ?? '';
  const take = (pattern: RegExp) => {
    const found = match(pattern, text, at);
    at += found?.[0].length ?? 0;
    return found;
  };
  /** Matches again instead of repeating in the pattern, which would overflow the stack. */
  const skip = (pattern: RegExp) => {
    while (take(pattern) !== null);
  };
  const readList = () => readItems(')', readExpression);

  function getVariable(name: string, fallback: JsonValue): JsonValue {
    if (/^(?:true|false|null)$/i.test(name)) return parseJson(name.toLowerCase()) ?? null;
    const value = variables.get(name.toLowerCase());
    if (value === undefined) return fallback;
    spend(JSON.stringify(value).length);
    return value;
  }

  function readStatement(): void {
    const [, variable, member, call] = take(TARGET) ?? [];
    if (variable !== undefined) {
      const [key, value = ''] = call ? readList().flat() : [member, readExpression()];
      const known = key === undefined ? null : getVariable(variable, null);
      const fields = isJsonObject(known) ? known : {};
      const assigned = key === undefined ? value : { ...fields, [toText(key)]: value };
      variables.set(variable.toLowerCase(), assigned);
    } else if (/[\w(@"']/.test(peek())) readExpression();
    else at = findNext(/[\n;]/g, text, at + 1);
  }

  /** Reads values with `,`, `+` and `|` between them, in the order in which they are written. */
  function readExpression(): JsonValue {
    let values = [readValue()];
    for (let found = take(OPERATOR); found !== null; found = take(OPERATOR)) {
      skip(IGNORED);
      if (found[1] === ',') values.push(readValue());
      else if (found[1] === '+') values.push(join(values.pop() ?? null, readValue()));
      else values = [readCommand(take(BARE_WORD)?.[0] ?? '', unwrap(values))];
    }
    return unwrap(values);
  }

  /** `ConvertTo-Json` returns text and `Get-Item` a file; other commands return the piped value. */
  function readCommand(name: string, piped: JsonValue): JsonValue {
    const args: JsonValue[] = [];
    for (skip(BLANKS); /[^\r\n;|)}#]/.test(peek()); skip(BLANKS)) args.push(readWord());
    const words = args.map(toText);
    const isCurl = /^curl(?:\.exe)?$/i.test(name);
    if (INVOKE.test(name) || (isCurl && words.some((word) => INVOKE_PARAMETER.test(word)))) {
      requests.push(readInvoke(args));
    } else if (isCurl) {
      const command = { words: ['curl', ...words], stdin: null, output: null };
      requests.push(...readCurls({ commands: [command], notes: [] }));
    } else if (/^get-item$/i.test(name)) return { [FILE_FIELD]: toShortText(args.at(-1) ?? '') };
    if (!/^convertto-json$/i.test(name)) return piped;
    const json = JSON.stringify(args.find(isJsonObject) ?? piped);
    spend(json.length);
    return json;
  }

  /** Adjacent pieces are one word, as in `$base/v1/models`. */
  function readWord(): JsonValue {
    const readPiece = () => take(BARE_WORD)?.[0] ?? readValue();
    let word = readPiece();
    while (/[^\s;|)}`]/.test(peek())) word = join(word, readPiece());
    return word;
  }

  function readValue(): JsonValue {
    skip(IGNORED);
    const number = take(NUMBER);
    if (number !== null) return readJsonNumber(number[0]);
    const here = take(HERE_STRING);
    if (here !== null) return expand(here[2] ?? '', here[1]);
    const [written = '', variable, command, mark] = take(VALUE) ?? [];
    if (variable !== undefined) return getVariable(variable, written);
    if (command !== undefined) return readCommand(command, '');
    if (mark === '"' || mark === "'") return readQuoted(mark);
    if (mark === '@{') return Object.fromEntries(readItems('}', readField));
    if (mark === '@(') return readList().flat();
    if (mark === '(') return readList()[0] ?? null;
    if (mark !== undefined) throw new UnclosedError('here-string', at - mark.length);
    throw new UnexpectedError('PowerShell', text, at);
  }

  /** Reads up to the closing mark; both commas and line breaks separate items. */
  function readItems<Item>(close: ')' | '}', readItem: () => Item): Item[] {
    const start = at - 1;
    const name = close === ')' ? 'parenthesis' : 'brace';
    const items: Item[] = [];
    depth += 1;
    if (depth > MAX_PASTED_DEPTH) throw new PastedTextError('It’s nested too deeply.');
    for (skip(IGNORED); peek() !== close; skip(IGNORED)) {
      if (at >= text.length) throw new UnclosedError(name, start);
      items.push(readItem());
    }
    at += 1;
    depth -= 1;
    return items;
  }

  function readField(): [key: string, value: JsonValue] {
    const key = take(KEY)?.[0] ?? toShortText(readValue());
    skip(BLANKS);
    if (take(EQUALS) !== null) return [key, readExpression()];
    throw new PastedTextError(`Expected “=” at character ${formatPosition(at)} of the hashtable.`);
  }

  /** Quotes inside are doubled or, in double quotes, after a backtick. */
  function readQuoted(quote: string): string {
    const start = at;
    const name = quote === "'" ? 'single quote' : 'double quote';
    const marks = quote === "'" ? /'/g : /["`]/g;
    at = findNext(marks, text, at);
    while (text[at] === '`' || text[at + 1] === quote) at = findNext(marks, text, at + 2);
    if (at >= text.length) throw new UnclosedError(name, start - 1);
    at += 1;
    return expand(text.slice(start, at - 1).replaceAll(quote + quote, quote), quote);
  }

  function expand(written: string, quote: string | undefined): string {
    if (quote === "'") return written;
    return written.replace(SPECIAL, (whole, escaped, code, name) => {
      if (escaped !== undefined) return ESCAPES[escaped] ?? escaped;
      if (code !== undefined) return String.fromCharCode(Number(code));
      const value = getVariable(name, whole);
      return isJsonObject(value) ? whole : toShortText(value);
    });
  }

  let problem: PastedTextError | null = null;
  let problems = 0;
  for (skip(IGNORED); at < text.length; skip(IGNORED)) {
    try {
      readStatement();
    } catch (error) {
      if (!(error instanceof PastedTextError)) throw error;
      problem ??= error;
      problems += 1;
      if (error instanceof FinalPastedTextError || problems === MAX_PASTED_PROBLEMS) break;
      depth = 0;
      at = findNext(/\n/g, text, at);
    }
  }
  if (requests.length === 0 && problem !== null) throw problem;
  return requests;
}

function join(left: JsonValue, right: JsonValue): string {
  return `${toShortText(left)}${toShortText(right)}`;
}

/** PowerShell passes a list of one item as the item. */
function unwrap(values: JsonValue[]): JsonValue {
  return values.length === 1 ? (values[0] ?? null) : values;
}

function readInvoke(args: readonly JsonValue[]): PastedRequest {
  const parameters = new Map<string, JsonValue>();
  const rest = args.values();
  for (const arg of rest) {
    const word = toText(arg);
    if (isJsonObject(arg)) {
      for (const [name, value] of Object.entries(arg)) parameters.set(name.toLowerCase(), value);
    } else if (/^[-@][a-z]/i.test(word)) {
      if (!SWITCH.test(word)) parameters.set(word.slice(1).toLowerCase(), rest.next().value ?? '');
    } else if (!parameters.has('uri')) parameters.set('uri', arg);
  }
  const { uri, headers, contenttype, form, infile, ...options } = Object.fromEntries(parameters);
  if (uri === undefined) throw new PastedTextError('The PowerShell command has no -Uri.');
  if (infile !== undefined) options.body = { [FILE_FIELD]: toText(infile) };
  if (isJsonObject(form)) {
    options.body = { [CLASS_FIELD]: 'FormData', [PAIRS_FIELD]: Object.entries(form) };
  }
  options.headers = isJsonObject(headers) ? { ...headers } : {};
  if (contenttype !== undefined) options.headers['Content-Type'] = contenttype;
  return createRequest('powershell', uri, options);
}
