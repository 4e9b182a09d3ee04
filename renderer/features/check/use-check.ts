import { ORPCError } from '@orpc/client';
import { useEffect, useState } from 'react';
import type { Check, CheckProgress } from '../../../shared/checks/check.ts';
import type { AppError } from '../../../shared/errors.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { waitForLink } from '../../lib/link-state.ts';
import { pause } from '../../lib/pause.ts';

export interface LiveCheck {
  check: Check;
  progress: CheckProgress;
  /** Null if nothing holds its requests. */
  heldBy: AppError | null;
}

interface WatchedCheck {
  id: string;
  live: LiveCheck | null;
  /** Why it can't be watched, such as its deletion. */
  problem: AppError | null;
}

const rewatchMs = 200;

/** Follows a check, despite connection losses. */
export function useCheck(id: string | null): Omit<WatchedCheck, 'id'> {
  const [watched, setWatched] = useState<WatchedCheck | null>(null);
  useEffect(() => {
    if (id === null) return undefined;
    const stop = new AbortController();
    void follow(id, stop.signal, (change) =>
      setWatched((before) =>
        change(before?.id === id ? before : { id, live: null, problem: null }),
      ),
    );
    return () => stop.abort();
  }, [id]);
  return watched !== null && watched.id === id ? watched : nothing;
}

const nothing = { live: null, problem: null };

type Change = (before: WatchedCheck) => WatchedCheck;

async function follow(
  id: string,
  signal: AbortSignal,
  onChange: (change: Change) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await waitForLink(signal);
      for await (const { check, progress, heldBy } of await api.checks.watch({ id }, { signal })) {
        if (signal.aborted) return;
        onChange((before) => {
          const current = check ?? before.live?.check;
          if (current === undefined) return before;
          return { id, live: { check: current, progress, heldBy }, problem: null };
        });
      }
    } catch (error) {
      if (signal.aborted) return;
      // An error from the main process is final; any other error means the connection was lost.
      if (error instanceof ORPCError) {
        return onChange((before) => ({ ...before, problem: toAppError(error) }));
      }
    }
    await pause(rewatchMs, signal);
  }
}
