/** Describes the fields that a JSON editor completes and explains. */
import type { JsonValue } from '../../../shared/json.ts';

export interface JsonHint {
  title: string;
  description: string;
  /** The values to complete; other values may be valid, too. */
  values: readonly JsonValue[];
  properties: Readonly<Record<string, JsonHint>>;
  /** Null if the value isn't a list, or its items are unknown. */
  items: JsonHint | null;
}

/** A property name, or null for any item of a list. */
export type HintPath = readonly (string | null)[];

export const noHint: JsonHint = {
  title: '',
  description: '',
  values: [],
  properties: {},
  items: null,
};

/** Returns null if nothing is known about the position. */
export function findHint(hint: JsonHint, path: HintPath): JsonHint | null {
  let found: JsonHint | null = hint;
  for (const step of path) {
    if (found === null) return null;
    const { properties, items }: JsonHint = found;
    if (step === null) found = items;
    else found = Object.hasOwn(properties, step) ? (properties[step] ?? null) : null;
  }
  return found;
}
