/** Reads single values of a reply tolerantly: what is odd is shown as far as it can be, and noted. */
import type { JsonValue } from '../../json.ts';

/** Notes something odd about the reply, in words for the user; the same words count once. */
export type Warn = (warning: string) => void;

/** A text field whose first value counts; null while it is missing or empty. */
export function readWord(value: JsonValue | undefined, name: string, warn: Warn): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (value === undefined || value === null) return null;
  warn(`The field ${name} was not text.`);
  return textOfValue(value);
}

/** A whole number from 0, or null. */
export function readIndex(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

/** Any JSON value as text: strings as they are. */
export function textOfValue(value: JsonValue): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than the stack allows.
    return '';
  }
}
