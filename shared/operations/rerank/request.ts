/** The rerank request with its limits, and what its form holds. */
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { meta } from '../form/field-meta.ts';
import { wholeNumber } from '../form/number-fields.ts';
import { textOfValue } from '../response/values.ts';

/** The names of the field that holds the text, best first. */
export const documentFields = ['text', 'document', 'content', 'passage', 'body', 'chunk'];

/** The text of a document in either of its forms; null if it has none. */
export function getText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  const field = isJsonObject(value) ? getTextField(value) : undefined;
  return field === undefined ? null : field.text;
}

/** Returns the document's text, or else its JSON; null if it is absent. */
export function getShownText(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return getText(value) ?? textOfValue(value);
}

/** Returns the document's other fields; null if there are none. */
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

/** The interface says string; clients of the wider convention send `{text}` as well. */
const rerankDocumentSchema = z.union([z.string(), z.looseObject({ text: z.string() })]);

export const rerankRequestSchema = z.object({
  model: z.string('Choose a model.').min(1, 'Choose a model.'),
  query: z.string('Enter a query first.').min(1, 'Enter a query first.'),
  documents: z
    .array(rerankDocumentSchema, 'Add at least one document.')
    .min(1, 'Add at least one document.'),
  top_n: wholeNumber()
    .optional()
    .meta(
      meta({
        title: 'Top n',
        description: 'Return only the top N documents.',
        group: 'Output',
        control: 'number',
        startValue: 3,
      }),
    ),
  return_documents: z
    .boolean()
    .optional()
    .meta(
      meta({
        title: 'Return documents',
        description: 'Include the text of each document in the response.',
        group: 'Output',
        control: 'switch',
        startValue: true,
      }),
    ),
});
export type RerankRequest = z.infer<typeof rerankRequestSchema>;

export const rerankInputSchema = z.object({
  query: z.string(),
  /** One document per line; a line break inside a document is `↵`. */
  documents: z.string(),
});
export type RerankInput = z.infer<typeof rerankInputSchema>;
