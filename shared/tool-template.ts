/** Fills a canned result with the arguments of the call. */
import { isJsonObject, type JsonValue } from './json.ts';
import { parseJson } from './parse-json.ts';

/** A name, or a path such as `items.0.id`; it can't begin or end a JSON string. */
const PLACE = /\{\{([^{}"\\]+)\}\}/g;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/;
const STRING_OR_PLACE = new RegExp(`${STRING.source}|${PLACE.source}`, 'g');

/**
 * Inserts an argument into a JSON string as text and elsewhere as JSON; a missing one becomes null
 * or empty text. In a template that isn't JSON, arguments are inserted as text.
 */
export function fillToolTemplate(template: string, args: JsonValue): string {
  if (parseJson(template.replace(PLACE, '0')) === undefined) {
    return template.replace(PLACE, (_, path: string) => toText(getArgument(args, path)));
  }
  return template.replace(STRING_OR_PLACE, (found) =>
    found.startsWith('"')
      ? found.replace(PLACE, (_, path: string) => escapeJson(toText(getArgument(args, path))))
      : found.replace(PLACE, (_, path: string) => JSON.stringify(getArgument(args, path))),
  );
}

function getArgument(args: JsonValue, path: string): JsonValue {
  let value: JsonValue | undefined = args;
  for (const step of path.trim().split('.')) value = getMember(value, step);
  return value ?? null;
}

/** Ignores names that objects inherit, such as `constructor`. */
function getMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function toText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
