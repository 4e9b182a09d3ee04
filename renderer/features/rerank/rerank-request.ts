/** The rerank form as fields of a request, and the reverse: pure. */
import type { JsonObject } from '../../../shared/json.ts';
import { getShownText } from '../../../shared/operations/rerank/document.ts';
import type { RerankInput } from '../../../shared/operations/rerank/input.ts';
import { getDocuments, toText } from './documents.ts';
import { sentDocuments } from './ranking.ts';

export function requestOfInput({ query, documents }: RerankInput): JsonObject {
  return { query, documents: getDocuments(documents) };
}

export function inputOfRequest(request: JsonObject): RerankInput {
  const documents = sentDocuments({ request, extraBody: {} });
  return {
    query: typeof request.query === 'string' ? request.query : '',
    documents: toText(documents.flatMap((document) => getShownText(document) ?? [])),
  };
}
