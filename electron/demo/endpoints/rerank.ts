/** `POST /v1/rerank`: BM25 over the documents, scores between 0 and 1. */
import { randomUUID } from 'node:crypto';
import { numberOf } from '../../../shared/exact-number.ts';
import { rerankRequestSchema } from '../../../shared/operations/rerank/request.ts';
import { asJsonObject, checkRequest } from '../http/check-request.ts';
import { type DemoExchange, sendJson } from '../http/exchange.ts';
import { invalidRequest, modelNotFound } from '../http/failure.ts';
import { readJson } from '../http/read-body.ts';
import { countTokens } from '../language/tokens.ts';
import { scoreDocuments } from '../media/bm25.ts';
import { rerankModels } from '../models.ts';

export async function answerRerank({ request, response }: DemoExchange): Promise<void> {
  const body = checkRequest(rerankRequestSchema, asJsonObject(await readJson(request)));
  if (!rerankModels.includes(body.model)) throw modelNotFound(body.model, rerankModels);
  const topN = numberOf(body.top_n) ?? body.documents.length;
  if (topN < 1) throw invalidRequest('top_n: Enter 1 or more.', 'top_n');
  const texts = body.documents.map((document) =>
    typeof document === 'string' ? document : document.text,
  );
  const results = scoreDocuments(body.query, texts)
    .map((score, index) => ({
      index,
      relevance_score: Number((score / (score + 1)).toFixed(6)),
      ...(body.return_documents ? { document: { text: texts[index] } } : {}),
    }))
    .sort((first, second) => second.relevance_score - first.relevance_score)
    .slice(0, topN);
  const inputTokens =
    countTokens(body.query) + texts.reduce((sum, text) => sum + countTokens(text), 0);
  sendJson(response, 200, {
    id: `rerank-${randomUUID()}`,
    results,
    meta: { model: body.model, method: 'bm25', tokens: { input_tokens: inputTokens } },
  });
}
