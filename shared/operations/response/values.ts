/** Reads single values of a response, tolerant of their type and spelling. */
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { Media } from '../../media.ts';
import { parseJson } from '../../parse-json.ts';
import type { RunEventOf } from '../../run.ts';

/** Notes something odd about the reply, in words for the user; the same words count once. */
export type Warn = (warning: string) => void;

/** A text field whose first value counts; null while it is missing or empty. */
export function readString(value: JsonValue | undefined, name: string, warn: Warn): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (value === undefined || value === null) return null;
  warn(`The field ${name} isn’t text.`);
  return textOfValue(value);
}

/** A whole number from 0, or null. */
export function readIndex(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

/** A number, which some gateways write as text. */
export function readNumber(value: JsonValue | undefined): number | null {
  if (typeof value !== 'string') return getNumber(value);
  return value.trim() === '' ? null : getNumber(Number(value));
}

/** Any JSON value as text: strings without quotes. */
export function textOfValue(value: JsonValue): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than the stack allows.
    return '';
  }
}

/** The state with warnings added, each once, in the order received; the same state if none is new. */
export function addWarnings<State extends { warnings: string[] }>(
  state: State,
  warnings: readonly string[],
): State {
  if (warnings.length === 0) return state;
  const known = new Set(state.warnings);
  const fresh = [...new Set(warnings)].filter((warning) => !known.has(warning));
  return fresh.length === 0 ? state : { ...state, warnings: [...state.warnings, ...fresh] };
}

/** A state's list of media: sent again, a medium replaces what was known of it. */
export function upsertMedia(list: Media[], media: Media): Media[] {
  const at = list.findIndex(({ id }) => id === media.id);
  return at === -1 ? [...list, media] : list.with(at, media);
}

/** `name` as documented, in camel case. */
export function getCamelOrSnake(holder: JsonObject, name: string): JsonValue | undefined {
  return holder[name] ?? holder[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** As it was sent; null if there is none. */
export function getContentType({ headers }: RunEventOf<'response'>): string | null {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;
}

/** Returns an empty object if the body is not a JSON object. */
export function sentFields({ body }: RunEventOf<'request'>): JsonObject {
  const fields = parseJson(body ?? '');
  return isJsonObject(fields) ? fields : {};
}

/** The text fields of a form, from what is shown of it. */
export function sentFormField(event: RunEventOf<'request'>, name: string): string | null {
  const { fields } = sentFields(event);
  if (!Array.isArray(fields)) return null;
  for (const field of fields) {
    if (Array.isArray(field) && field[0] === name && typeof field[1] === 'string') return field[1];
  }
  return null;
}

/** How long the sound in a form is, from what is shown of it; null if that is not known. */
export function sentSoundSeconds(event: RunEventOf<'request'>): number | null {
  const { file } = sentFields(event);
  return isJsonObject(file) && typeof file.durationSeconds === 'number'
    ? file.durationSeconds
    : null;
}
