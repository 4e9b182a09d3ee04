/** A flat JSON object of numbers as rows, and back: its text is what is kept, so that half a row is kept too. */
import { parseJson } from '../../../shared/parse-json.ts';

export interface MapRow {
  key: string;
  /** As typed. */
  value: string;
}

const ROW = /\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,{}[\]"]*)\s*(,|$)/y;

/** In the order of the text; null if that is not a flat object. */
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
    const value = written.startsWith('"') ? mistypedNumber(written) : written;
    if (key === null || value === null) return null;
    rows.push({ key, value });
    hasMore = comma === ',';
  }
  return rows;
}

/** Empty without rows: nothing is set. */
export function mapText(rows: readonly MapRow[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(({ key, value }) => `  ${JSON.stringify(key)}: ${numberText(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** Why the rows cannot be sent; null if they can. */
export function mapProblem(rows: readonly MapRow[]): string | null {
  if (rows.some(({ key }) => key.trim() === '')) return 'Enter a token ID in every row.';
  const twice = rows.find(({ key }, at) => rows.findIndex((row) => row.key === key) !== at);
  if (twice !== undefined) return `“${twice.key}” is listed twice.`;
  return rows.every(({ value }) => NUMBER.test(value)) ? null : 'Enter a number for every token.';
}

/** As JSON writes them. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** What a number, or the beginning of one, is made of. */
const NUMBER_CHARS = /^[\d.eE+-]*$/;

/** Anything else would break the text: it is kept in quotes as it was typed, so that it can be corrected. */
function numberText(typed: string): string {
  const value = typed.trim();
  return NUMBER_CHARS.test(value) ? value : JSON.stringify(typed);
}

/** Null for a number in quotes: as a row it would look right. */
function mistypedNumber(quoted: string): string | null {
  const value = getText(quoted);
  return value === null || NUMBER_CHARS.test(value.trim()) ? null : value;
}

function getText(quoted: string): string | null {
  const text = parseJson(quoted);
  return typeof text === 'string' ? text : null;
}
