import { useState } from 'react';
import { useAttempt } from './use-attempt.ts';

/** Sends something; `beyondCap`: in spite of a daily cap. */
type Work = (beyondCap: boolean) => Promise<unknown>;

interface CappedAttempt extends Omit<ReturnType<typeof useAttempt>, 'attempt'> {
  attempt: (work: Work) => Promise<boolean>;
  /** Does the last again in spite of a daily cap; undefined if that is not why it failed. */
  runAnyway: (() => void) | undefined;
}

/** As `useAttempt`, for what a daily cap may keep from being sent. */
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
