/** Fields whose wire name the interface does not show: how a request is sent under other names. */
import type { FieldError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { RunInput } from '../run.ts';
import type { OperationName } from './operation-name.ts';
import { operations, requestSchemas } from './operations.ts';

type WireNames = RunInput['wireNames'];

/** The request as it is sent; a field that has no other name keeps its own. */
export function renameFields(request: JsonObject, wireNames: WireNames): JsonObject {
  return Object.fromEntries(
    Object.entries(request).map(([field, value]) => [wireName(field, wireNames), value]),
  );
}

/** Without blanks around the names. */
export function trimWireNames(wireNames: WireNames): WireNames {
  return Object.fromEntries(Object.entries(wireNames).map(([field, name]) => [field, name.trim()]));
}

/** Each at `['wireNames', field]`: fields that keep their name, empty names, and two fields of one name. */
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
