/** Implements `POST /v1/rerank`; the model determines how documents are scored from 0 to 1. */
import { randomUUID } from 'node:crypto';
import { getNumber } from '../../../shared/exact-number.ts';
import { getRerankRequestSchema } from '../../../shared/operations/rerank/request.ts';
import { type DemoExchange, sendJson } from '../exchange.ts';
import { countTokens } from '../language/answer.ts';
import { rerankModels } from '../models.ts';
import { checkRequest, createInvalidRequest, findModel, readJsonObject } from '../requests.ts';

export async function answerRerank({ request, response }: DemoExchange): Promise<void> {
  const body = checkRequest(getRerankRequestSchema(), await readJsonObject(request));
  const { method, score: scoreDocuments } = findModel(rerankModels, body.model);
  const topN = getNumber(body.top_n) ?? body.documents.length;
  if (topN < 1) throw createInvalidRequest('top_n: Enter 1 or more.', 'top_n');
  const texts = body.documents.map((document) =>
    typeof document === 'string' ? document : document.text,
  );
  const results = scoreDocuments(body.query, texts)
    .map((score, index) => ({
      index,
      relevance_score: Number(score.toFixed(6)),
      ...(body.return_documents ? { document: { text: texts[index] } } : {}),
    }))
    .sort((first, second) => second.relevance_score - first.relevance_score)
    .slice(0, topN);
  const inputTokens =
    countTokens(body.query) + texts.reduce((sum, text) => sum + countTokens(text), 0);
  sendJson(response, 200, {
    id: `rerank-${randomUUID()}`,
    results,
    meta: { model: body.model, method, tokens: { input_tokens: inputTokens } },
  });
}
