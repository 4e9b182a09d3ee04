/** Defines the parameters of a form: what is sent for each, and under which name. */
import { z } from 'zod';
import { joinFieldName } from './form-fields.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { jsonValueSchema } from './json-schema.ts';

/** The API field name as typed; an empty one stands for the default name. */
const as = z.string().optional();
const none = z.undefined().optional();

/** A parameter has a value, has invalid text, or is off; otherwise, it inherits. */
export const paramSchema = z.union([
  /** `text` is what the control shows, if it differs from the formatted value. */
  z.strictObject({ as, value: jsonValueSchema, text: z.string().optional(), off: none }),
  z.strictObject({ as, value: none, text: z.string(), off: none }),
  /** Not sent, even if it has a default. */
  z.strictObject({ as, value: none, text: none, off: z.literal(true) }),
  z.strictObject({ as, value: none, text: none, off: none }),
]);
export type Param = z.infer<typeof paramSchema>;
/** Keyed by name in the request schema. */
export type Params = Readonly<Record<string, Param>>;

/** Returns an empty parameter, which inherits, if there is none of this name. */
export function getParam(params: Params, name: string): Param {
  return (Object.hasOwn(params, name) ? params[name] : undefined) ?? {};
}

/** Returns undefined if the parameter isn't set, or its text isn't valid. */
export function getParamValue(params: Params, name: string): JsonValue | undefined {
  return getParam(params, name).value;
}

/** Returns true if the parameter has a value or a text. */
export function isSet({ value, text }: Param): boolean {
  return value !== undefined || text !== undefined;
}

/** Returns true unless the parameter inherits its value, text or "off". */
export function hasParamState(param: Param): boolean {
  return isSet(param) || param.off === true;
}

/** Returns true if the parameter has neither a state nor an API field name. */
export function isEmptyParam(param: Param): boolean {
  return !hasParamState(param) && param.as === undefined;
}

/** Returns the value, text or "off" without the API field name. */
export function getParamState({ as: _, ...state }: Param): Param {
  return state;
}

/** Replaces the value, text and "off" together, and the API field name separately. */
export function mergeParam(under: Param, over: Param): Param {
  const state = getParamState(hasParamState(over) ? over : under);
  const name = over.as ?? under.as;
  return name === undefined ? state : { ...state, as: name };
}

/** Overrides the panel's parameters with a variant's, or the operation's defaults with a form's. */
export function mergeParams(under: Params, over: Params): Params {
  const names = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries(
    [...names].map((name) => [name, mergeParam(getParam(under, name), getParam(over, name))]),
  );
}

/** Removes the parameters whose field names are in `unset`, then applies `changes`. */
export function changeParams(params: Params, changes: Params, unset: readonly string[]): Params {
  const kept = Object.entries(params).filter(
    ([name]) => !unset.includes(joinFieldName('params', name)),
  );
  return mergeParams(Object.fromEntries(kept), changes);
}

/** Returns the set values by parameter name. */
export function getParamValues(params: Params): JsonObject {
  return Object.fromEntries(
    Object.keys(params).flatMap((name) => {
      const value = getParamValue(params, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the custom Field names, without blank or unchanged ones. */
export function getWireNames(params: Params): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params)
      .map(([name, param]) => [name, param.as?.trim() ?? ''] as const)
      .filter(([name, wireName]) => wireName !== '' && wireName !== name),
  );
}
