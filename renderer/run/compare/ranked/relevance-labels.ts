import { formatCsvRow } from '../../../../shared/csv.ts';
import { isJsonObject, type JsonValue } from '../../../../shared/json.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import { readCsv } from '../../../lib/csv.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { type RelevanceLabel, readRelevanceLabel } from '../metrics/rank-metrics.ts';

/** Keyed by the document's index in the request, from 0. */
export type LabelsByIndex = Readonly<Record<string, RelevanceLabel>>;

export type ReadLabels = { ok: true; labels: LabelsByIndex } | { ok: false; message: string };

/** Reads JSON, or CSV with a header. `index` counts from 0, and `document` counts from 1. */
export function readLabels(name: string, content: string, documentCount: number): ReadLabels {
  const text = content.replace(/^\uFEFF/, '').trim();
  if (text === '') return createFailure(`${name} is empty.`);
  try {
    const entries = /^[[{]/.test(text) ? readJsonEntries(text) : readCsvEntries(text);
    if (entries.length === 0) return createFailure(`${name} contains no labels.`);
    const unknown = entries.find(([index]) => Number(index) >= documentCount);
    if (unknown !== undefined) {
      const sent = pluralize(documentCount, 'document');
      return createFailure(
        `${name}: index ${unknown[0]} is out of range: ${sent} sent, indexes start at 0.`,
      );
    }
    return { ok: true, labels: Object.fromEntries(entries) };
  } catch (cause) {
    if (cause instanceof LabelError) return createFailure(`${name}: ${cause.message}`);
    throw cause;
  }
}

/** Drops labels for documents that weren't sent. */
export function filterLabels(labels: LabelsByIndex, documentCount: number): LabelsByIndex {
  return Object.fromEntries(
    Object.entries(labels).filter(([index]) => Number(index) < documentCount),
  );
}

export function formatLabelsCsv(labels: LabelsByIndex): string {
  const rows = Object.entries(labels).sort(([one], [other]) => Number(one) - Number(other));
  return `${[['index', 'label'], ...rows].map(formatCsvRow).join('\r\n')}\r\n`;
}

type LabelEntry = [index: string, label: RelevanceLabel];

class LabelError extends Error {}

function readJsonEntries(text: string): LabelEntry[] {
  const value = parseJson(text);
  if (value === undefined) throw new LabelError('this isn’t valid JSON.');
  if (isJsonObject(value)) {
    return Object.entries(value).map(([index, label]) => [
      readIndex(index, 0, `Field “${index}”`),
      readLabel(label, `Field “${index}”`),
    ]);
  }
  if (!Array.isArray(value)) throw new LabelError('expected an object or a list.');
  return value.flatMap((item, at): LabelEntry[] => {
    const place = `Item ${at + 1}`;
    if (item === null) return [];
    if (!isJsonObject(item)) return [[String(at), readLabel(item, place)]];
    const isIndex = item.index !== undefined;
    const number = isIndex ? item.index : item.document;
    if (number === undefined) throw new LabelError(`${place} has no “index” or “document”.`);
    const label = item.label ?? item.relevance;
    return [[readIndex(number, isIndex ? 0 : 1, place), readLabel(label, place)]];
  });
}

function readCsvEntries(text: string): LabelEntry[] {
  const [head = [], ...rows] = readCsv(text);
  const names = head.map((cell) => cell.trim().toLowerCase());
  const isIndex = names.includes('index');
  const place = names.indexOf(isIndex ? 'index' : 'document');
  const label = names.includes('label') ? names.indexOf('label') : names.indexOf('relevance');
  if (place < 0 || label < 0) {
    throw new LabelError(
      'the first row must name the columns “index” (from 0) or “document” (from 1), and “label”.',
    );
  }
  return rows.flatMap((cells, at): LabelEntry[] => {
    const row = `Row ${at + 2}`;
    const given = cells[label]?.trim() ?? '';
    if (given === '') return [];
    return [[readIndex(cells[place] ?? '', isIndex ? 0 : 1, row), readLabel(given, row)]];
  });
}

/** `first` is the number of the first document. */
function readIndex(value: JsonValue, first: 0 | 1, place: string): string {
  const written = toText(value);
  const number = Number(written.trim() || Number.NaN);
  if (!Number.isSafeInteger(number) || number < first) {
    const name = first === 0 ? 'an index (0, 1, 2, …)' : 'a document number (1, 2, 3, …)';
    throw new LabelError(`${place}: “${written}” isn’t ${name}.`);
  }
  return String(number - first);
}

function readLabel(value: JsonValue | undefined, place: string): RelevanceLabel {
  const label = readRelevanceLabel(toText(value ?? '').trim());
  if (label === undefined) throw new LabelError(`${place}: the label must be 0, 1, 2 or 3.`);
  return label;
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function createFailure(message: string): ReadLabels {
  return { ok: false, message };
}
