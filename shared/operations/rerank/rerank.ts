/** Folds rerank events into a rerank state and describes the state. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { initialPhase, type RunEvent } from '../../run.ts';
import type { Operation } from '../operation.ts';
import { emptyResponse, listKnownFacts, previewLine } from '../response/describe-response.ts';
import { findResultReason } from '../response/error-reason.ts';
import { UNREADABLE } from '../response/finish-reason.ts';
import { getUsedTokens, readUsage } from '../response/usage.ts';
import {
  addWarnings,
  readIndex,
  readNumber,
  readSentFields,
  readString,
  toDisplayText,
  type Warn,
  withoutNulls,
} from '../response/values.ts';
import { documentLists, rerankFields, rerankFormats } from './formats.ts';
import { getDocumentFields, getShownText, type RerankRequest } from './request.ts';

/** Explains why a result doesn't match any document of the request. */
export type RerankProblem = 'no-index' | 'out-of-range' | 'repeated';

export type RerankResult = {
  index: number | null;
  relevanceScore: number | null;
  /** The text if the response repeats it; otherwise, the page looks up the document by `index`. */
  document: string | null;
  /** Other fields of the document in the response, such as `title`; undefined if there are none. */
  fields?: JsonObject;
  problem: RerankProblem | null;
};

export type RerankState = {
  id: string | null;
  model: string | null;
  /** Sorted by descending score, with missing scores last. */
  results: RerankResult[];
  documentCount: number | null;
  meta: JsonValue;
  usage: JsonValue;
  /**
   * The reason there are no results, as the gateway put it if possible; null if there are results.
   */
  emptyReason: string | null;
  /** The response's results weren't sorted by score; undefined if they were. */
  wasUnsorted?: true;
  warnings: string[];
};

export const emptyRerankState: RerankState = {
  id: null,
  model: null,
  results: [],
  documentCount: null,
  meta: null,
  usage: null,
  emptyReason: null,
  warnings: [],
};

function fold(state: RerankState, event: RunEvent): RerankState {
  switch (event.kind) {
    case 'request': {
      const fields = readSentFields(event);
      const documents = documentLists.map((name) => fields[name]).find(Array.isArray);
      return documents === undefined ? state : { ...state, documentCount: documents.length };
    }
    case 'body':
      return readResponse(state, parseJson(event.text));
    default:
      return state;
  }
}

