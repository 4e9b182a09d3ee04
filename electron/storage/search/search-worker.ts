/** Searches and indexes on a thread with its own connection to the ledger. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { RunMetrics } from '../../../shared/contract/runs.ts';
import { systemTimer } from '../../base/timer.ts';
import { createDatabase, type WriteTurn } from '../database-access.ts';
import { LEDGER_WAIT_MS } from '../sqlite-file.ts';
import { type SerializedError, serializeError } from '../storage-error.ts';
import {
  type ConversationMatch,
  type ConversationSearch,
  searchConversations,
} from './conversation-search.ts';
import { createIndexWriter } from './index-writer.ts';
import {
  type FoundRuns,
  findMetrics,
  type RunMetricsQuery,
  type RunSearch,
  searchRuns,
} from './run-search.ts';
import { StaleIndexError } from './search-file.ts';

export type SearchJob =
  | { kind: 'runs'; query: RunSearch }
  | { kind: 'metrics'; query: RunMetricsQuery }
  | { kind: 'conversations'; query: ConversationSearch }
  | { kind: 'index'; row: number; text: string };

export type SearchResult =
  | { kind: 'runs'; found: FoundRuns }
  | { kind: 'metrics'; found: RunMetrics }
  | { kind: 'conversations'; found: ConversationMatch[] }
  | { kind: 'index' };

export type SearchMessage = { id: number; job: SearchJob } | 'end';

export type SearchWorkerResponse =
  | { id: number; ok: true; result: SearchResult }
  | { id: number; ok: false; problem: SerializedError };

export interface SearchThreadData {
  path: string;
  outdated: Int32Array;
  turn: WriteTurn;
}

const { path, outdated, turn }: SearchThreadData = workerData;
const file = new DatabaseSync(path, { timeout: LEDGER_WAIT_MS, enableForeignKeyConstraints: true });
file.exec('PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY');
const db = createDatabase(file, { warn: () => undefined });
const writer = createIndexWriter(db, systemTimer, () => Atomics.load(turn.wanted, 0) === 1);

parentPort?.on('message', (message: SearchMessage) => {
  if (message === 'end') {
    writer.close();
    file.close();
    parentPort?.close();
  } else void answer(message.id, message.job);
});

async function answer(id: number, job: SearchJob): Promise<void> {
  try {
    send({ id, ok: true, result: await work(id, job) });
  } catch (cause) {
    send({ id, ok: false, problem: serializeError(cause) });
  }
}

async function work(id: number, job: SearchJob): Promise<SearchResult> {
  const check = () => {
    if (Atomics.load(outdated, 0) === id) throw new StaleIndexError('Outdated');
  };
  switch (job.kind) {
    case 'runs':
      return { kind: job.kind, found: searchRuns(db, job.query, check) };
    case 'metrics':
      return { kind: job.kind, found: findMetrics(db, job.query, check) };
    case 'conversations':
      return { kind: job.kind, found: searchConversations(db, job.query, check) };
    case 'index':
      await writer.add(job.row, job.text);
      return { kind: job.kind };
  }
}

function send(answer: SearchWorkerResponse): void {
  parentPort?.postMessage(answer);
}
