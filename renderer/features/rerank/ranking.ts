import { assertNever } from '../../../shared/assert-never.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { getFields, getShownText } from '../../../shared/operations/rerank/document.ts';
import type { RerankProblem, RerankState } from '../../../shared/operations/rerank/state.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { csvLine } from './csv.ts';
import type { ListedResult } from './rank-lines.ts';

export interface RankedDocument {
  /** From 1, by score. */
  rank: number;
  /** As the API counts the documents that were sent: from 0; null if the reply does not say. */
  index: number | null;
  relevanceScore: number | null;
  /** As returned, else as sent; null if neither is there. */
  text: string | null;
  /** What the document has beside its text, from where the text is. */
  fields: JsonObject | null;
  /** How many places it went up; negative for down, null if it cannot be said. */
  movedUp: number | null;
  problem: RerankProblem | null;
}

/** The results laid beside the documents that were sent. */
export function rankDocuments(
  state: Pick<RerankState, 'results'>,
  sent: readonly JsonValue[],
): RankedDocument[] {
  return state.results.map(({ index, relevanceScore, document, fields, problem }, at) => {
    const known = index !== null && index >= 0 && index < sent.length;
    return {
      rank: at + 1,
      index,
      relevanceScore,
      text: document ?? (known ? getShownText(sent[index]) : null),
      fields: fields ?? (known && document === null ? getFields(sent[index]) : null),
      movedUp: known && problem === null ? index - at : null,
      problem,
    };
  });
}

export function sentDocuments({
  request,
  extraBody,
}: Pick<RunInput, 'request' | 'extraBody'>): JsonValue[] {
  const documents = extraBody.documents ?? request.documents;
  return Array.isArray(documents) ? documents : [];
}

/** As lists beside each other have it: a document that was not sent is none of theirs. */
export function listedResult({
  index,
  relevanceScore,
  text,
  problem,
}: RankedDocument): ListedResult {
  return {
    index: problem === 'out-of-range' ? null : index,
    score: relevanceScore,
    text,
    problem: listedProblem(problem, index),
  };
}

function listedProblem(problem: RerankProblem | null, index: number | null): string | null {
  switch (problem) {
    case null:
      return null;
    case 'no-index':
      return 'No index';
    case 'out-of-range':
      return `Index ${index} was not sent`;
    case 'repeated':
      return 'repeated';
    default:
      return assertNever(problem);
  }
}

/** In words, beside its arrow. */
export function describeMovement(movedUp: number): string {
  if (movedUp === 0) return 'unchanged';
  const places = Math.abs(movedUp);
  return `${movedUp > 0 ? 'up' : 'down'} ${places}`;
}

export function describeProblem(problem: RerankProblem, sentCount: number): string {
  switch (problem) {
    case 'no-index':
      return 'The response has no index for this result.';
    case 'out-of-range':
      return `Index out of range: ${pluralize(sentCount, 'document')} sent, indexes start at 0.`;
    case 'repeated':
      return 'An earlier result has the same index.';
    default:
      return assertNever(problem);
  }
}

/** All with as many decimals, so that they line up: more where every score is tiny. */
export function scoreFormat(
  documents: readonly Pick<RankedDocument, 'relevanceScore'>[],
): (score: number) => string {
  const most = documents.reduce(
    (so, { relevanceScore }) => Math.max(so, Math.abs(relevanceScore ?? 0)),
    0,
  );
  const decimals = most >= 100 ? 2 : most > 0 && most < 0.01 ? 6 : 4;
  return (score) => score.toFixed(decimals);
}

/** How full each bar is, from 0 to 1: scores are not always between 0 and 1. */
export function barScale(documents: readonly RankedDocument[]): (score: number) => number {
  const scores = documents.flatMap(({ relevanceScore: score }) => (score === null ? [] : [score]));
  const most = scores.reduce((so, score) => Math.max(so, score), Number.NEGATIVE_INFINITY);
  const least = scores.reduce((so, score) => Math.min(so, score), Number.POSITIVE_INFINITY);
  if (least >= 0 && most <= 1) return (score) => score;
  const from = Math.min(0, least);
  const span = most - from;
  return (score) => (span <= 0 ? 1 : (score - from) / span);
}

export function rankingJson(documents: readonly RankedDocument[], state: RerankState): string {
  const results = documents.map(({ rank, index, relevanceScore, text, fields }) => ({
    rank,
    index,
    relevance_score: relevanceScore,
    document: withFields(text, fields),
  }));
  const { id, meta, usage } = state;
  return `${JSON.stringify({ id, results, meta, usage }, null, 2)}\n`;
}

/** Both whole where a field beside the text is called `text` too. */
function withFields(text: string | null, fields: JsonObject | null): JsonValue {
  if (fields === null) return text;
  return Object.hasOwn(fields, 'text') ? { text, fields } : { text, ...fields };
}

export function rankingCsv(documents: readonly RankedDocument[]): string {
  const names = ['rank', 'index', 'relevance_score', 'moved_up', 'document'];
  const hasFields = documents.some(({ fields }) => fields !== null);
  const lines = documents.map(({ rank, index, relevanceScore, movedUp, text, fields }) => {
    const more = hasFields ? [fields === null ? null : JSON.stringify(fields)] : [];
    return csvLine([rank, index, relevanceScore, movedUp, text, ...more]);
  });
  const head = csvLine(hasFields ? [...names, 'fields'] : names);
  return `${[head, ...lines].join('\r\n')}\r\n`;
}
