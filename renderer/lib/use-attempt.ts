import { useRef, useState } from 'react';
import type { AppError } from '../../shared/errors.ts';
import { toAppError } from './app-error.ts';

export interface Attempt {
  busy: boolean;
  /** The last error; the next call clears it, unless other calls are still running. */
  error: AppError | null;
  /** Resolves to true if the work succeeded. */
  attempt: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Runs calls that the user waits for, and keeps the last error. */
export function useAttempt(): Attempt {
  const running = useRef(0);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    if (running.current === 0) setError(null);
    running.current += 1;
    setBusy(true);
    try {
      await work();
      return true;
    } catch (cause) {
      setError(toAppError(cause));
      return false;
    } finally {
      running.current -= 1;
      setBusy(running.current > 0);
    }
  }

  return { busy, error, attempt };
}

/** Sends a request; `overCap` sends it despite a daily cap. */
type Work = (overCap: boolean) => Promise<unknown>;

interface CappedAttempt extends Omit<ReturnType<typeof useAttempt>, 'attempt'> {
  attempt: (work: Work) => Promise<boolean>;
  /** Repeats the last call despite a daily cap; undefined if it wasn't stopped by one. */
  runAnyway: (() => void) | undefined;
}

/** Like `useAttempt`, but for requests that a daily cap may stop. */
export function useCappedAttempt(): CappedAttempt {
  const { attempt, busy, error } = useAttempt();
  const [last, setLast] = useState<{ work: Work } | null>(null);
  const isQuestion = error?.kind === 'beyond-cap' && last !== null;
  return {
    busy,
    error,
    attempt(work) {
      setLast({ work });
      return attempt(() => work(false));
    },
    runAnyway: isQuestion ? () => void attempt(() => last.work(true)) : undefined,
  };
}
