/** Searches the ledger on a thread of its own, or at once where nothing outlives the process. */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { AppFailure } from '../../../shared/errors.ts';
import type { Database } from '../database-access.ts';
import { isStorageTrouble, storageError } from '../storage-error.ts';
import { systemTimer, type Timer } from '../timer.ts';
import {
  type ConversationMatch,
  type ConversationSearch,
  searchConversations,
} from './conversation-search.ts';
import { createIndexWriter } from './index-writer.ts';
import { type FoundRuns, type RunSearch, searchRuns } from './run-search.ts';
import type {
  SearchAnswer,
  SearchJob,
  SearchMessage,
  SearchResults,
  SearchThreadData,
} from './search-job.ts';

/** A search rejects with the signal's reason once nobody waits for it, and with an `AppFailure` for a bad disk. */
export interface Searcher {
  runs(query: RunSearch, signal?: AbortSignal): Promise<FoundRuns>;
  conversations(query: ConversationSearch, signal?: AbortSignal): Promise<ConversationMatch[]>;
  /** The run at `row` is found by `text` once this resolves; also where that was given up. Never rejects. */
  index(row: number, text: string): Promise<void>;
  /** Waits until the ledger's file is free; what waits is given up. */
  close(): Promise<void>;
}

export function searchInline(db: Database, timer: Timer = systemTimer): Searcher {
  const writer = createIndexWriter(db, timer);
  return {
    runs: async (query, signal) => searchRuns(db, query, () => signal?.throwIfAborted()),
    conversations: async (query, signal) =>
      searchConversations(db, query, () => signal?.throwIfAborted()),
    index: (row, text) => writer.add(row, text),
    close: async () => writer.close(),
  };
}

const WARM_UP_MS = 1000;

interface Pending {
  job: SearchJob;
  resolve: (result: never) => void;
  reject: (cause: unknown) => void;
}

/** `path`: the ledger, which is open and up to date. */
export function searchOnThread(path: string, fullText: boolean): Searcher {
  const pending = new Map<number, Pending>();
  /** Searches that have not begun. One at a time is with the thread: an outdated one costs nothing before. */
  let queue: number[] = [];
  let searching: number | null = null;
  let outdated = new Int32Array(new SharedArrayBuffer(4));
  let worker: Worker | null = null;
  let lastId = 0;
  let closed = false;
  // Ready by the time that the first letter is typed, and not in the way of the start.
  const warmUp = setTimeout(() => {
    worker ??= start();
    if (pending.size === 0) worker.unref();
  }, WARM_UP_MS);
  warmUp.unref();

  function start(): Worker {
    outdated = new Int32Array(new SharedArrayBuffer(4));
    const data: SearchThreadData = { path, fullText, outdated };
    const started = new Worker(workerUrl(), { workerData: data });
    started.on('message', settle);
    started.on('error', (cause) => ended(started, cause));
    started.on('exit', () => ended(started, new Error('The search ended.')));
    return started;
  }

  /** Another is started for what comes next; the runs that are not indexed are at the next start. */
  function ended(which: Worker, cause: unknown): void {
    if (worker !== which) return;
    worker = null;
    searching = null;
    queue = [];
    const all = [...pending.values()];
    pending.clear();
    for (const { reject } of all) reject(cause);
  }

  function settle(answer: SearchAnswer): void {
    const one = pending.get(answer.id);
    pending.delete(answer.id);
    if (answer.id === searching) {
      searching = null;
      searchNext();
    }
    if (answer.ok) one?.resolve(answer.result as never);
    else one?.reject(failureOf(answer.problem));
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

  function run<Job extends SearchJob>(
    job: Job,
    signal?: AbortSignal,
  ): Promise<SearchResults[Job['kind']]> {
    if (closed) return Promise.reject(new Error('The search was closed.'));
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      pending.set(id, { job, resolve, reject });
      signal?.addEventListener('abort', () => drop(id, signal.reason), { once: true });
      if (job.kind === 'index') post(id, job);
      else {
        queue.push(id);
        searchNext();
      }
    });
  }

  function drop(id: number, reason: unknown): void {
    const one = pending.get(id);
    if (one === undefined) return;
    if (id === searching) Atomics.store(outdated, 0, id);
    else {
      queue = queue.filter((other) => other !== id);
      pending.delete(id);
    }
    one.reject(reason);
  }

  return {
    runs: (query, signal) => run({ kind: 'runs', query }, signal),
    conversations: (query, signal) => run({ kind: 'conversations', query }, signal),
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

function failureOf(problem: { message: string; errcode?: number }): Error {
  const cause = Object.assign(new Error(problem.message), problem);
  if (!isStorageTrouble(cause)) return cause;
  return new AppFailure(storageError(cause, 'The search failed'));
}

/** Beside this file as source; in the build an entry of its own, while this code lies in some chunk. */
function workerUrl(): URL {
  const names = import.meta.url.endsWith('.ts')
    ? ['./search-worker.ts']
    : ['./search-worker.js', '../search-worker.js'];
  const urls = names.map((name) => new URL(name, import.meta.url));
  const found = urls.find((url) => existsSync(url)) ?? urls[0];
  if (found === undefined) throw new Error('There is no search worker.');
  return found;
}
