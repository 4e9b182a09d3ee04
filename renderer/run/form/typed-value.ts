import type { JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import { parseJson, readJsonNumber } from '../../../shared/parse-json.ts';
import { type JsonText, readJsonText } from '../../lib/format-json-error.ts';

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

export function toInputText(field: FieldDescription, value: JsonValue): string {
  if (field.control === 'lines') {
    const lines = Array.isArray(value) ? value : [value];
    return lines.map((line) => escapeLine(String(line))).join('\n');
  }
  if (isJsonControl(field)) return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isJsonControl({ control }: FieldDescription): boolean {
  return control === 'json' || control === 'map' || control === 'object';
}

const NUMBER = /^(?:\+|(-))?(?=\.?\d)0*(\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i;

/** Accepts `007`, `+7`, `.5` and `5.`, which JSON rejects. */
function readNumber(field: FieldDescription, text: string): JsonText {
  const found = NUMBER.exec(text.trim());
  if (found === null) {
    return { ok: false, message: field.integer ? 'Enter a whole number.' : 'Enter a number.' };
  }
  const [, sign = '', whole = '', fraction = '', exponent = ''] = found;
  const decimals = fraction === '' ? '' : `.${fraction}`;
  return { ok: true, value: readJsonNumber(`${sign}${whole || '0'}${decimals}${exponent}`) };
}

/** Ignores empty stop sequences; `\n` stands for a line break. */
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

export interface MapRow {
  key: string;
  value: string;
}

const ROW = /\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,{}[\]"]*)\s*(,|$)/y;

/** Returns null if the text is not a flat object. */
export function readMapRows(text: string): MapRow[] | null {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  const inner = trimmed.slice(1, -1);
  if (inner.trim() === '') return [];
  const rows: MapRow[] = [];
  let hasMore = true;
  ROW.lastIndex = 0;
  while (hasMore) {
    const [, name = '', written = '', comma] = ROW.exec(inner) ?? [];
    const key = getText(name);
    const value = written.startsWith('"') ? findMistypedNumber(written) : written;
    if (key === null || value === null) return null;
    rows.push({ key, value });
    hasMore = comma === ',';
  }
  return rows;
}

/** Returns an empty text if there are no rows, which unsets the field. */
export function mapText(rows: readonly MapRow[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(({ key, value }) => `  ${JSON.stringify(key)}: ${numberText(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** Returns an error; null if the rows are valid. */
export function mapProblem(rows: readonly MapRow[]): string | null {
  if (rows.some(({ key }) => key.trim() === '')) return 'Enter a token ID in every row.';
  const twice = rows.find(({ key }, at) => rows.findIndex((row) => row.key === key) !== at);
  if (twice !== undefined) return `“${twice.key}” is listed twice.`;
  return rows.every(({ value }) => JSON_NUMBER.test(value))
    ? null
    : 'Enter a number for every token.';
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Matches characters that a complete or partial number may contain. */
const NUMBER_CHARS = /^[\d.eE+-]*$/;

/** Quotes invalid numbers, so that the text remains valid JSON. */
function numberText(typed: string): string {
  const value = typed.trim();
  return NUMBER_CHARS.test(value) ? value : JSON.stringify(typed);
}

/** Returns null for a valid number in quotes, because a row would hide the quotes. */
function findMistypedNumber(quoted: string): string | null {
  const value = getText(quoted);
  return value === null || NUMBER_CHARS.test(value.trim()) ? null : value;
}

function getText(quoted: string): string | null {
  const text = parseJson(quoted);
  return typeof text === 'string' ? text : null;
}
