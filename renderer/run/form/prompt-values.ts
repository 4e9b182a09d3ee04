/** Fills the variables of saved prompts, such as `{{city}}`, also from rows of CSV or JSONL. */
import { isJsonObject } from '../../../shared/json.ts';
import { toDisplayText } from '../../../shared/operations/response/values.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { readCsv } from '../../lib/csv.ts';

const VARIABLE = /\{\{\s*([\p{L}_][\p{L}\p{N}_ .-]*?)\s*\}\}/gu;

/** Returns each name once, in the order of the text. */
export function getVariables(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))];
}

/** Leaves variables that have no value unchanged. */
export function fillPrompt(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (whole, name: string) => values.get(name) ?? whole);
}

export type PromptRow = ReadonlyMap<string, string>;

export type ReadRows = { ok: true; rows: PromptRow[] } | { ok: false; message: string };

export const MAX_ROWS = 1000;

/** A row must have a value for each of `variables`; other columns are ignored. */
export function readPromptRows(text: string, variables: readonly string[]): ReadRows {
  const read = text.trimStart().startsWith('{') ? readJsonl(text) : readTable(text);
  if (!read.ok) return read;
  const { rows } = read;
  if (rows.length === 0) return { ok: false, message: 'Enter at least one row below the header.' };
  if (rows.length > MAX_ROWS) return { ok: false, message: `The limit is ${MAX_ROWS} rows.` };
  for (const [at, row] of rows.entries()) {
    const missing = variables.find((name) => !row.has(name));
    if (missing !== undefined) {
      return { ok: false, message: `Row ${at + 1} has no value for “${missing}”.` };
    }
  }
  return read;
}

function readTable(text: string): ReadRows {
  const [header = [], ...lines] = readCsv(text);
  const names = header.map((name) => name.trim());
  const rows = lines.map(
    (values) => new Map(names.flatMap((name, at) => keepText(name, values[at]))),
  );
  return { ok: true, rows };
}

function keepText(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]];
}

function readJsonl(text: string): ReadRows {
  const rows: PromptRow[] = [];
  for (const [at, line] of text.split(/\r\n|[\r\n]/).entries()) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    if (!isJsonObject(value)) {
      return { ok: false, message: `Line ${at + 1} isn’t a JSON object.` };
    }
    rows.push(new Map(Object.entries(value).map(([name, item]) => [name, toDisplayText(item)])));
  }
  return { ok: true, rows };
}
