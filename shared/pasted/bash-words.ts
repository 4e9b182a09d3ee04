/** Splits a bash script into the words of its commands, without running anything. */
import { createExpansionBudget, UnclosedError } from './pasted-request.ts';

export interface ShellCommand {
  words: string[];
  /** The text of a here-document or here-string; null if there is none. */
  stdin: string | null;
  /** The file that `>` writes; null if there is none. */
  output: string | null;
}

export interface ShellScript {
  commands: ShellCommand[];
  notes: string[];
}

interface HereDocument {
  end: string;
  stripsTabs: boolean;
  expands: boolean;
  command: ShellCommand;
}

const NAME = /[A-Za-z_]\w*/y;
const BRACED_NAME = /\{([A-Za-z_]\w*)\}/y;
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
const REDIRECT = /(?:\d|&)?>{1,2}(?:&\d|\|)?/y;
const HERE_DOCUMENT = /<<(-?)[ \t]*/y;
const CAT_DOCUMENT = /\(\s*cat\s*<<(-?)[ \t]*(['"]?)([A-Za-z_]\w*)\2[ \t]*\r?\n/y;

/** https://www.gnu.org/software/bash/manual/html_node/ANSI_002dC-Quoting.html */
const ANSI_ESCAPE =
  /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/y;
const ANSI_LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

/** Throws a `PastedTextError` if a quote isn't closed. */
export function readBash(text: string): ShellScript {
  const commands: ShellCommand[] = [];
  const notes = new Set<string>();
  const variables = new Map<string, string>();
  const spend = createExpansionBudget();
  let command = createCommand();
  let pending: HereDocument[] = [];
  let at = 0;

  function endCommand(): void {
    if (command.words.length > 0) {
      assign(command.words, variables);
      commands.push(command);
    }
    command = createCommand();
  }

  function endLine(): void {
    at += 1;
    for (const document of pending) {
      const { body, next } = readDocument(text, at, document.end, document.stripsTabs);
      document.command.stdin = document.expands ? expandDocument(body) : body;
      at = next;
    }
    pending = [];
    endCommand();
  }

  function startDocument([, dash]: RegExpExecArray): void {
    const isQuoted = /['"\\]/.test(text[at] ?? '');
    const end = readWord();
    pending.push({ end, stripsTabs: dash === '-', expands: !isQuoted, command });
  }

  function readWord(): string {
    const pieces: string[] = [];
    let isUrl = false;
    while (at < text.length) {
      const char = text[at] ?? '';
      // Bash would end the command at an unquoted `&`, but in a URL the user meant a parameter.
      if (char === '&' && isUrl && /\S/.test(text[at + 1] ?? '')) pieces.push(takeRun());
      else if (' \t\n\r;|&<>'.includes(char)) break;
      else if (char === "'") pieces.push(readSingle());
      else if (char === '"') pieces.push(readDouble());
      else if (char === '$') pieces.push(readDollar());
      else if (char === '`') pieces.push(readBackticks());
      else if (char === '\\') pieces.push(readEscape());
      else pieces.push(takeRun());
      isUrl ||= pieces.length === 1 && /^https?:.*\?/i.test(pieces[0] ?? '');
    }
    return pieces.join('');
  }

  /** Reads at least one character, even if it is an `&`. */
  function takeRun(): string {
    const start = at;
    at = findNext(/[\s;|&<>'"$`\\]/g, text, at + 1);
    return text.slice(start, at);
  }

  function readEscape(): string {
    const next = text[at + 1] ?? '';
    const isBreak = next === '\n' || (next === '\r' && text[at + 2] === '\n');
    at += next === '\r' && isBreak ? 3 : 2;
    return isBreak ? '' : next;
  }

  function readSingle(): string {
    const end = text.indexOf("'", at + 1);
    if (end === -1) throw new UnclosedError('single quote', at);
    const quoted = text.slice(at + 1, end);
    at = end + 1;
    return quoted;
  }

  function readDouble(): string {
    const start = at;
    const pieces: string[] = [];
    at += 1;
    while (at < text.length) {
      const next = findNext(/["\\$`]/g, text, at);
      pieces.push(text.slice(at, next));
      at = next;
      const char = text[at];
      if (char === '"') {
        at += 1;
        return pieces.join('');
      }
      if (char === '$')
        pieces.push(text[at + 1] === "'" || text[at + 1] === '"' ? takeOne() : readDollar());
      else if (char === '`') pieces.push(readBackticks());
      else if (char === '\\')
        pieces.push(/["\\$`\r\n]/.test(text[at + 1] ?? '') ? readEscape() : takeOne());
    }
    throw new UnclosedError('double quote', start);
  }

  function takeOne(): string {
    at += 1;
    return text[at - 1] ?? '';
  }

  function readDollar(): string {
    const start = at;
    at += 1;
    if (text[at] === "'") return readAnsi();
    if (text[at] === '"') return readDouble();
    if (text[at] === '(') return readSubstitution();
    const name = match(BRACED_NAME, text, at)?.[1] ?? match(NAME, text, at)?.[0];
    if (name === undefined) return '$';
    at += text[at] === '{' ? name.length + 2 : name.length;
    const value = variables.get(name);
    spend(value?.length ?? 0);
    return value ?? text.slice(start, at);
  }

  function readAnsi(): string {
    const start = at;
    const pieces: string[] = [];
    at += 1;
    while (at < text.length) {
      const next = findNext(/['\\]/g, text, at);
      pieces.push(text.slice(at, next));
      at = next;
      if (text[at] === "'") {
        at += 1;
        return pieces.join('');
      }
      const found = match(ANSI_ESCAPE, text, at);
      if (found === null) break;
      at += found[0].length;
      pieces.push(readAnsiEscape(found));
    }
    throw new UnclosedError('single quote', start);
  }

  /** Returns the text of `$(cat <<EOF …)`, and any other substitution as written. */
  function readSubstitution(): string {
    const start = at;
    const document = match(CAT_DOCUMENT, text, at);
    if (document !== null) {
      const [whole, dash, quote, end = ''] = document;
      const { body, next } = readDocument(text, at + whole.length, end, dash === '-');
      const close = findNext(/\S/g, text, next);
      if (text[close] === ')') {
        at = close + 1;
        return (quote === '' ? expandDocument(body) : body).replace(/(?<!\n)\n+$/, '');
      }
    }
    at = findClosingParenthesis(text, start);
    notes.add('Commands such as $(…) weren’t run.');
    return text.slice(start - 1, at);
  }

  function readBackticks(): string {
    const start = at;
    const end = text.indexOf('`', at + 1);
    if (end === -1) throw new UnclosedError('backtick', at);
    at = end + 1;
    notes.add('Commands such as $(…) weren’t run.');
    return text.slice(start, at);
  }

  function expandDocument(body: string): string {
    const plain = body.replace(/\\([\\$`])|\\\r?\n/g, (_, escaped = '') => escaped);
    return plain.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (written, braced, name) => {
      const value = variables.get(braced ?? name);
      spend(value?.length ?? 0);
      return value ?? written;
    });
  }

  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '\n') endLine();
    else if (/\s/.test(char)) at += 1;
    else if (char === '#') at = findNext(/\n/g, text, at);
    else if (char === '\\' && /^\r?\n/.test(text.slice(at + 1, at + 3))) readEscape();
    else if (text.startsWith('<<<', at)) {
      at = findNext(/[^ \t]/g, text, at + 3);
      command.stdin = readWord();
    } else if (text.startsWith('<<', at)) {
      const start = match(HERE_DOCUMENT, text, at);
      at += start?.[0].length ?? 2;
      if (start !== null) startDocument(start);
    } else if (match(REDIRECT, text, at) !== null) {
      const [redirect = ''] = match(REDIRECT, text, at) ?? [];
      at = findNext(/[^ \t]/g, text, at + redirect.length);
      if (!/&\d$/.test(redirect)) command.output = readWord();
    } else if (';|&<'.includes(char)) {
      at += 1;
      endCommand();
    } else command.words.push(readWord());
  }
  endCommand();
  return { commands, notes: [...notes] };
}

function createCommand(): ShellCommand {
  return { words: [], stdin: null, output: null };
}

/** Stores `NAME=value` and `export NAME=value`, but not assignments for a single command. */
function assign(words: readonly string[], variables: Map<string, string>): void {
  const assigned = words[0] === 'export' ? words.slice(1) : words;
  if (!assigned.every((word) => ASSIGNMENT.test(word))) return;
  for (const word of assigned) {
    const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
    variables.set(name, value);
  }
}

function readAnsiEscape([whole, hex, short, long, octal, letter]: RegExpExecArray): string {
  const code = hex ?? short ?? long;
  if (code !== undefined) {
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  }
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) % 256);
  if (letter === undefined) return whole;
  return ANSI_LETTERS[letter] ?? (/['"\\?]/.test(letter) ? letter : whole);
}

/** Reads lines up to `end`; a document without an end goes to the end of the text. */
function readDocument(text: string, start: number, end: string, stripsTabs: boolean) {
  const lines: string[] = [];
  for (let at = start; at < text.length; ) {
    const next = findNext(/\n/g, text, at);
    const line = text.slice(at, next).replace(/\r$/, '');
    const shown = stripsTabs ? line.replace(/^\t+/, '') : line;
    at = next + 1;
    if (shown.trimEnd() === end) return { body: join(lines), next: at };
    lines.push(shown);
  }
  return { body: join(lines), next: text.length };
}

function join(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Skips quoted text; `start` is the opening parenthesis. */
function findClosingParenthesis(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    at = findNext(/[()'"\\]/g, text, at);
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === "'" && !isQuoted) {
      const end = text.indexOf("'", at + 1);
      if (end === -1) break;
      at = end;
    } else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth === 0 && char === ')') return at + 1;
  }
  throw new UnclosedError('parenthesis', start);
}

/** Returns the length of the text if nothing is found; `pattern` must be global. */
export function findNext(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Matches at the index only; `pattern` must be sticky. */
export function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
