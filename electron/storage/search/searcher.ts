/** Searches the ledger on a thread, or inline if the ledger is in memory. */
import { Worker } from 'node:worker_threads';
import type { RunMetrics } from '../../../shared/contract/runs.ts';
import { UserFacingError } from '../../../shared/errors.ts';
import { systemTimer, type Timer } from '../../base/timer.ts';
import { getWorkerUrl } from '../../base/worker-url.ts';
import type { Database, WriteTurn } from '../database-access.ts';
import {
  deserializeError,
  isStorageError,
  type SerializedError,
  toStorageError,
} from '../storage-error.ts';
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
import type {
  SearchJob,
  SearchMessage,
  SearchResult,
  SearchThreadData,
  SearchWorkerResponse,
} from './search-worker.ts';

/** Rejects with the signal's reason if aborted, or with a `UserFacingError` if the disk fails. */
export interface Searcher {
  runs(query: RunSearch, signal?: AbortSignal): Promise<FoundRuns>;
  metrics(query: RunMetricsQuery, signal?: AbortSignal): Promise<RunMetrics>;
  conversations(query: ConversationSearch, signal?: AbortSignal): Promise<ConversationMatch[]>;
  /** Makes the run at `row` searchable by `text`; never rejects, even if indexing was abandoned. */
  index(row: number, text: string): Promise<void>;
  /** Abandons waiting jobs; resolves when no thread uses the ledger file. */
  close(): Promise<void>;
}

export function searchInline(db: Database, timer: Timer = systemTimer): Searcher {
  const writer = createIndexWriter(db, timer, () => false);
  return {
    runs: async (query, signal) => searchRuns(db, query, () => signal?.throwIfAborted()),
    metrics: async (query, signal) => findMetrics(db, query, () => signal?.throwIfAborted()),
    conversations: async (query, signal) =>
      searchConversations(db, query, () => signal?.throwIfAborted()),
    index: (row, text) => writer.add(row, text),
    close: async () => writer.close(),
  };
}

const WARM_UP_MS = 1000;

interface Pending {
  job: SearchJob;
  signal: AbortSignal | undefined;
  isSecondTry: boolean;
  resolve: (result: SearchResult) => void;
  reject: (cause: unknown) => void;
}

export function searchOnThread(path: string, turn: WriteTurn): Searcher {
  const pending = new Map<number, Pending>();
  /** Send the thread one search at a time, so that outdated searches are never executed. */
  let queue: number[] = [];
  let searching: number | null = null;
  let outdated = new Int32Array(new SharedArrayBuffer(4));
  let worker: Worker | null = null;
  let lastId = 0;
  let closed = false;
  // Start the thread before the first search, but late enough not to slow down startup.
  const warmUp = setTimeout(() => {
    worker ??= start();
    if (pending.size === 0) worker.unref();
  }, WARM_UP_MS);
  warmUp.unref();

  function start(): Worker {
    outdated = new Int32Array(new SharedArrayBuffer(4));
    const data: SearchThreadData = { path, outdated, turn };
    const started = new Worker(getWorkerUrl('./search-worker.ts', import.meta.url), {
      workerData: data,
    });
    started.on('message', settle);
    started.on('error', (cause) => handleWorkerEnd(started, cause));
    started.on('exit', () => handleWorkerEnd(started, new Error('The search ended.')));
    return started;
  }

  /** Retries the jobs of a crashed thread once, on a new thread. */
  function handleWorkerEnd(which: Worker, cause: unknown): void {
    if (worker !== which) return;
    worker = null;
    if (closed) queue = [];
    for (const [id, one] of [...pending]) {
      if (queue.includes(id)) continue;
      pending.delete(id);
      if (one.signal?.aborted === true) continue;
      if (closed || one.isSecondTry) one.reject(cause);
      else begin({ ...one, isSecondTry: true });
    }
    searching = null;
    searchNext();
  }

  function settle(answer: SearchWorkerResponse): void {
    const one = pending.get(answer.id);
    pending.delete(answer.id);
    if (answer.id === searching) {
      searching = null;
      searchNext();
    }
    if (answer.ok) one?.resolve(answer.result);
    else one?.reject(getFailure(answer.problem));
    if (pending.size === 0) worker?.unref();
  }

  function post(id: number, job: SearchJob): void {
    worker ??= start();
    worker.ref();
    const message: SearchMessage = { id, job };
    worker.postMessage(message);
  }

  function searchNext(): void {
    if (searching !== null) return;
    const id = queue.shift();
    const next = id === undefined ? undefined : pending.get(id);
    if (id === undefined || next === undefined) return;
    searching = id;
    post(id, next.job);
  }

  function begin(one: Pending): void {
    lastId += 1;
    pending.set(lastId, one);
    if (one.job.kind === 'index') post(lastId, one.job);
    else queue.push(lastId);
  }

  function run(job: SearchJob, signal?: AbortSignal): Promise<SearchResult> {
    if (closed) return Promise.reject(new Error('The search was closed.'));
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      begin({ job, signal, isSecondTry: false, resolve, reject });
      signal?.addEventListener('abort', () => drop(signal), { once: true });
      searchNext();
    });
  }

  function drop(signal: AbortSignal): void {
    for (const [id, one] of [...pending]) {
      if (one.signal !== signal) continue;
      if (id === searching) Atomics.store(outdated, 0, id);
      else {
        queue = queue.filter((other) => other !== id);
        pending.delete(id);
      }
      one.reject(signal.reason);
    }
  }

  return {
    async runs(query, signal) {
      const result = await run({ kind: 'runs', query }, signal);
      if (result.kind !== 'runs') throw createResultError(result);
      return result.found;
    },
    async metrics(query, signal) {
      const result = await run({ kind: 'metrics', query }, signal);
      if (result.kind !== 'metrics') throw createResultError(result);
      return result.found;
    },
    async conversations(query, signal) {
      const result = await run({ kind: 'conversations', query }, signal);
      if (result.kind !== 'conversations') throw createResultError(result);
      return result.found;
    },
    index: (row, text) =>
      run({ kind: 'index', row, text }).then(
        () => undefined,
        () => undefined,
      ),
    async close() {
      closed = true;
      clearTimeout(warmUp);
      const open = worker;
      if (open === null) return;
      const exited = new Promise((resolve) => open.once('exit', resolve));
      if (searching !== null) Atomics.store(outdated, 0, searching);
      open.ref();
      const message: SearchMessage = 'end';
      open.postMessage(message);
      await exited;
    },
  };
}

function createResultError({ kind }: SearchResult): Error {
  return new Error(`The search thread answered with ${kind}.`);
}

function getFailure(problem: SerializedError): Error {
  const cause = deserializeError(problem);
  if (!isStorageError(cause)) return cause;
  return new UserFacingError(toStorageError(cause, 'The search failed'));
}
