/** Folds embeddings events into a state; the vectors themselves are in a file of the run. */
import { getNumber } from '../../exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { parseJson } from '../../parse-json.ts';
import { initialPhase, type RunEvent } from '../../run.ts';
import type { Operation } from '../operation.ts';
import {
  emptyResponse,
  flattenFacts,
  listKnownFacts,
  previewLine,
} from '../response/describe-response.ts';
import { findResultReason } from '../response/error-reason.ts';
import { UNREADABLE } from '../response/finish-reason.ts';
import { getUsedTokens, readUsage } from '../response/usage.ts';
import {
  addWarnings,
  readSentFields,
  readString,
  type Warn,
  withoutNulls,
} from '../response/values.ts';
import type { EmbeddingsRequest } from './request.ts';
import { isStoredVector, mapVectors } from './vector-places.ts';

export type EmbeddingsState = {
  model: string | null;
  /** Null until the first vector. */
  dimensions: number | null;
  /** How the gateway wrote the vectors, such as `base64`. */
  encoding: string | null;
  /** Inputs of the current request. */
  inputCount: number;
  /** Inputs that the gateway has processed, including those without a vector. */
  doneCount: number;
  vectorCount: number;
  /** Positions of inputs without a usable vector, from 0. */
  missing: number[];
  /** The sum over all requests. */
  usage: JsonValue;
  emptyReason: string | null;
  warnings: string[];
};

export const emptyEmbeddingsState: EmbeddingsState = {
  model: null,
  dimensions: null,
  encoding: null,
  inputCount: 0,
  doneCount: 0,
  vectorCount: 0,
  missing: [],
  usage: null,
  emptyReason: null,
  warnings: [],
};

function fold(state: EmbeddingsState, event: RunEvent): EmbeddingsState {
  switch (event.kind) {
    case 'request':
      return { ...state, inputCount: countInputs(readSentFields(event).input) };
    case 'body':
      return readResponse(state, parseJson(event.text));
    default:
      return state;
  }
}

/** Returns how many vectors the gateway should return for an `input` field. */
export function countInputs(input: JsonValue | undefined): number {
  if (!Array.isArray(input)) return input === undefined || input === null ? 0 : 1;
  // A list of tokens is one input.
  return typeof input[0] === 'number' ? 1 : input.length;
}

interface Found {
  rows: Map<number, number>;
  /** The position of the request's first input among all inputs of the run. */
  first: number | null;
  dimensions: number | null;
  encoding: string | null;
}

