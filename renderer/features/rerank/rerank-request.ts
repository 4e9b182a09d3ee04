import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { getShownText, type RerankInput } from '../../../shared/operations/rerank/request.ts';
import type { RunInput } from '../../../shared/run.ts';
import { type ComparedInput, createPromptField } from '../../run/compare/compared-input.ts';
import { getDocuments, toText } from '../../run/form/documents/documents.ts';

/** Extra JSON overrides the form's documents. */
export function getSentDocuments({
  request,
  extraBody,
}: Pick<RunInput, 'request' | 'extraBody'>): JsonValue[] {
  const documents = extraBody.documents ?? request.documents;
  return Array.isArray(documents) ? documents : [];
}

export function toRerankFields({
  query,
  documents,
}: Pick<RerankInput, 'query' | 'documents'>): JsonObject {
  return { query, documents: getDocuments(documents) };
}

export function toRerankInput(request: JsonObject): Pick<RerankInput, 'query' | 'documents'> {
  const documents = getSentDocuments({ request, extraBody: {} });
  return {
    query: typeof request.query === 'string' ? request.query : '',
    documents: toText(documents.flatMap((document) => getShownText(document) ?? [])),
  };
}

export const comparedRerank: ComparedInput = {
  promptField: createPromptField('query', 'Query'),
  own: {
    write: (input) => ('query' in input ? toRerankFields(input) : {}),
    read: toRerankInput,
  },
};
