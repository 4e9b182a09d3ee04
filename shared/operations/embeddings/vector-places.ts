/** Finds the vectors of an embeddings response, whichever fields it uses. */
import { isJsonNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { readIndex, readNumber } from '../response/values.ts';

/**
 * Replaces a vector; `index` is the position of its input in the request, from 0. `isMisnumbered`
 * means that the response's indexes can't be used, so `index` is the position in its list.
 */
export type VisitVector = (value: JsonValue, index: number, isMisnumbered: boolean) => JsonValue;

/** The fields of an item that may contain its vector, in order of precedence. */
const VECTORS = ['embedding', 'values', 'vector', 'dense_embedding'];
const INDEXES = ['index', 'text_index', 'input_index'];
/** Fields that hold the list of vectors, in OpenAI's, Cohere's, Ollama's and Gemini's format. */
const LISTS = ['data', 'embeddings', 'results', 'predictions', 'embedding'];

/**
 * Returns a copy with the vectors replaced; null if the response has no list of vectors. `count` is
 * the number of inputs in the request.
 */
export function mapVectors(
  response: JsonValue,
  count: number,
  visit: VisitVector,
): JsonValue | null {
  if (Array.isArray(response)) return mapList(response, count, visit);
  if (!isJsonObject(response)) return null;
  for (const name of LISTS) {
    const mapped = mapHolder(response[name], count, visit);
    if (mapped !== null) return { ...response, [name]: mapped };
  }
  // DashScope nests the list in `output`.
  const inside = isJsonObject(response.output) ? mapVectors(response.output, count, visit) : null;
  return inside === null ? null : { ...response, output: inside };
}

function mapHolder(
  holder: JsonValue | undefined,
  count: number,
  visit: VisitVector,
): JsonValue | null {
  if (Array.isArray(holder)) return mapList(holder, count, visit);
  if (!isJsonObject(holder)) return null;
  if (isStoredVector(holder)) return visit(holder, 0, false);
  // Gemini returns a single vector as `{values: […]}`, and Cohere has a list for each type.
  const vector = findVector(holder);
  if (vector !== null) return { ...holder, [vector]: visit(holder[vector] ?? null, 0, false) };
  for (const [type, list] of Object.entries(holder)) {
    if (Array.isArray(list)) return { ...holder, [type]: mapList(list, count, visit) };
  }
  return null;
}

function mapList(list: JsonValue[], count: number, visit: VisitVector): JsonValue {
  if (isJsonNumber(list[0])) return visit(list, 0, false);
  const indexes = list.map((item) => (isJsonObject(item) ? readItemIndex(item) : null));
  const isMisnumbered = !areUsable(indexes, count);
  return list.map((item, at) => {
    if (!isJsonObject(item) || isStoredVector(item)) return visit(item, at, isMisnumbered);
    const vector = findVector(item);
    const index = isMisnumbered ? at : (indexes[at] ?? at);
    if (vector === null) return item;
    return { ...item, [vector]: visit(item[vector] ?? null, index, isMisnumbered) };
  });
}

/** Returns false if indexes repeat or are missing or wrong; vectors without any are in order. */
function areUsable(indexes: readonly (number | null)[], count: number): boolean {
  const known = indexes.filter((index) => index !== null);
  const found = new Set(known.filter((index) => index < count));
  return known.length === 0 || found.size === Math.min(count, indexes.length);
}

function findVector(item: JsonObject): string | null {
  return VECTORS.find((name) => item[name] !== undefined) ?? null;
}

function readItemIndex(item: JsonObject): number | null {
  const name = INDEXES.find((field) => item[field] !== undefined);
  return name === undefined ? null : readIndex(readNumber(item[name]) ?? undefined);
}

/** Replaces a vector in a recorded response, because a separate file contains the vectors. */
export interface StoredVector extends JsonObject {
  /** The `media:<id>` of the file. */
  media: string;
  /** The position of the input among all inputs of the run, from 0. */
  row: number;
  dimensions: number;
  encoding: string;
}

export function isStoredVector(value: JsonValue): value is StoredVector {
  return (
    isJsonObject(value) &&
    typeof value.media === 'string' &&
    typeof value.row === 'number' &&
    typeof value.dimensions === 'number' &&
    typeof value.encoding === 'string'
  );
}
