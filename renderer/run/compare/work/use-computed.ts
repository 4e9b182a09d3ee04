import { startTransition, useEffect, useMemo, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { PageError } from '../../../lib/page-failure.ts';
import type { TimedTranscript } from '../metrics/transcript-alignment.ts';
import type { TranscriptNormalization } from '../metrics/transcript-units.ts';
import type {
  WorkerRequest,
  WorkerResponse,
  WorkInput,
  WorkName,
  WorkOutput,
} from './comparison-worker.ts';

export interface Computed<Output> {
  /** The latest output, which may belong to an earlier input. */
  output: Output | null;
  /** True until the output for the current input is ready. */
  pending: boolean;
  error: AppError | null;
  retry: () => void;
}

interface Settled<Name extends WorkName> {
  input: WorkInput<Name>;
  output: WorkOutput<Name> | null;
  error: AppError | null;
}

/** Computes in a worker; a new `input` object replaces the previous one, and null does nothing. */
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
    // Use a transition to keep the page responsive while a long result renders.
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

/** `transcripts` and `normalization` must keep their identity while unchanged. */
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

/** Computed separately, because character error rates take longer than the alignment. */
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

/** With two threads, a short diff doesn't wait for a long alignment. */
const MAX_THREADS = 2;
/** Waits for an aborted job, because starting a new worker takes just as long. */
const GRACE_MS = 100;

/** Stops an idle worker unless another job follows, because each worker has its own heap. */
const IDLE_MS = 30_000;

const idle = new Map<Worker, ReturnType<typeof setTimeout>>();
const waiting: (() => void)[] = [];
let running = 0;

/** Rejects with a `PageError`, or with the signal's reason. */
export function computeComparison<Name extends WorkName>(
  name: Name,
  input: WorkInput<Name>,
  signal: AbortSignal,
): Promise<WorkOutput<Name>> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    waiting.push(() => {
      if (signal.aborted) return;
      let worker: Worker;
      try {
        worker = takeWorker();
      } catch (cause) {
        reject(createFailure(String(cause)));
        return;
      }
      running += 1;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const abandon = () => {
        timer = setTimeout(() => {
          worker.terminate();
          end();
        }, GRACE_MS);
      };
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abandon);
        running -= 1;
        startWaiting();
      };
      signal.addEventListener('abort', abandon, { once: true });
      worker.onmessage = ({ data }: MessageEvent<WorkerResponse<Name>>) => {
        if ('problem' in data) reject(createFailure(data.problem));
        else resolve(data.output);
        keepIdle(worker);
        end();
      };
      worker.onerror = (event) => {
        reject(createFailure(event.message));
        worker.terminate();
        end();
      };
      const order: WorkerRequest<Name> = { name, input };
      worker.postMessage(order);
    });
    startWaiting();
  });
}

function takeWorker(): Worker {
  const [kept] = idle;
  if (kept === undefined) {
    return new Worker(new URL('./comparison-worker.ts', import.meta.url), { type: 'module' });
  }
  const [worker, timer] = kept;
  clearTimeout(timer);
  idle.delete(worker);
  return worker;
}

function keepIdle(worker: Worker): void {
  worker.onerror = null;
  const timer = setTimeout(() => {
    idle.delete(worker);
    worker.terminate();
  }, IDLE_MS);
  idle.set(worker, timer);
}

function startWaiting(): void {
  while (running < MAX_THREADS && waiting.length > 0) waiting.shift()?.();
}

function createFailure(detail: string): PageError {
  return new PageError({
    kind: 'unexpected',
    message: 'The texts couldn’t be compared.',
    nextStep: 'Try again.',
    gateway: null,
    detail,
  });
}
