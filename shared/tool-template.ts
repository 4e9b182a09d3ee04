/** Fills a canned result with the arguments of the call. */
import { isJsonObject, type JsonValue } from './json.ts';
import { parseJson } from './parse-json.ts';

/** A name, or a path such as `items.0.id`. */
const PLACE = /\{\{\s*([^{}\s]+)\s*\}\}/g;
const STRING_OR_PLACE = /"(?:[^"\\]|\\.)*"|\{\{\s*[^{}\s]+\s*\}\}/g;

/**
 * Inserts an argument into a JSON string as text and elsewhere as JSON; a missing one is null, or an
 * empty text. In a template that isn't JSON, arguments are inserted as text.
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
  let value: JsonValue = args;
  for (const step of path.split('.')) {
    const inside: JsonValue = value;
    if (Array.isArray(inside)) value = inside[Number(step)] ?? null;
    else
      value = isJsonObject(inside) && Object.hasOwn(inside, step) ? (inside[step] ?? null) : null;
  }
  return value;
}

function toText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
