/** Renames request fields to the names that a gateway expects. */
import type { FieldError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { RunInput } from '../run.ts';
import type { OperationName } from './operation-name.ts';
import { operations, requestSchemas } from './operations.ts';

type WireNames = RunInput['wireNames'];

/** A field that isn't renamed keeps its name. */
export function renameFields(request: JsonObject, wireNames: WireNames): JsonObject {
  return Object.fromEntries(
    Object.entries(request).map(([field, value]) => [wireName(field, wireNames), value]),
  );
}

export function trimWireNames(wireNames: WireNames): WireNames {
  return Object.fromEntries(Object.entries(wireNames).map(([field, name]) => [field, name.trim()]));
}

/** Reports invalid fields, and empty or duplicate names, at `['wireNames', field]`. */
export function findWireNameErrors(operation: OperationName, wireNames: WireNames): FieldError[] {
  const { renamable } = operations[operation];
  const fields = Object.keys(requestSchemas[operation].shape);
  return Object.entries(wireNames).flatMap(([field, name]) => {
    const message = !Object.hasOwn(renamable, field)
      ? `“${field}” can’t be renamed.`
      : name === ''
        ? 'Enter a field name.'
        : fields.some((other) => other !== field && wireName(other, wireNames) === name)
          ? `“${name}” is already used by another field.`
          : null;
    return message === null ? [] : [{ path: ['wireNames', field], message }];
  });
}

function wireName(field: string, wireNames: WireNames): string {
  return (Object.hasOwn(wireNames, field) ? wireNames[field] : undefined) ?? field;
}
