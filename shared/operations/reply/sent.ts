/** Reads the head of a recorded reply, and the fields of a recorded request. */
import { isJsonObject, type JsonObject } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import type { RunEventOf } from '../../run.ts';

/** As it was sent; null if there is none. */
export function getContentType({ headers }: RunEventOf<'response'>): string | null {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;
}

/** Empty if the body is no JSON object. */
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
