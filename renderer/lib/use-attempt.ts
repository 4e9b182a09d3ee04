import { useState } from 'react';
import type { AppError } from '../../shared/errors.ts';
import { toAppError } from './app-error.ts';

export interface Attempt {
  busy: boolean;
  /** Why the last one did not work. */
  error: AppError | null;
  /** Answers whether it worked. */
  attempt: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Calls to main that the user waits for, and what became of the last one. */
export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (cause) {
      setError(toAppError(cause));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, error, attempt };
}