function readResponse(state: RerankState, document: unknown): RerankState {
  const response = Array.isArray(document) ? { results: document } : document;
  if (!isJsonObject(response)) return { ...state, emptyReason: UNREADABLE };
  const warnings: string[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const list = getList(response, warn);
  const received = readResults(list ?? [], state.documentCount, warn);
  const results = received.toSorted((a, b) => getScore(b) - getScore(a) || 0);
  const wasUnsorted = results.some((result, at) => result !== received[at]);
  if (wasUnsorted) warn('The results weren’t sorted by score. Gatehouse sorted them.');
  const next: RerankState = {
    ...state,
    id: readString(response.id, 'id', warn),
    model: readString(response.model, 'model', warn),
    results,
    ...(wasUnsorted && { wasUnsorted }),
    meta: withoutNulls(response.meta),
    usage: withoutNulls(response.usage),
    emptyReason: results.length > 0 ? null : explainEmpty(response, list),
  };
  return addWarnings(next, warnings);
}

/** Lists of results by name; NVIDIA sends `rankings`. */
const LISTS = ['results', 'rankings'];

/** Returns the list of results, which some gateways nest or name `data`; null if there is none. */
function getList(response: JsonObject, warn: Warn): JsonValue[] | null {
  for (const holder of [response, response.output, response.data]) {
    if (Array.isArray(holder)) return holder;
    if (!isJsonObject(holder)) continue;
    const list = LISTS.map((name) => holder[name]).find(Array.isArray);
    if (list !== undefined) return list;
  }
  if (response.results !== undefined && response.results !== null) {
    warn('The results aren’t a list.');
  }
  return null;
}

/** Warnings in `meta` may explain why all documents were omitted. */
function explainEmpty(response: JsonObject, list: JsonValue[] | null): string {
  const layers = [response, response.output, response.data, response.meta].filter(isJsonObject);
  const notes = layers.flatMap(({ warnings }) => (Array.isArray(warnings) ? warnings : []));
  const texts = notes.filter((note) => typeof note === 'string' && note.trim() !== '');
  const reason = findResultReason(layers)?.message ?? (texts.length > 0 ? texts.join(' ') : null);
  const what = list === null ? MISSING : list.length === 0 ? EMPTY : UNUSABLE;
  return reason === null ? what : `${what} The gateway’s reason: ${reason}`;
}

const EMPTY = 'The response contains no ranked documents.';
const MISSING = 'The response has no list of results.';
const UNUSABLE = 'None of the results could be read.';

function readResults(items: JsonValue[], documentCount: number | null, warn: Warn): RerankResult[] {
  const seen = new Set<number>();
  const results = items.flatMap((item): RerankResult[] => {
    if (!isJsonObject(item)) {
      warn('A result isn’t a JSON object.');
      return [];
    }
    const index = readIndex(readNumber(item.index) ?? undefined);
    const relevanceScore = SCORES.map((name) => readNumber(item[name])).find(isKnown) ?? null;
    if (relevanceScore === null) warn('A result has no score.');
    const problem = getProblem(index, documentCount, seen);
    if (index !== null) seen.add(index);
    // Text Embeddings Inference returns the text beside the score.
    const given = item.document ?? item.text;
    const fields = getDocumentFields(given);
    const document = getShownText(given);
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
  return results;
}

/** The names of a score, in order of precedence; NVIDIA sends a `logit`. */
const SCORES = ['relevance_score', 'relevanceScore', 'score', 'logit'];

const isKnown = (score: number | null) => score !== null;

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

/** Documents are numbered from 1, as in the form. */
function formatRankedLine({ index, relevanceScore, document, fields }: RerankResult): string {
  const number = index === null ? '–' : index + 1;
  const score = relevanceScore ?? '–';
  const words = [document, fields === undefined ? null : toDisplayText(fields)];
  return [score, `document ${number}`, ...words.filter((word) => word !== null)].join('  ');
}

const reader = {
  fold,
  rest: () => 'more',
} satisfies Pick<Operation<RerankRequest, RerankState>, 'fold' | 'rest'>;

export const rerankOperation: Operation<RerankRequest, RerankState> = {
  ...reader,
  method: 'POST',
  path: '/v1/rerank',
  formatTitle: 'Rerank',
  fields: rerankFields,
  formats: rerankFormats.map((format) => ({ ...format, ...reader })),
  draft: {},
  renamable: {},
  followable: false,
  readsLists: true,
  initialState: emptyRerankState,
  hasNewOutput: (before, after) => after.results.length > 0 && before.results !== after.results,
  figures: ({ model, usage }) => ({
    model,
    usage: isJsonObject(usage) ? readUsage(usage) : null,
    finishReasons: [],
  }),
  quantities({ usage }) {
    const read = isJsonObject(usage) ? readUsage(usage) : null;
    // Reranking generates no tokens, so a bare total consists only of input tokens.
    const { inputTokens } = getUsedTokens(read);
    return { inputTokens: inputTokens ?? read?.total_tokens ?? null };
  },
  noResult: ({ results, emptyReason }) => (results.length > 0 ? null : (emptyReason ?? EMPTY)),
  phase: () => initialPhase,
  response: ({ id, model, results, usage, warnings }) => ({
    ...emptyResponse,
    text: results.map(formatRankedLine).join('\n'),
    warnings,
    facts: listKnownFacts([
      ['id', id],
      ['model', model],
      ['usage', usage === null ? null : toDisplayText(usage)],
    ]),
  }),
  codeResponse: () => ({ kind: 'text' }),
  preview: ({ query }) => previewLine(query),
};
