import type { JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import { jsonNumber } from '../../../shared/parse-json.ts';
import { type JsonText, readJsonText } from '../../lib/format-json-error.ts';
import { mapProblem, readMapRows } from './map-rows.ts';

/** The value of a text control; `json` is parsed, `lines` are unescaped, numbers read. */
export function readTyped(field: FieldDescription, text: string): JsonText {
  switch (field.control) {
    case 'slider':
    case 'number':
      return readNumber(field, text);
    case 'lines':
      return { ok: true, value: readLines(text) };
    case 'map':
    case 'object':
    case 'json': {
      const rows = field.control === 'map' ? readMapRows(text) : null;
      const rowProblem = rows && mapProblem(rows);
      if (rowProblem !== null) return { ok: false, message: rowProblem };
      if (text.trim() === '') return { ok: false, message: 'Enter JSON, or reset the field.' };
      return readJsonText(text);
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
  if (isJsonControl(field)) return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether the control's text is JSON, whatever else it is edited by. */
function isJsonControl({ control }: FieldDescription): boolean {
  return control === 'json' || control === 'map' || control === 'object';
}

const NUMBER = /^(?:\+|(-))?(?=\.?\d)0*(\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i;

/** `007`, `+7`, `.5` and `5.` are numbers for whoever types them, and are spelled for JSON. */
function readNumber(field: FieldDescription, text: string): JsonText {
  const found = NUMBER.exec(text.trim());
  if (found === null) {
    return { ok: false, message: field.integer ? 'Enter a whole number.' : 'Enter a number.' };
  }
  const [, sign = '', whole = '', fraction = '', exponent = ''] = found;
  const decimals = fraction === '' ? '' : `.${fraction}`;
  return { ok: true, value: jsonNumber(`${sign}${whole || '0'}${decimals}${exponent}`) };
}

/** Empty lines are not stop sequences; a line break as one is written `\n`. */
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
