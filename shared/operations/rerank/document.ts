/** What a document is, sent or returned: a text, or an object that has one and other fields beside it. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { textOfValue } from '../reply/values.ts';

/** The names of the field that holds the text, best first. */
export const documentFields = ['text', 'document', 'content', 'passage', 'body', 'chunk'];

/** The text of a document in either of its forms; null if it has none. */
export function getText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  const field = isJsonObject(value) ? getTextField(value) : undefined;
  return field === undefined ? null : field.text;
}

/** What is shown of a document: its text, else all of it as JSON; null if it is absent. */
export function getShownText(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return getText(value) ?? textOfValue(value);
}

/** What a document has beside its text; null if there is nothing. */
export function getFields(value: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const name = getTextField(value)?.name;
  const others = Object.entries(value).filter(([field]) => field !== name);
  return name === undefined || others.length === 0 ? null : Object.fromEntries(others);
}

/**
 * By its name, else the only text there is: of several, one may be an ID. What is empty is the text where nothing
 * else is.
 */
function getTextField(document: JsonObject): { name: string; text: string } | undefined {
  const texts = Object.entries(document).flatMap(([name, text]) =>
    typeof text === 'string' ? [{ name, text }] : [],
  );
  const named = documentFields.flatMap((field) => texts.find(({ name }) => name === field) ?? []);
  return (
    named.find(({ text }) => text !== '') ?? named[0] ?? (texts.length === 1 ? texts[0] : undefined)
  );
}
