/** Defines the rerank request, its limits, its form input and how document text is read. */
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { once } from '../../once.ts';
import { parameter } from '../form/field-meta.ts';
import { wholeNumber } from '../form/number-fields.ts';
import { toDisplayText, withoutNulls } from '../response/values.ts';

/** Names of the text field, in order of precedence. */
export const documentFields = ['text', 'document', 'content', 'passage', 'body', 'chunk'];

/** Returns the text of a string or object document; null if the document has no text. */
export function getDocumentText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value;
  const field = isJsonObject(value) ? getTextField(value) : undefined;
  return field === undefined ? null : field.text;
}

/** Returns the document's text, or its JSON if it has no text; null if there is no document. */
export function getShownText(value: JsonValue | undefined): string | null {
  const document = withoutNulls(value);
  return document === null ? null : (getDocumentText(document) ?? toDisplayText(document));
}

/** Returns the document's other fields; null if there are none or all are null. */
export function getDocumentFields(value: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const name = getTextField(value)?.name;
  const others = Object.entries(value).filter(([field, item]) => field !== name && item !== null);
  return name === undefined || others.length === 0 ? null : Object.fromEntries(others);
}

/** Uses the only string field, because one of several could be an ID. */
export function getTextField(document: JsonObject): { name: string; text: string } | undefined {
  const texts = Object.entries(document).flatMap(([name, text]) =>
    typeof text === 'string' ? [{ name, text }] : [],
  );
  const named = documentFields.flatMap((field) => texts.find(({ name }) => name === field) ?? []);
  return (
    named.find(({ text }) => text !== '') ?? named[0] ?? (texts.length === 1 ? texts[0] : undefined)
  );
}

/** The API documents only strings, but some clients also send `{text}`. */
const rerankDocumentSchema = z.union([z.string(), z.looseObject({ text: z.string() })]);

export const getRerankRequestSchema = once(() =>
  z.object({
    model: z.string('Choose a model.').min(1, 'Choose a model.'),
    query: z.string('Enter a query first.').min(1, 'Enter a query first.'),
    documents: z
      .array(rerankDocumentSchema, 'Add at least one document.')
      .min(1, 'Add at least one document.'),
    format: parameter(z.enum(['ranking', 'texts']), {
      title: 'Format',
      description: 'The API that the request is written for.',
      group: 'Other',
      control: 'choice',
    }),
    top_n: parameter(wholeNumber(), {
      title: 'Top n',
      description: 'Return only the top N documents.',
      group: 'Output',
      control: 'number',
      startValue: 3,
    }),
    return_documents: parameter(z.boolean(), {
      title: 'Return documents',
      description: 'Include the text of each document in the response.',
      group: 'Output',
      control: 'switch',
      startValue: true,
    }),
  }),
);
export type RerankRequest = z.infer<ReturnType<typeof getRerankRequestSchema>>;

/** The other columns of the file that a text came from, by text. */
export const columnsByTextSchema = z.record(z.string(), z.record(z.string(), z.string()));
export type ColumnsByText = z.infer<typeof columnsByTextSchema>;

export const rerankInputSchema = z.object({
  query: z.string(),
  /** One document per line; `↵` stands for a line break within a document. */
  documents: z.string(),
  columns: columnsByTextSchema,
  /** Relevance labels by query, then by document text; 0 isn't relevant, 3 is exact. */
  labels: z.record(
    z.string(),
    z.record(z.string(), z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])),
  ),
});
export type RerankInput = z.infer<typeof rerankInputSchema>;
