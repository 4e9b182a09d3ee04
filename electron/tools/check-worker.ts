/** Validates one value against a JSON Schema (2020-12) whose patterns may be hostile. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Schema, Validator } from '@cfworker/json-schema';

/** Errors for these keywords only repeat the errors of nested values. */
const WRAPPERS = new Set(['properties', 'items', 'prefixItems', 'additionalProperties', '$ref']);

function check(value: unknown, schema: Schema): string | null {
  try {
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(value);
    if (valid) return null;
    const own = errors.filter(({ keyword }) => !WRAPPERS.has(keyword));
    const [first] = own.length > 0 ? own : errors;
    const path = first?.instanceLocation.replace(/^#\/?/, '') ?? '';
    return `${path === '' ? '' : `${path}: `}${first?.error ?? 'They are invalid.'}`;
  } catch {
    // A schema that can't be parsed can't reject anything.
    return null;
  }
}

parentPort?.postMessage({ problem: check(workerData.value, workerData.schema) });
