/** Reads the quoted strings of PowerShell. */
import { findNext, match } from './bash-words.ts';
import { UnclosedError } from './pasted-request.ts';

export interface Quoted {
  value: string;
  /** The index after the closing quote. */
  next: number;
}

/** Reads the variable at the index. */
export type ExpandVariable = (at: number) => Quoted;

const HERE_STRING = /@(['"])[ \t]*\r?\n/y;
const ENDS: Readonly<Record<string, RegExp>> = {
  "'": /\r?\n[ \t]*'@/g,
  '"': /\r?\n[ \t]*"@/g,
};

/** https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_special_characters */
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
};

export function readSingleQuoted(text: string, start: number): Quoted {
  const pieces: string[] = [];
  for (let at = start; ; ) {
    const end = text.indexOf("'", at + 1);
    if (end === -1) throw new UnclosedError('single quote', start);
    pieces.push(text.slice(at + 1, end));
    at = end + 1;
    if (text[at] !== "'") return { value: pieces.join(''), next: at };
    pieces.push("'");
  }
}

export function readDoubleQuoted(text: string, start: number, expand: ExpandVariable): Quoted {
  const pieces: string[] = [];
  for (let at = start + 1; ; ) {
    const next = findNext(/["`$]/g, text, at);
    pieces.push(text.slice(at, next));
    if (next >= text.length) throw new UnclosedError('double quote', start);
    if (text[next] === '"' && text[next + 1] !== '"') {
      return { value: pieces.join(''), next: next + 1 };
    }
    if (text[next] === '"') {
      pieces.push('"');
      at = next + 2;
    } else at = readSpecial(text, next, expand, pieces);
  }
}

/** Reads the here-string that starts at the index; returns null if there is none. */
export function readHereString(text: string, start: number, expand: ExpandVariable): Quoted | null {
  const [opening, quote = ''] = match(HERE_STRING, text, start) ?? [];
  const pattern = ENDS[quote];
  if (opening === undefined || pattern === undefined) return null;
  const from = start + opening.length;
  // The line break before the end may be the one after the start.
  const end = findNext(pattern, text, from - 1);
  if (end >= text.length) throw new UnclosedError('here-string', start);
  const next = text.indexOf('@', end) + 1;
  const body = text.slice(from, Math.max(end, from));
  if (quote === "'") return { value: body, next };
  const pieces: string[] = [];
  for (let at = from; at < end; ) {
    const special = Math.min(findNext(/[`$]/g, text, at), end);
    pieces.push(text.slice(at, special));
    at = special < end ? readSpecial(text, special, expand, pieces) : end;
  }
  return { value: pieces.join(''), next };
}

/** Adds the value of an escape or variable and returns the index after it. */
function readSpecial(text: string, at: number, expand: ExpandVariable, pieces: string[]): number {
  if (text[at] === '$') {
    const { value, next } = expand(at);
    pieces.push(value);
    return next;
  }
  const escaped = text[at + 1] ?? '';
  pieces.push(ESCAPES[escaped] ?? escaped);
  return at + 2;
}
