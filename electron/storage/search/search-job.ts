/** What main's thread and the search thread say to each other. */
import type { ConversationMatch, ConversationSearch } from './conversation-search.ts';
import type { FoundRuns, RunSearch } from './run-search.ts';

export type SearchJob =
  | { kind: 'runs'; query: RunSearch }
  | { kind: 'conversations'; query: ConversationSearch }
  /** `row`: the run's. */
  | { kind: 'index'; row: number; text: string };

export interface SearchResults {
  runs: FoundRuns;
  conversations: ConversationMatch[];
  index: null;
}

/** `end`: the thread ends, what waits is not written any more. */
export type SearchMessage = { id: number; job: SearchJob } | 'end';

export type SearchAnswer =
  | { id: number; ok: true; result: SearchResults[SearchJob['kind']] }
  /** As SQLite reports it. */
  | { id: number; ok: false; problem: { message: string; errcode?: number } };

export interface SearchThreadData {
  path: string;
  fullText: boolean;
  /** The number of a search that nobody waits for any more, while it may still be at work. */
  outdated: Int32Array;
}
