import { useEffect, useState } from 'react';
import type { Check, CheckProgress } from '../../../shared/checks/check.ts';
import type { AppError } from '../../../shared/errors.ts';
import { api } from '../../lib/api.ts';
import { followUpdates } from '../../lib/follow-updates.ts';

export interface LiveCheck {
  check: Check;
  progress: CheckProgress;
  /** Null if nothing holds its requests. */
  heldBy: AppError | null;
}

interface WatchedCheck {
  id: string | null;
  live: LiveCheck | null;
  /** Why it can't be watched, such as its deletion. */
  problem: AppError | null;
}

/** Follows a check, despite connection losses. */
export function useCheck(id: string | null): WatchedCheck {
  const [watched, setWatched] = useState<WatchedCheck | null>(null);
  useEffect(() => {
    if (id === null) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    let known: Check | null = null;
    void followUpdates({
      watch: () => api.checks.watch({ id }, { signal }),
      onUpdate({ check, progress, heldBy }) {
        known = check ?? known;
        if (known === null) return;
        setWatched({ id, live: { check: known, progress, heldBy }, problem: null });
      },
      onProblem: (problem) =>
        setWatched((before) => ({ id, live: before?.id === id ? before.live : null, problem })),
      signal,
    });
    return () => stop.abort();
  }, [id]);
  return watched?.id === id ? watched : { id, live: null, problem: null };
}
