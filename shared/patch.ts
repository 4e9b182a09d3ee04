/**
 * The difference between two versions of a JSON state, small enough to send many times a second.
 * A string that grew travels as its new end only; states share what did not change, so unchanged
 * branches are skipped by identity.
 */
import { z } from 'zod';
import { isJsonObject, type JsonValue } from './json.ts';
import { jsonValueSchema } from './json-schema.ts';

const pathSchema = z.array(z.union([z.string(), z.int().nonnegative()]));

export const patchSchema = z.array(
  z.discriminatedUnion('op', [
    z.object({ op: z.literal('append'), path: pathSchema, text: z.string() }),
    z.object({ op: z.literal('set'), path: pathSchema, value: jsonValueSchema }),
    z.object({ op: z.literal('remove'), path: pathSchema }),
  ]),
);
export type Patch = z.infer<typeof patchSchema>;
type Path = z.infer<typeof pathSchema>;

/** Any state that is JSON at run time, under whatever type its owner gives it. */
export type JsonState<State> = State extends (...args: never[]) => unknown ? never : State;

/** The steps that turn `before` into `after`; empty when they are equal. */
export function diff<State>(before: JsonState<State>, after: JsonState<State>): Patch {
  const patch: Patch = [];
  compare(before as JsonValue, after as JsonValue, [], patch);
  return patch;
}

function compare(before: JsonValue, after: JsonValue, path: Path, patch: Patch): void {
  if (before === after) return;
  if (typeof before === 'string' && typeof after === 'string') {
    if (before.length > 0 && after.length > before.length && after.startsWith(before)) {
      patch.push({ op: 'append', path, text: after.slice(before.length) });
    } else {
      patch.push({ op: 'set', path, value: after });
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && after.length >= before.length) {
    for (const [index, item] of after.entries()) {
      const old = before[index];
      if (old === undefined) patch.push({ op: 'set', path: [...path, index], value: item });
      else compare(old, item, [...path, index], patch);
    }
    return;
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of Object.keys(before)) {
      if (!Object.hasOwn(after, key)) patch.push({ op: 'remove', path: [...path, key] });
    }
    for (const [key, value] of Object.entries(after)) {
      const old = before[key];
      if (old === undefined || !Object.hasOwn(before, key)) {
        patch.push({ op: 'set', path: [...path, key], value });
      } else compare(old, value, [...path, key], patch);
    }
    return;
  }
  patch.push({ op: 'set', path, value: after });
}
