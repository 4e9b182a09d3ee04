import { startTransition, useEffect, useMemo, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { PageError } from '../../../lib/page-failure.ts';
import type { TimedTranscript } from '../metrics/transcript-alignment.ts';
import type { TranscriptNormalization } from '../metrics/transcript-units.ts';
import type {
  WorkerRequest,
  WorkInput,
  WorkName,
  WorkOutput,
  WorkReply,
} from './comparison-worker.ts';

export interface Computed<Output> {
  /** The last output, which may belong to an earlier input. */
  output: Output | null;
  /** True until the current input's output is ready. */
  pending: boolean;
  error: AppError | null;
  retry: () => void;
}

interface Settled<Name extends WorkName> {
  input: WorkInput<Name>;
  output: WorkOutput<Name> | null;
  error: AppError | null;
}

/** Computes in a worker. A new `input` object supersedes the last; null skips the work. */
function useComputed<Name extends WorkName>(
  name: Name,
  input: WorkInput<Name> | null,
): Computed<WorkOutput<Name>> {
  const [settled, setSettled] = useState<Settled<Name> | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt computes the same again
  useEffect(() => {
    if (input === null) return undefined;
    const abort = new AbortController();
    // A transition keeps the page responsive while a long result renders.
    const settle = (change: (last: Settled<Name> | null) => Settled<Name>) =>
      startTransition(() => setSettled(change));
    computeComparison(name, input, abort.signal).then(
      (output) => settle(() => ({ input, output, error: null })),
      (cause: unknown) => {
        if (abort.signal.aborted) return;
        settle((last) => ({ input, output: last?.output ?? null, error: toAppError(cause) }));
      },
    );
    return () => abort.abort();
  }, [name, input, attempt]);

  const isCurrent = settled !== null && settled.input === input;
  return {
    output: input === null ? null : (settled?.output ?? null),
    pending: input !== null && !isCurrent,
    error: isCurrent ? settled.error : null,
    retry: () => {
      setSettled((last) => last && { ...last, input: { ...last.input }, error: null });
      setAttempt((count) => count + 1);
    },
  };
}

export function useWordDiff(
  first: string,
  second: string,
  isWanted: boolean,
): Computed<WorkOutput<'word-diff'>> {
  return useComputed(
    'word-diff',
    useMemo(() => (isWanted ? { first, second } : null), [first, second, isWanted]),
  );
}

export function useJsonDiff(first: string, second: string): Computed<WorkOutput<'json-diff'>> {
  return useComputed(
    'json-diff',
    useMemo(() => ({ first, second }), [first, second]),
  );
}

/** Keep `transcripts` and `normalization` referentially stable while unchanged. */
export function useAlignment(
  base: string | null,
  transcripts: readonly TimedTranscript[],
  normalization: TranscriptNormalization,
): Computed<WorkOutput<'alignment'>> {
  return useComputed(
    'alignment',
    useMemo(
      () => (base === null ? null : { base, transcripts, normalization }),
      [base, transcripts, normalization],
    ),
  );
}

/** Compute separately, because character rates take longer than the alignment. */
export function useErrorRates(
  reference: string | null,
  hypotheses: readonly string[],
  normalization: TranscriptNormalization,
): Computed<WorkOutput<'error-rates'>> {
  return useComputed(
    'error-rates',
    useMemo(
      () => (reference === null ? null : { reference, hypotheses, normalization }),
      [reference, hypotheses, normalization],
    ),
  );
}

/** Two threads keep a short diff from waiting for a long alignment. */
const MAX_THREADS = 2;
/** Wait for an aborted job, because starting a new worker takes as long. */
const GRACE_MS = 100;
const IDLE_MS = 30_000;

interface Thread {
  worker: Worker;
  job: Job | null;
  /** Terminates an idle worker, or a worker with an aborted job. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

interface Job {
  start: (worker: Worker, onEnd: () => void) => void;
}

const threads = new Set<Thread>();
const waiting: Job[] = [];

/** Rejects with a `PageError`, or with the signal's reason. */
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

/** Returns null if the queue is empty or the limit is reached. */
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
    message: 'The texts couldn’t be compared.',
    nextStep: 'Try again.',
    gateway: null,
    detail,
  });
}
