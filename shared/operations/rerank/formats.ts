/** Maps each rerank field to the wire formats; docs/formats.md lists the sources. */
import type { JsonValue } from '../../json.ts';
import type { FieldTable } from '../field-table.ts';
import type { RequestFormat } from '../operation.ts';
import { getShownText, type RerankRequest } from './request.ts';

/** `POST /v1/rerank`: https://docs.cohere.com/reference/rerank */
export const rerankFields: FieldTable<RerankRequest> = {
  model: 'same',
  query: 'same',
  documents: 'same',
  top_n: 'same',
  return_documents: 'same',
};

const rankingFields: FieldTable<RerankRequest> = {
  model: 'same',
  query: { at: ['query', 'text'] },
  documents: {
    at: ['passages'],
    encode: (documents) => listTexts(documents).map((text) => ({ text })),
    decode: (passages) => listTexts(passages),
    note: 'as `{text}`',
  },
  top_n: 'unsent',
  return_documents: 'unsent',
};

const textsFields: FieldTable<RerankRequest> = {
  model: 'same',
  query: 'same',
  documents: { at: ['texts'], encode: listTexts, decode: listTexts, note: 'as text' },
  top_n: 'unsent',
  return_documents: { at: ['return_text'] },
};

export const RANKING = 'ranking';
export const TEXTS = 'texts';

export const rerankFormats: readonly RequestFormat[] = [
  { name: RANKING, title: 'Ranking', path: '/v1/ranking', fields: rankingFields },
  { name: TEXTS, title: 'Texts', path: '/rerank', fields: textsFields },
];

/** The lists of documents in a request, by format. */
export const documentLists = ['documents', 'passages', 'texts'];

function listTexts(documents: JsonValue): string[] {
  const list = Array.isArray(documents) ? documents : [];
  return list.map((document) => getShownText(document) ?? '');
}
