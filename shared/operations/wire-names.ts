/** Validates the API names that the user chose for fields. */
import type { FieldError } from '../errors.ts';
import type { RunInput } from '../run.ts';
import type { OperationName } from './operation-name.ts';
import { operations, requestSchemas } from './operations.ts';
import { wireName } from './rename-fields.ts';

type WireNames = RunInput['wireNames'];

const none: ReadonlySet<string> = new Set();

export function trimWireNames(wireNames: WireNames): WireNames {
  return Object.fromEntries(Object.entries(wireNames).map(([field, name]) => [field, name.trim()]));
}

/** Reports invalid fields, and empty or duplicate names, at `['wireNames', field]`. */
export function findWireNameErrors(operation: OperationName, wireNames: WireNames): FieldError[] {
  const { renamable, joined = none } = operations[operation];
  const fields = Object.keys(requestSchemas[operation].shape);
  return Object.entries(wireNames).flatMap(([field, name]) => {
    const message = !Object.hasOwn(renamable, field)
      ? `“${field}” can’t be renamed.`
      : name === ''
        ? 'Enter a field name.'
        : fields.some(
              (other) =>
                other !== field &&
                !(joined.has(field) && joined.has(other)) &&
                wireName(other, wireNames) === name,
            )
          ? `“${name}” is already used by another field.`
          : null;
    return message === null ? [] : [{ path: ['wireNames', field], message }];
  });
}
