/** Renames request fields to the names that a gateway expects. */
import type { JsonObject } from '../json.ts';
import type { RunInput } from '../run.ts';

type WireNames = RunInput['wireNames'];

/** A field that isn't renamed keeps its name. */
export function renameFields(request: JsonObject, wireNames: WireNames): JsonObject {
  return Object.fromEntries(
    Object.entries(request).map(([field, value]) => [wireName(field, wireNames), value]),
  );
}

export function wireName(field: string, wireNames: WireNames): string {
  return (Object.hasOwn(wireNames, field) ? wireNames[field] : undefined) ?? field;
}
