/** The rerank operation: its state, and how events fold into it. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { initialPhase, type RunEvent } from '../../run.ts';
import type { Operation } from '../operation.ts';
import { emptyReply, knownFacts, previewLine } from '../response/describe-reply.ts';
import { UNREADABLE } from '../response/finish-reason.ts';
import { readUsage, tokensUsed } from '../response/usage.ts';
import {
  addWarnings,
  readIndex,
  readNumber,
  readString,
  sentFields,
  textOfValue,
  type Warn,
} from '../response/values.ts';
import { getFields, getShownText, type RerankRequest } from './request.ts';

/** Why a result cannot be laid beside a document of the request. */
export type RerankProblem =
  /** There is not an index, or it is not a whole number from 0. */
  | 'no-index'
  /** The request has no document with that number. */
  | 'out-of-range'
  /** An earlier result has the same index. */
  | 'repeated';

export type RerankResult = {
  /** Which document of the request, from 0; null if the reply does not say. */
  index: number | null;
  /** Null if no number was received. */
  relevanceScore: number | null;
  /** The document's text where the reply repeats it; else the page finds it by `index`. */
  document: string | null;
  /** Other fields of the document in the response (`title`, `url`, …); missing if there are none. */
  fields?: JsonObject;
  problem: RerankProblem | null;
};

export type RerankState = {
  id: string | null;
  model: string | null;
  /** Highest score first, whatever order they were received in; those without a score last. */
  results: RerankResult[];
  /** Documents in the request as it was sent; null before that. */
  documentCount: number | null;
  meta: JsonValue;
  usage: JsonValue;
  /** A reply was received that has no list of results. */
  unreadable: boolean;
  warnings: string[];
};

export const emptyRerankState: RerankState = {
  id: null,
  model: null,
  results: [],
  documentCount: null,
  meta: null,
  usage: null,
  unreadable: false,
  warnings: [],
};

function fold(state: RerankState, event: RunEvent): RerankState {
  switch (event.kind) {
    case 'request': {
      const { documents } = sentFields(event);
      return Array.isArray(documents) ? { ...state, documentCount: documents.length } : state;
    }
    case 'body':
      return readReply(state, parseJson(event.text));
    default:
      return state;
  }
}

function readReply(state: RerankState, document: unknown): RerankState {
  const reply = Array.isArray(document) ? { results: document } : document;
  if (!isJsonObject(reply)) return { ...state, unreadable: true };
  const warnings: string[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const list = getList(reply, warn);
  const results = readResults(list ?? [], state.documentCount, warn);
  const next: RerankState = {
    ...state,
    id: readString(reply.id, 'id', warn),
    model: readString(reply.model, 'model', warn),
    results,
    meta: reply.meta ?? null,
    usage: reply.usage ?? null,
    unreadable: list === null,
  };
  return addWarnings(next, warnings);
}

/** Under `results`; gateways that pass another service through nest them, or say `data`. Null if there is none. */
function getList(reply: JsonObject, warn: Warn): JsonValue[] | null {
  for (const holder of [reply, reply.output, reply.data]) {
    if (Array.isArray(holder)) return holder;
    if (!isJsonObject(holder)) continue;
    if (Array.isArray(holder.results)) return holder.results;
  }
  if (reply.results !== undefined && reply.results !== null) {
    warn('The results aren’t a list.');
  }
  return null;
}

function readResults(items: JsonValue[], documentCount: number | null, warn: Warn): RerankResult[] {
  const seen = new Set<number>();
  const results = items.flatMap((item): RerankResult[] => {
    if (!isJsonObject(item)) {
      warn('A result isn’t a JSON object.');
      return [];
    }
    const index = readIndex(readNumber(item.index) ?? undefined);
    const relevanceScore = readNumber(item.relevance_score ?? item.relevanceScore ?? item.score);
    if (relevanceScore === null) warn('A result has no score.');
    const problem = getProblem(index, documentCount, seen);
    if (index !== null) seen.add(index);
    const fields = getFields(item.document);
    const document = getShownText(item.document);
    return [{ index, relevanceScore, document, ...(fields !== null && { fields }), problem }];
  });
  if (results.some(({ problem }) => problem === 'no-index')) {
    warn('A result has no document index.');
  }
  if (results.some(({ problem }) => problem === 'out-of-range')) {
    warn('A result refers to a document that wasn’t sent.');
  }
  if (results.some(({ problem }) => problem === 'repeated')) {
    warn('Two results refer to the same document.');
  }
  const sorted = results.toSorted((a, b) => getScore(b) - getScore(a) || 0);
  if (sorted.some((result, at) => result !== results[at])) {
    warn('The results weren’t sorted by score. Gatehouse sorted them.');
  }
  return sorted;
}

function getProblem(
  index: number | null,
  documentCount: number | null,
  seen: Set<number>,
): RerankResult['problem'] {
  if (index === null) return 'no-index';
  if (documentCount !== null && index >= documentCount) return 'out-of-range';
  return seen.has(index) ? 'repeated' : null;
}

function getScore({ relevanceScore }: RerankResult): number {
  return relevanceScore ?? Number.NEGATIVE_INFINITY;
}

/** Documents count from 1, as where they were entered. */
function rankedLine({ index, relevanceScore, document, fields }: RerankResult): string {
  const number = index === null ? '–' : index + 1;
  const score = relevanceScore ?? '–';
  const words = [document, fields === undefined ? null : textOfValue(fields)];
  return [score, `document ${number}`, ...words.filter((word) => word !== null)].join('  ');
}

export const rerankOperation: Operation<RerankRequest, RerankState> = {
  method: 'POST',
  path: '/v1/rerank',
  draft: {},
  renamable: {},
  followable: false,
  readsLists: true,
  initialState: emptyRerankState,
  fold,
  produced: (before, after) => after.results.length > 0 && before.results !== after.results,
  figures: ({ model, usage }) => ({
    model,
    usage: isJsonObject(usage) ? readUsage(usage) : null,
    finishReasons: [],
  }),
  quantities({ usage }) {
    const read = isJsonObject(usage) ? readUsage(usage) : null;
    // Nothing is generated: where only the total is reported, all of it was read.
    const { inputTokens } = tokensUsed(read);
    return { inputTokens: inputTokens ?? read?.total_tokens ?? null };
  },
  noResult: ({ results, unreadable }) => {
    if (results.length > 0) return null;
    return unreadable ? UNREADABLE : 'The response contains no ranked documents.';
  },
  rest: () => 'more',
  phase: () => initialPhase,
  reply: ({ id, model, results, usage, warnings }) => ({
    ...emptyReply,
    text: results.map(rankedLine).join('\n'),
    warnings,
    facts: knownFacts([
      ['id', id],
      ['model', model],
      ['usage', usage === null ? null : textOfValue(usage)],
    ]),
  }),
  codeReply: () => ({ kind: 'text' }),
  preview: ({ query }) => previewLine(query),
};
