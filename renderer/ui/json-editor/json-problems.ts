/** What is wrong with a JSON text: that it is none, or what its owner finds in the value. */
import type { JsonValue } from '../../../shared/json.ts';
import { readJsonText } from '../../lib/format-json-error.ts';

export interface ValueProblem {
  /** From the top of the value: `['function', 'name']`. */
  path: (string | number)[];
  message: string;
  /** A warning does not block. */
  severity: 'error' | 'warning';
}

/** Finds what is wrong with the value. */
export type CheckValue = (value: JsonValue) => ValueProblem[];

export type ReadJson =
  | { ok: true; value: JsonValue; warnings: ValueProblem[] }
  | { ok: false; problems: ValueProblem[] };

/** An empty text is not JSON. */
export function readJson(text: string, check: CheckValue): ReadJson {
  const read = readJsonText(text);
  if (!read.ok) {
    return { ok: false, problems: [{ path: [], message: read.message, severity: 'error' }] };
  }
  const problems = check(read.value);
  return problems.some(({ severity }) => severity === 'error')
    ? { ok: false, problems }
    : { ok: true, value: read.value, warnings: problems };
}

export const noCheck: CheckValue = () => [];
