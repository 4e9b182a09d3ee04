import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import {
  type ColumnsByText,
  documentFields,
  getDocumentText,
  getTextField,
} from '../../../../shared/operations/rerank/request.ts';
import { toDisplayText } from '../../../../shared/operations/response/values.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import { readCsv } from '../../../lib/csv.ts';

/** Represents a line break inside a document, because each line is one document. */
export const LINE_BREAK_SIGN = '↵';

/** Returns all lines in the text box, including empty ones. */
export function getLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Returns each line's document number, from 1, or null for an empty line. */
export function numberDocuments(lines: readonly string[]): (number | null)[] {
  let number = 0;
  return lines.map((line) => {
    if (line.trim() === '') return null;
    number += 1;
    return number;
  });
}

/** Skips empty lines and restores line breaks inside documents. */
export function getDocuments(text: string): string[] {
  return getLines(text)
    .filter((line) => line.trim() !== '')
    .map((line) => line.replaceAll(LINE_BREAK_SIGN, '\n'));
}

export function toLine(document: string): string {
  return document.replace(/\r\n|\r|\n/g, LINE_BREAK_SIGN);
}

export function toText(documents: readonly string[]): string {
  return documents.map(toLine).join('\n');
}

export function appendDocuments(text: string, documents: readonly string[]): string {
  const before = text.replace(/\n+$/, '');
  const added = toText(documents);
  return before === '' ? added : `${before}\n${added}`;
}

/** Returns null unless the text is a JSON array of strings or of objects that contain text. */
export function readJsonDocuments(text: string): string[] | null {
  return readJsonTexts(text)?.texts ?? null;
}

function readJsonTexts(text: string): Texts | null {
  if (!text.trimStart().startsWith('[')) return null;
  const value = parseJson(text);
  return Array.isArray(value) && value.length > 0 ? getTexts(value) : null;
}

export type ReadDocuments =
  /**
   * `note` says which column or field is the text, if the file has others; `columns` are those of
   * each document.
   */
  | { ok: true; documents: string[]; columns: ColumnsByText; note: string | null }
  | { ok: false; message: string };

interface Texts {
  texts: string[];
  /** The names of the columns or fields; null if they have none. */
  used: readonly string[] | null;
  unused: readonly string[];
  /** The unused columns of each text. */
  others: readonly Record<string, string>[];
}

/** Reads a text, CSV, JSON or JSONL file based on its extension, or else on its content. */
export function readDocuments(name: string, content: string, noun = 'document'): ReadDocuments {
  if (content.includes('\0')) return createFailure(`${name} isn’t a text file.`);
  const text = content.replace(/^\uFEFF/, '');
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  const documents = parseByExtension(extension, text);
  if (documents === null)
    return createFailure(`${name} couldn’t be read: ${getProblem(extension)}`);
  const { texts, used, unused, others } = documents;
  const filled = texts.filter((document) => document.trim() !== '');
  if (filled.length === 0) return createFailure(`${name} contains no ${noun}s.`);
  const list = new Intl.ListFormat('en-US');
  const note =
    used === null || unused.length === 0
      ? null
      : `${name}: the text is in ${list.format(used)}; kept ${list.format(unused)}.`;
  return { ok: true, documents: filled, columns: collectColumns(texts, others), note };
}

function collectColumns(
  texts: readonly string[],
  others: readonly Record<string, string>[],
): ColumnsByText {
  return Object.fromEntries(
    texts.flatMap((text, at): [string, Record<string, string>][] => {
      const columns = others[at] ?? {};
      return text.trim() === '' || Object.keys(columns).length === 0 ? [] : [[text, columns]];
    }),
  );
}

/** Returns the columns of the documents in `text`; those of removed documents go. */
export function mergeColumns(
  text: string,
  before: ColumnsByText,
  added: ColumnsByText,
): ColumnsByText {
  const listed = new Set(getDocuments(text));
  return Object.fromEntries(
    Object.entries({ ...before, ...added }).filter(([document]) => listed.has(document)),
  );
}

const plainTexts = (texts: string[]): Texts => ({ texts, used: null, unused: [], others: [] });

function parseByExtension(extension: string | undefined, text: string): Texts | null {
  switch (extension) {
    case 'csv':
    case 'tsv':
      return readCsvDocuments(text);
    case 'jsonl':
    case 'ndjson':
      return readJsonLines(text);
    case 'json':
      return readJsonTexts(text);
    default:
      return readJsonTexts(text) ?? plainTexts(text.split(/\r\n|\r|\n/));
  }
}

