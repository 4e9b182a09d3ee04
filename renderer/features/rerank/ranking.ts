import { assertNever } from '../../../shared/assert-never.ts';
import { formatCsvRow } from '../../../shared/csv.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import {
  type ColumnsByText,
  getDocumentFields,
  getShownText,
} from '../../../shared/operations/rerank/request.ts';
import type { RerankProblem, RerankState } from '../../../shared/operations/rerank/rerank.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import type { ListedResult } from '../../run/compare/ranked/rank-lines.ts';

export interface RankedDocument {
  /** The result's rank, from 1. */
  rank: number;
  /** The document's position in the request, from 0; null if the response has no index. */
  index: number | null;
  relevanceScore: number | null;
  /** The returned text, else the text that was sent; null if neither is known. */
  text: string | null;
  /** The document's other fields, from the same source as `text`. */
  fields: JsonObject | null;
  /**
   * Places gained compared with the request's order: negative if it moved down, null if unknown.
   */
  movedUp: number | null;
  problem: RerankProblem | null;
}

/** `columns` are those of the file that a document came from. */
export function rankDocuments(
  state: Pick<RerankState, 'results'>,
  sent: readonly JsonValue[],
  columns: ColumnsByText = {},
): RankedDocument[] {
  return state.results.map(({ index, relevanceScore, document, fields, problem }, at) => {
    const known = index !== null && index >= 0 && index < sent.length;
    const text = document ?? (known ? getShownText(sent[index]) : null);
    const own = fields ?? (known && document === null ? getDocumentFields(sent[index]) : null);
    return {
      rank: at + 1,
      index,
      relevanceScore,
      text,
      fields: own ?? (text === null ? null : (columns[text] ?? null)),
      movedUp: known && problem === null ? index - at : null,
      problem,
    };
  });
}

/** Returns null for an index that doesn't match a sent document. */
export function toListedResult({
  index,
  relevanceScore,
  text,
  problem,
}: RankedDocument): ListedResult {
  return {
    index: problem === 'out-of-range' ? null : index,
    score: relevanceScore,
    text,
    problem: describeListedProblem(problem, index),
  };
}

function describeListedProblem(problem: RerankProblem | null, index: number | null): string | null {
  switch (problem) {
    case null:
      return null;
    case 'no-index':
      return 'No index';
    case 'out-of-range':
      return `Unknown index ${index}`;
    case 'repeated':
      return 'repeated';
    default:
      return assertNever(problem);
  }
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

/**
 * Maps a score to a bar length from 0 to 1, because some gateways return scores outside that range.
 */
export function createBarScale(documents: readonly RankedDocument[]): (score: number) => number {
  const scores = documents.flatMap(({ relevanceScore: score }) => (score === null ? [] : [score]));
  const max = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const min = scores.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  if (min >= 0 && max <= 1) return (score) => score;
  const from = Math.min(0, min);
  const span = max - from;
  return (score) => (span <= 0 ? 1 : (score - from) / span);
}

export function formatRankingJson(
  documents: readonly RankedDocument[],
  state: RerankState,
): string {
  const results = documents.map(({ rank, index, relevanceScore, text, fields }) => ({
    rank,
    index,
    relevance_score: relevanceScore,
    document: withFields(text, fields),
  }));
  const { id, meta, usage } = state;
  return `${JSON.stringify({ id, results, meta, usage }, null, 2)}\n`;
}

/** Nests the fields if one of them is also named `text`. */
function withFields(text: string | null, fields: JsonObject | null): JsonValue {
  if (fields === null) return text;
  return Object.hasOwn(fields, 'text') ? { text, fields } : { text, ...fields };
}

export function formatRankingCsv(documents: readonly RankedDocument[]): string {
  const names = ['rank', 'index', 'relevance_score', 'moved_up', 'document'];
  const hasFields = documents.some(({ fields }) => fields !== null);
  const lines = documents.map(({ rank, index, relevanceScore, movedUp, text, fields }) => {
    const more = hasFields ? [fields === null ? null : JSON.stringify(fields)] : [];
    return formatCsvRow([rank, index, relevanceScore, movedUp, text, ...more]);
  });
  const head = formatCsvRow(hasFields ? [...names, 'fields'] : names);
  return `${[head, ...lines].join('\r\n')}\r\n`;
}
