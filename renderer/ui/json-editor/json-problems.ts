/** Checks the syntax of JSON text, then its value. */
import type { JsonValue } from '../../../shared/json.ts';
import { readJsonText } from '../../lib/format-json-error.ts';

export interface ValueProblem {
  /** The path to the value, such as `['function', 'name']`. */
  path: (string | number)[];
  message: string;
  /** Only errors prevent saving; warnings don't. */
  severity: 'error' | 'warning';
}

export type CheckValue = (value: JsonValue) => ValueProblem[];

export type ReadJson =
  | { ok: true; value: JsonValue; warnings: ValueProblem[] }
  | { ok: false; problems: ValueProblem[] };

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
