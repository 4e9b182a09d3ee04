import { startTransition, useEffect, useMemo, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { toAppError } from '../../../lib/app-error.ts';
import type { TimedTranscript } from '../metrics/token-times.ts';
import type { TranscriptNormalization } from '../metrics/transcript-units.ts';
import { computeComparison } from './comparison-thread.ts';
import type { WorkInput, WorkName, WorkOutput } from './comparison-work.ts';

export interface Computed<Output> {
  /** The last one there is, also of an input before; null until the first. */
  output: Output | null;
  /** That of the present input is still to come. */
  pending: boolean;
  error: AppError | null;
  retry: () => void;
}

interface Settled<Name extends WorkName> {
  input: WorkInput<Name>;
  output: WorkOutput<Name> | null;
  error: AppError | null;
}

/** Computed off the page's thread; a new `input` (another object) supersedes the one before. Null computes nothing. */
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
    // A long result is drawn in steps between which the page answers.
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

/** `transcripts` and `normalization`: the same object as long as they are the same. */
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

/** As `useAlignment`; by character they take longer than the alignment. */
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
