/** What main's thread and the search thread say to each other. */
import type { RunsCost } from '../../../shared/contract/runs.ts';
import type { WriteTurn } from '../database-access.ts';
import type { SerializedError } from '../storage-error.ts';
import type { ConversationMatch, ConversationSearch } from './conversation-search.ts';
import type { FoundRuns, RunCostQuery, RunSearch } from './run-search.ts';

export type SearchJob =
  | { kind: 'runs'; query: RunSearch }
  | { kind: 'cost'; query: RunCostQuery }
  | { kind: 'conversations'; query: ConversationSearch }
  /** `row`: the run's. */
  | { kind: 'index'; row: number; text: string };

export type SearchResult =
  | { kind: 'runs'; found: FoundRuns }
  | { kind: 'cost'; found: RunsCost }
  | { kind: 'conversations'; found: ConversationMatch[] }
  | { kind: 'index' };

/** `end`: the thread ends without writing what waits. */
export type SearchMessage = { id: number; job: SearchJob } | 'end';

export type SearchAnswer =
  | { id: number; ok: true; result: SearchResult }
  | { id: number; ok: false; problem: SerializedError };

export interface SearchThreadData {
  path: string;
  fullText: boolean;
  /** The number of an abandoned search that may still be at work. */
  outdated: Int32Array;
  turn: WriteTurn;
}