function readResponse(state: EmbeddingsState, response: JsonValue | undefined): EmbeddingsState {
  if (response === undefined) return { ...state, emptyReason: UNREADABLE };
  const warnings: string[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const found: Found = { rows: new Map(), first: null, dimensions: null, encoding: null };
  let unusable = 0;
  let isInListOrder = false;
  const list = mapVectors(response, state.inputCount, (value, index, isMisnumbered) => {
    isInListOrder ||= isMisnumbered;
    if (!isStoredVector(value)) {
      unusable += 1;
      return value;
    }
    found.rows.set(index, value.row);
    found.first ??= value.row - index;
    found.dimensions ??= value.dimensions;
    found.encoding ??= value.encoding;
    return value;
  });
  const fields = isJsonObject(response) ? response : {};
  if (found.first === null) {
    return { ...state, emptyReason: explainEmpty(fields, list !== null, unusable) };
  }
  const first = found.first;
  // A resumed run begins with the vectors of an earlier run.
  const earlier = state.doneCount === 0 ? first : 0;
  const expected = Math.max(state.inputCount, found.rows.size);
  const missing = Array.from({ length: expected }, (_, at) => at)
    .filter((index) => !found.rows.has(index))
    .map((index) => first + index);
  const next: EmbeddingsState = {
    ...state,
    model: readString(fields.model, 'model', warn) ?? state.model,
    dimensions: state.dimensions ?? found.dimensions,
    encoding: found.encoding,
    doneCount: first + expected,
    vectorCount: state.vectorCount + earlier + found.rows.size,
    missing: [...state.missing, ...missing],
    usage: addCounts(state.usage, withoutNulls(fields.usage ?? fields.meta)),
    emptyReason: null,
  };
  if (isInListOrder) {
    warn('The indexes repeat or are wrong, so the vectors are in the order of the list.');
  }
  if (unusable > 0)
    warn('Some vectors couldn’t be used: wrong length, wrong index or not numbers.');
  if (missing.length > 0) warn('Some inputs have no vector.');
  return addWarnings(next, warnings);
}

/** Adds the numbers of both values, which a run with several requests reports one by one. */
function addCounts(before: JsonValue, after: JsonValue): JsonValue {
  if (isJsonObject(before) && isJsonObject(after)) {
    const added = Object.entries(after).map(([name, value]): [string, JsonValue] => [
      name,
      addCounts(before[name] ?? null, value),
    ]);
    return { ...before, ...Object.fromEntries(added) };
  }
  const [first, second] = [getNumber(before), getNumber(after)];
  return first === null || second === null ? (after ?? before) : first + second;
}

function explainEmpty(response: JsonObject, hasList: boolean, unusable: number): string {
  const reason = findResultReason([response])?.message ?? null;
  const what = !hasList ? MISSING : unusable > 0 ? UNUSABLE : EMPTY;
  return reason === null ? what : `${what} The gateway’s reason: ${reason}`;
}

const EMPTY = 'The response contains no vectors.';
const MISSING = 'The response has no list of vectors.';
const UNUSABLE = 'None of the vectors could be read.';

export const embeddingsOperation: Operation<EmbeddingsRequest, EmbeddingsState> = {
  method: 'POST',
  path: '/v1/embeddings',
  draft: {},
  local: new Set(['batch_size', 'resume']),
  // The form sends a list.
  normalize: wrapInput,
  renamable: {},
  followable: false,
  readsLists: true,
  initialState: emptyEmbeddingsState,
  fold,
  hasNewOutput: (before, after) => after.vectorCount > before.vectorCount,
  figures: ({ model, usage }) => ({
    model,
    usage: isJsonObject(usage) ? readUsage(usage) : null,
    finishReasons: [],
  }),
  quantities({ usage }) {
    const read = isJsonObject(usage) ? readUsage(usage) : null;
    // Embedding generates no tokens, so a bare total consists only of input tokens.
    return { inputTokens: getUsedTokens(read).inputTokens ?? read?.total_tokens ?? null };
  },
  noResult: ({ vectorCount, emptyReason }) => (vectorCount > 0 ? null : (emptyReason ?? EMPTY)),
  rest: () => 'more',
  phase: () => initialPhase,
  response: ({ model, dimensions, encoding, vectorCount, usage, warnings }) => ({
    ...emptyResponse,
    text: vectorCount === 0 ? '' : `${vectorCount} × ${dimensions ?? 0}`,
    warnings,
    facts: listKnownFacts([
      ['model', model],
      ['vectors', vectorCount === 0 ? null : String(vectorCount)],
      ['dimensions', dimensions === null ? null : String(dimensions)],
      ['encoding', encoding],
      ...flattenFacts(isJsonObject(usage) ? usage : {}),
    ]),
  }),
  codeResponse: () => ({ kind: 'text' }),
  preview: ({ input }) => previewLine(getFirstText(input)),
};

function wrapInput(body: JsonObject): JsonObject {
  return typeof body.input === 'string' ? { ...body, input: [body.input] } : body;
}

function getFirstText(input: EmbeddingsRequest['input']): string {
  if (typeof input === 'string') return input;
  const [first] = input;
  if (typeof first === 'string') return first;
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return 'Tokens';
  return 'text' in first && typeof first.text === 'string' ? first.text : 'Image';
}
