/** Hands what comparisons compute to workers, so that a long text never holds the page up. */
import { PageError } from '../../../lib/page-failure.ts';
import type {
  WorkerRequest,
  WorkInput,
  WorkName,
  WorkOutput,
  WorkReply,
} from './comparison-work.ts';

/** A long alignment does not hold up a short diff. */
const MAX_THREADS = 2;
/** What is not wanted any more may end by itself: a new worker takes about as long to start. */
const GRACE_MS = 100;
const IDLE_MS = 30_000;

interface Thread {
  worker: Worker;
  job: Job | null;
  /** Ends it: without a job, or with one that is not wanted. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

interface Job {
  start: (worker: Worker, onEnd: () => void) => void;
}

const threads = new Set<Thread>();
const waiting: Job[] = [];

/** Rejects with a `PageFailure`, or with the signal's reason as soon as it aborts. */
export function computeComparison<Name extends WorkName>(
  name: Name,
  input: WorkInput<Name>,
  signal: AbortSignal,
): Promise<WorkOutput<Name>> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const job: Job = {
      start(worker, onEnd) {
        worker.onmessage = ({ data }: MessageEvent<WorkReply<Name>>) => {
          signal.removeEventListener('abort', abandon);
          if ('problem' in data) reject(failure(data.problem));
          else resolve(data.output);
          onEnd();
        };
        worker.onerror = (event) => {
          signal.removeEventListener('abort', abandon);
          reject(failure(event.message));
          endThread(worker);
          startNext();
        };
        const order: WorkerRequest<Name> = { name, input };
        worker.postMessage(order);
      },
    };
    function abandon(): void {
      reject(signal.reason);
      dropJob(job);
    }
    signal.addEventListener('abort', abandon, { once: true });
    waiting.push(job);
    startNext();
  });
}

function startNext(): void {
  const thread = [...threads].find((one) => one.job === null) ?? openThread();
  if (thread === null) return;
  const job = waiting.shift();
  if (job === undefined) {
    endLater(thread, IDLE_MS);
    return;
  }
  clearTimeout(thread.timer);
  thread.job = job;
  job.start(thread.worker, () => {
    thread.job = null;
    clearTimeout(thread.timer);
    startNext();
  });
}

/** Null if there is nothing to do, or as many as there may be. */
function openThread(): Thread | null {
  if (waiting.length === 0 || threads.size >= MAX_THREADS) return null;
  const worker = new Worker(new URL('./comparison-worker.ts', import.meta.url), { type: 'module' });
  const thread: Thread = { worker, job: null, timer: undefined };
  threads.add(thread);
  return thread;
}

function dropJob(job: Job): void {
  const at = waiting.indexOf(job);
  if (at >= 0) waiting.splice(at, 1);
  for (const thread of threads) if (thread.job === job) endLater(thread, GRACE_MS);
}

function endLater(thread: Thread, afterMs: number): void {
  clearTimeout(thread.timer);
  thread.timer = setTimeout(() => {
    endThread(thread.worker);
    startNext();
  }, afterMs);
}

function endThread(worker: Worker): void {
  worker.terminate();
  for (const thread of threads) {
    if (thread.worker !== worker) continue;
    clearTimeout(thread.timer);
    threads.delete(thread);
  }
}

function failure(detail: string): PageError {
  return new PageError({
    kind: 'unexpected',
    message: 'The texts could not be compared.',
    nextStep: 'Try again.',
    gateway: null,
    detail,
  });
}