function getProblem(extension: string | undefined): string {
  return extension === 'json'
    ? 'expected an array of strings, or objects with a text field.'
    : 'expected JSON with a text field on every line.';
}

/** Reads the column with a recognized name, or else the one with the most text. */
function readCsvDocuments(text: string): Texts {
  const rows = readCsv(text);
  const head = (rows[0] ?? []).map((name) => name.trim().toLowerCase());
  const named = documentFields.map((name) => head.indexOf(name)).find((column) => column !== -1);
  const getColumn = (column: number, names: readonly string[], from: number): Texts => ({
    texts: rows.slice(from).map((row) => row[column] ?? ''),
    used: names.slice(column, column + 1),
    unused: names.toSpliced(column, 1),
    others: rows.slice(from).map((row) =>
      Object.fromEntries(
        row.flatMap((cell, at) => {
          const name = names[at] ?? '';
          return at === column || cell === '' || name === '' ? [] : [[name, cell]];
        }),
      ),
    ),
  });
  if (named !== undefined) return getColumn(named, head, 1);
  const cells = rows.flatMap((row) =>
    row.slice(0, head.length).map((text, at) => [at, text] as const),
  );
  const [longest = 0] = rankByLength(cells);
  return getColumn(
    longest,
    head.map((_name, at) => `column ${at + 1}`),
    0,
  );
}

/** Sorts columns or fields: those with the longest phrases first, then words and IDs, then URLs. */
function rankByLength<Name>(texts: readonly (readonly [name: Name, text: string])[]): Name[] {
  const words = texts.filter(([, text]) => !URL_ONLY.test(text));
  const phrases = words.filter(([, text]) => hasWords(text));
  return [...new Set([phrases, words, texts].flatMap(sortByLength))];
}

const URL_ONLY = /^\s*[a-z][a-z\d+.-]*:\/\/\S+\s*$/i;

/** Counts non-ASCII text as words, because some scripts don't use spaces. */
function hasWords(text: string): boolean {
  return /\s|[^\x20-\x7e]/.test(text.trim());
}

function sortByLength<Name>(texts: readonly (readonly [name: Name, text: string])[]): Name[] {
  const lengths = new Map<Name, number>();
  for (const [name, text] of texts) lengths.set(name, (lengths.get(name) ?? 0) + text.length);
  return [...lengths].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}

function readJsonLines(text: string): Texts | null {
  const values = text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .map(parseJson);
  return getTexts(values);
}

/**
 * Returns null if any value has no text. Objects without a recognized field all use the same field.
 */
function getTexts(values: (JsonValue | undefined)[]): Texts | null {
  const unnamed = values.filter((value) => getDocumentText(value) === null).filter(isJsonObject);
  const names = rankByLength(unnamed.flatMap(getTextFields));
  const texts = values.map((value) => getDocumentText(value) ?? findFirstText(value, names));
  if (!texts.every((text) => text !== null)) return null;
  const objects = values.filter(isJsonObject);
  if (objects.length === 0) return plainTexts(texts);
  const used = new Set(objects.flatMap((object) => findTextField(object, names) ?? []));
  const all = new Set(objects.flatMap((object) => Object.keys(object)));
  const others = values.map((value) => (isJsonObject(value) ? getOthers(value, names) : {}));
  return { texts, used: [...used], unused: [...all].filter((name) => !used.has(name)), others };
}

function getOthers(object: JsonObject, names: readonly string[]): Record<string, string> {
  const used = findTextField(object, names);
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) =>
      name === used || value === null ? [] : [[name, toDisplayText(value)]],
    ),
  );
}

function findTextField(object: JsonObject, names: readonly string[]): string | undefined {
  return getTextField(object)?.name ?? names.find((name) => typeof object[name] === 'string');
}

function findFirstText(value: JsonValue | undefined, names: readonly string[]): string | null {
  const texts = new Map(isJsonObject(value) ? getTextFields(value) : []);
  const name = names.find((candidate) => texts.has(candidate));
  return name === undefined ? null : (texts.get(name) ?? null);
}

function getTextFields(document: JsonObject): [name: string, text: string][] {
  return Object.entries(document).flatMap(([name, text]): [string, string][] =>
    typeof text === 'string' ? [[name, text]] : [],
  );
}

function createFailure(message: string): ReadDocuments {
  return { ok: false, message };
}
