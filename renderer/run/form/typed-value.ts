import type { JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/description.ts';
import { jsonProblem } from '../../lib/format-json-error.ts';

type Read = { ok: true; value: JsonValue } | { ok: false; message: string };

/** The value of a text control; `json` is parsed, `lines` are unescaped, numbers read. */
export function readTyped(field: FieldDescription, text: string): Read {
  switch (field.control) {
    case 'slider':
    case 'number':
      return readNumber(field, text);
    case 'lines':
      return { ok: true, value: readLines(text) };
    case 'json': {
      if (text.trim() === '') return { ok: false, message: 'Enter JSON, or reset the field.' };
      const problem = jsonProblem(text);
      return problem
        ? { ok: false, message: problem.message }
        : { ok: true, value: JSON.parse(text) as JsonValue };
    }
    default:
      return { ok: true, value: text };
  }
}

/** What the control shows for a value. */
export function typedText(field: FieldDescription, value: JsonValue): string {
  if (field.control === 'lines') {
    const lines = Array.isArray(value) ? value : [value];
    return lines.map((line) => escapeLine(String(line))).join('\n');
  }
  if (field.control === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function readNumber(field: FieldDescription, text: string): Read {
  const trimmed = text.trim();
  const value = Number(trimmed);
  if (NUMBER.test(trimmed) && Number.isFinite(value)) return { ok: true, value };
  return { ok: false, message: field.integer ? 'Enter a whole number.' : 'Enter a number.' };
}

/** Empty lines are no stop sequences; a line break as one is written `\n`. */
function readLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\\([nrt\\])/g, (_match, code: string) => unescaped[code] ?? code));
}

const unescaped: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };
const escaped: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function escapeLine(line: string): string {
  return line.replace(/[\n\r\t\\]/g, (code) => escaped[code] ?? code);
}
