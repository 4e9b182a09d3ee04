import { useRef, useState } from 'react';
import type { AppError } from '../../shared/errors.ts';
import { toAppError } from './app-error.ts';

export interface Attempt {
  /** Until the last of those that run side by side has ended. */
  busy: boolean;
  /** Why the last that failed did not work; null again with the next one, unless it runs beside others. */
  error: AppError | null;
  /** Resolves with whether it worked. */
  attempt: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** Calls to main that the user waits for, and what became of the last one. */
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
