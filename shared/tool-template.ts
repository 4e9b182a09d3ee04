/** Fills a canned result with the arguments of the call. */
import { appError, UserFacingError } from './errors.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import { parseJson } from './parse-json.ts';

/** A name, or a path such as `items.0.id`; it can't begin or end a JSON string. */
const PLACE = /\{\{([^{}"\\]+)\}\}/g;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/;
const STRING_OR_PLACE = new RegExp(`${STRING.source}|${PLACE.source}`, 'g');

/** No model reads more, and a template can repeat a long argument many times. */
const MAX_LENGTH = 8_000_000;

/**
 * Inserts an argument into a JSON string as text and elsewhere as JSON; a missing one becomes null
 * or empty text. In a template that isn't JSON, arguments are inserted as text. Throws a
 * `UserFacingError` if the result would be longer than `maxLength`.
 */
export function fillToolTemplate(
  template: string,
  args: JsonValue,
  maxLength = MAX_LENGTH,
): string {
  let { length } = template;

  /** Replaces placeholders with their arguments, encoding each argument only once. */
  function createFill(write: (argument: JsonValue) => string) {
    const written = new Map<string, string>();
    return (text: string) =>
      text.replace(PLACE, (_, path: string) => {
        const argument = written.get(path) ?? write(getArgument(args, path));
        written.set(path, argument);
        length += argument.length;
        if (length > maxLength) throw new UserFacingError(tooLong);
        return argument;
      });
  }

  const fillText = createFill(toText);
  if (parseJson(template.replace(PLACE, '0')) === undefined) return fillText(template);
  const fillString = createFill((argument) => escapeJson(toText(argument)));
  const fillJson = createFill((argument) => JSON.stringify(argument));
  return template.replace(STRING_OR_PLACE, (found) =>
    found.startsWith('"') ? fillString(found) : fillJson(found),
  );
}

const tooLong = appError(
  'invalid-request',
  'The canned result is over the limit of 8 million characters.',
  'Use fewer arguments in the result, or a shorter argument.',
);

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
