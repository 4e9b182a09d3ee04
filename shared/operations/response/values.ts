/** Reads values from responses, tolerating unexpected types and spellings. */
import { getNumber, isJsonNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { Media } from '../../media.ts';
import { parseJson } from '../../parse-json.ts';
import type { RunEventOf } from '../../run.ts';

/** Adds a warning for the user, unless the same warning exists. */
export type Warn = (warning: string) => void;

export function readString(value: JsonValue | undefined, name: string, warn: Warn): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (value === undefined || value === null) return null;
  warn(`The field ${name} isn’t text.`);
  return toDisplayText(value);
}

/** No list is longer, and SQLite stores it as an integer that Node reads back. */
const MAX_INDEX = 2 ** 31 - 1;

/** Returns null for a value that can't be the position in a list. */
export function readIndex(value: JsonValue | undefined): number | null {
  const isIndex = typeof value === 'number' && Number.isInteger(value) && value >= 0;
  return isIndex && value <= MAX_INDEX ? value : null;
}

/** Accepts strings, because some gateways quote numbers. */
export function readNumber(value: JsonValue | undefined): number | null {
  if (typeof value !== 'string') return getNumber(value);
  return value.trim() === '' ? null : getNumber(Number(value));
}

/** Returns a string as is, and any other value as JSON. */
export function toDisplayText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // `JSON.stringify` throws if the nesting is too deep for the stack.
    return '';
  }
}

/** Some gateways send an empty error with every response, such as `{"code": 0, "message": ""}`. */
export function isError(value: JsonValue | undefined): value is JsonValue {
  if (Array.isArray(value)) return value.some(isError);
  if (isJsonObject(value)) return Object.values(value).some(isError);
  const word = typeof value === 'string' ? value : isJsonNumber(value) ? String(value) : null;
  if (word !== null) return !isSuccessWord(word);
  return value !== undefined && value !== null && value !== false;
}

/** Matches a code or message that gateways send if there is no error, or that is empty. */
export function isSuccessWord(word: string): boolean {
  return /^(?:|0+|200|ok|success|succeed|succeeded|request successful|none|null|no error)[.!]?$/i.test(
    word.trim(),
  );
}

/** Returns the first text or number in a field of `names`, checking each name in every layer. */
export function findText(layers: readonly JsonObject[], names: readonly string[]): string | null {
  for (const name of names) {
    for (const layer of layers) {
      const found = findDisplayText(layer[name]);
      if (found !== null) return found;
    }
  }
  return null;
}

export function findDisplayText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return isJsonNumber(value) ? String(value) : null;
}

/** Some gateways send every field that they know as null; returns null if nothing else is left. */
export function withoutNulls(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return value ?? null;
  const entries = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
    const kept = withoutNulls(item);
    return kept === null ? [] : [[name, kept]];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Adds new warnings in order; returns the same state if there are none. */
export function addWarnings<State extends { warnings: string[] }>(
  state: State,
  warnings: readonly string[],
): State {
  if (warnings.length === 0) return state;
  const known = new Set(state.warnings);
  const fresh = [...new Set(warnings)].filter((warning) => !known.has(warning));
  return fresh.length === 0 ? state : { ...state, warnings: [...state.warnings, ...fresh] };
}

/** Warns if a file contains audio in several formats. */
export const MORE_AUDIO =
  'Some of the audio doesn’t play, because its parts differ in format. Download the file to get all of it.';

/** Adds an item, replacing any item with the same ID. */
/** Replaces items with equal IDs in place, and appends the rest. */
export function upsertMedia(list: readonly Media[], added: readonly Media[]): Media[] {
  return [...new Map([...list, ...added].map((media) => [media.id, media])).values()];
}

/** Accepts the documented camelCase `name` or its snake_case form. */
export function getCamelOrSnake(holder: JsonObject, name: string): JsonValue | undefined {
  return holder[name] ?? holder[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

export function getContentType({ headers }: RunEventOf<'response'>): string | null {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;
}

export function readSentFields({ body }: RunEventOf<'request'>): JsonObject {
  const fields = parseJson(body ?? '');
  return isJsonObject(fields) ? fields : {};
}

/** Reads a multipart field from the recorded request; null if the field is missing. */
export function readSentFormField(event: RunEventOf<'request'>, name: string): string | null {
  const { fields } = readSentFields(event);
  if (!Array.isArray(fields)) return null;
  for (const field of fields) {
    if (Array.isArray(field) && field[0] === name && typeof field[1] === 'string') return field[1];
  }
  return null;
}

/** Reads the audio duration from the recorded request; null if the duration is unknown. */
export function readSentAudioSeconds(event: RunEventOf<'request'>): number | null {
  const { files } = readSentFields(event);
  const file = Array.isArray(files) ? files[0] : undefined;
  return isJsonObject(file) && typeof file.durationSeconds === 'number'
    ? file.durationSeconds
    : null;
}
