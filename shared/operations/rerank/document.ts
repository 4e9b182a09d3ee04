/** What a document is, sent or returned: a text, or an object that has one and other fields beside it. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';

/** The names of the field that holds the text, best first. */
export const documentFields = ['text', 'document', 'content', 'passage', 'body', 'chunk'];

/** The text of a document in either of its forms; null where it has none. */
export function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  const field = isJsonObject(value) ? textFieldOf(value) : undefined;
  return field === undefined ? null : field.text;
}

/** What a document has beside its text; null where there is nothing. */
export function fieldsOf(value: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const name = textFieldOf(value)?.name;
  const others = Object.entries(value).filter(([field]) => field !== name);
  return name === undefined || others.length === 0 ? null : Object.fromEntries(others);
}

/** By its name, else the first that is a text. */
function textFieldOf(document: JsonObject): { name: string; text: string } | undefined {
  return [...documentFields, ...Object.keys(document)].flatMap((name) => {
    const text = document[name];
    return typeof text === 'string' ? [{ name, text }] : [];
  })[0];
}
