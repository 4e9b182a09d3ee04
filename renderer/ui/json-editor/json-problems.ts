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

/** Listing and marking more would make each key press slow. */
const MAX_SHOWN = 20;

/** Returns errors before warnings, and the number of problems that aren't listed. */
export function listProblems(
  text: string,
  check: CheckValue,
): { problems: readonly ValueProblem[]; hiddenCount: number } {
  const read = readJson(text, check);
  const found = read.ok ? read.warnings : read.problems;
  const isError = ({ severity }: ValueProblem) => severity === 'error';
  const sorted = [...found.filter(isError), ...found.filter((problem) => !isError(problem))];
  return {
    problems: sorted.slice(0, MAX_SHOWN),
    hiddenCount: Math.max(0, sorted.length - MAX_SHOWN),
  };
}

export const noCheck: CheckValue = () => [];
