import type { JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';

export interface JsonProblem {
  line: number;
  column: number;
  message: string;
}

export type JsonText = { ok: true; value: JsonValue } | { ok: false; message: string };

/** Parses JSON without losing digits of long numbers. */
export function readJsonText(text: string): JsonText {
  const value = parseJson(text);
  if (value !== undefined) return { ok: true, value };
  return { ok: false, message: findJsonProblem(text)?.message ?? 'Enter valid JSON.' };
}

/** Returns the first syntax error; null if the text is valid JSON. */
export function findJsonProblem(text: string): JsonProblem | null {
  const found = findFirstBreak(text);
  if (!found) return null;
  const before = text.slice(0, found.offset).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  return { line, column, message: `Line ${line}, column ${column}: ${found.expected}.` };
}

/** Returns whether the text is JSON up to its end, such as an answer that was cut off. */
export function isCutJson(text: string): boolean {
  const found = findFirstBreak(text);
  return found !== null && /^(?:"[^\n]*|[\d.+-]*|[tfn][a-z]{0,3})$/.test(text.slice(found.offset));
}

interface JsonBreak {
  offset: number;
  expected: string;
}

const SPACE = /[\t\n\r ]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** Scans tokens with a stack of open brackets, because not all engines report a position. */
function findFirstBreak(text: string): JsonBreak | null {
  const open: ('}' | ']')[] = [];
  let offset = 0;
  let wants: 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'next' = 'value';

  function take(pattern: RegExp): boolean {
    pattern.lastIndex = offset;
    if (!pattern.test(text)) return false;
    offset = pattern.lastIndex;
    return true;
  }
  function close(): void {
    open.pop();
    offset += 1;
    wants = 'next';
  }

  for (;;) {
    take(SPACE);
    const here = text[offset];
    if (wants === 'next' && open.length === 0) {
      return here === undefined ? null : { offset, expected: 'unexpected text after the end' };
    }
    const closing = open.at(-1);
    if (wants === 'next') {
      if (here === ',') {
        offset += 1;
        wants = closing === '}' ? 'key' : 'value';
      } else if (here === closing) close();
      else return { offset, expected: `expected a comma or ${closing}` };
    } else if (wants === 'colon') {
      if (here !== ':') return { offset, expected: 'expected a colon after the name' };
      offset += 1;
      wants = 'value';
    } else if (wants === 'key' || wants === 'key-or-end') {
      if (wants === 'key-or-end' && here === '}') close();
      else if (take(STRING)) wants = 'colon';
      else if (here === '}') return { offset, expected: 'trailing comma before }' };
      else return { offset, expected: stringOr(here, 'expected a name in double quotes') };
    } else if (wants === 'value-or-end' && here === ']') close();
    else if (here === '{') {
      open.push('}');
      offset += 1;
      wants = 'key-or-end';
    } else if (here === '[') {
      open.push(']');
      offset += 1;
      wants = 'value-or-end';
    } else if (take(STRING) || take(SCALAR)) wants = 'next';
    else if (here === ']' && closing === ']') {
      return { offset, expected: 'trailing comma before ]' };
    } else return { offset, expected: stringOr(here, 'expected a value') };
  }
}

function stringOr(here: string | undefined, expected: string): string {
  return here === '"' ? 'unclosed string or invalid escape' : expected;
}
