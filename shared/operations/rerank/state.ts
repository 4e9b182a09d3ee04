/** What the events of a rerank run fold into. JSON all through: it travels to the page as patches. */
import type { JsonObject, JsonValue } from '../../json.ts';

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
  /** What else the reply says of the document (`title`, `url`, …); missing if there is nothing. */
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
