import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { documentFields, getText } from '../../../shared/operations/rerank/document.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { readCsv } from './csv.ts';

/** Stands for a line break inside a document, where a document is one line. */
export const lineBreakSign = '↵';

/** The lines of the text box, empty ones too: they are rows that wait for a text. */
export function documentLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Which document each line is, from 1; null for a line with nothing on it. */
export function documentNumbers(lines: readonly string[]): (number | null)[] {
  let number = 0;
  return lines.map((line) => {
    if (line.trim() === '') return null;
    number += 1;
    return number;
  });
}

/** What is sent: every line that has something on it. */
export function getDocuments(text: string): string[] {
  return documentLines(text)
    .filter((line) => line.trim() !== '')
    .map((line) => line.replaceAll(lineBreakSign, '\n'));
}

export function toLine(document: string): string {
  return document.replace(/\r\n|\r|\n/g, lineBreakSign);
}

export function toText(documents: readonly string[]): string {
  return documents.map(toLine).join('\n');
}

/** Adds documents behind what is there; an unfinished last line stays its own document. */
export function withDocuments(text: string, documents: readonly string[]): string {
  const before = text.replace(/\n+$/, '');
  const added = toText(documents);
  return before === '' ? added : `${before}\n${added}`;
}

/** A JSON array of texts or of objects with a text; null if it is none. */
export function readJsonDocuments(text: string): string[] | null {
  if (!text.trimStart().startsWith('[')) return null;
  const value = parseJson(text);
  return Array.isArray(value) && value.length > 0 ? getTexts(value) : null;
}

export type ReadDocuments = { ok: true; documents: string[] } | { ok: false; message: string };

/** What a text, CSV, JSON or JSONL file holds; by its name, else by its content. */
export function readDocuments(name: string, content: string): ReadDocuments {
  if (content.includes('\0')) return failed(`${name} is not a text file.`);
  const text = content.replace(/^\uFEFF/, '');
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  const documents = byExtension(extension, text);
  if (documents === null) return failed(`${name} could not be read: ${getProblem(extension)}`);
  const filled = documents.filter((document) => document.trim() !== '');
  if (filled.length === 0) return failed(`${name} contains no documents.`);
  return { ok: true, documents: filled };
}

function byExtension(extension: string | undefined, text: string): string[] | null {
  switch (extension) {
    case 'csv':
    case 'tsv':
      return csvDocuments(text);
    case 'jsonl':
    case 'ndjson':
      return jsonLines(text);
    case 'json':
      return readJsonDocuments(text);
    default:
      return readJsonDocuments(text) ?? text.split(/\r\n|\r|\n/);
  }
}

function getProblem(extension: string | undefined): string {
  return extension === 'json'
    ? 'it must be an array of strings or of objects with text.'
    : 'every line must be JSON with text.';
}

/** The column named like a document, else the one with the most text; a first row that names one is not a document. */
function csvDocuments(text: string): string[] {
  const rows = readCsv(text);
  const head = (rows[0] ?? []).map((name) => name.trim().toLowerCase());
  const named = documentFields.map((name) => head.indexOf(name)).find((column) => column !== -1);
  if (named !== undefined) return rows.slice(1).map((row) => row[named] ?? '');
  const cells = rows.flatMap((row) =>
    row.slice(0, head.length).map((text, at) => [at, text] as const),
  );
  const [longest = 0] = byLength(cells);
  return rows.map((row) => row[longest] ?? '');
}

/** The columns or fields, first the one with the longest phrases, then those of words and IDs, then of addresses. */
function byLength<Name>(texts: readonly (readonly [name: Name, text: string])[]): Name[] {
  const words = texts.filter(([, text]) => !ADDRESS.test(text));
  const phrases = words.filter(([, text]) => hasWords(text));
  return [...new Set([phrases, words, texts].flatMap(sortedByLength))];
}

const ADDRESS = /^\s*[a-z][a-z\d+.-]*:\/\/\S+\s*$/i;

/** Also those of a script without spaces. */
function hasWords(text: string): boolean {
  return /\s|[^\x20-\x7e]/.test(text.trim());
}

function sortedByLength<Name>(texts: readonly (readonly [name: Name, text: string])[]): Name[] {
  const lengths = new Map<Name, number>();
  for (const [name, text] of texts) lengths.set(name, (lengths.get(name) ?? 0) + text.length);
  return [...lengths].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
}

function jsonLines(text: string): string[] | null {
  const values = text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .map(parseJson);
  return getTexts(values);
}

/** Null if one of them has no text, or was no JSON. As of a table, one field is chosen for all without a named one. */
function getTexts(values: (JsonValue | undefined)[]): string[] | null {
  const unnamed = values.filter((value) => getText(value) === null).filter(isJsonObject);
  const names = byLength(unnamed.flatMap(getTextFields));
  const texts = values.map((value) => getText(value) ?? firstText(value, names));
  return texts.every((text) => text !== null) ? texts : null;
}

function firstText(value: JsonValue | undefined, names: readonly string[]): string | null {
  const texts = new Map(isJsonObject(value) ? getTextFields(value) : []);
  const name = names.find((candidate) => texts.has(candidate));
  return name === undefined ? null : (texts.get(name) ?? null);
}

function getTextFields(document: JsonObject): [name: string, text: string][] {
  return Object.entries(document).flatMap(([name, text]): [string, string][] =>
    typeof text === 'string' ? [[name, text]] : [],
  );
}

function failed(message: string): ReadDocuments {
  return { ok: false, message };
}
