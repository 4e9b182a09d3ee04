import { useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { RunEvent, RunEventKind } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { createEventLoader, type EventLoader } from './event-loader.ts';

const pageSize = 2000;
const pauseMs = 120;

export interface RunEvents {
  events: RunEvent[];
  problem: AppError | null;
}

const none: RunEvents = { events: [], problem: null };

/**
 * The recorded events of a run, following it while it goes on. Mount with the run's id as `key`:
 * the events belong to one run. `kinds` must keep its identity.
 */
export function useRunEvents(
  runId: string,
  standsAt: number,
  kinds: readonly RunEventKind[] | null,
): RunEvents {
  const [loaded, setLoaded] = useState(none);
  const loader = useRef<EventLoader | null>(null);

  useEffect(() => {
    setLoaded(none);
    const created = createEventLoader({
      fetchPage: (after, signal) =>
        api.runs.events(
          { id: runId, after, limit: pageSize, kinds: kinds === null ? null : [...kinds] },
          { signal },
        ),
      onEvents: (events) =>
        setLoaded((before) => ({ events: [...before.events, ...events], problem: null })),
      onProblem: (error) => setLoaded((before) => ({ ...before, problem: toAppError(error) })),
      pause,
    });
    loader.current = created;
    return () => {
      loader.current = null;
      created.stop();
    };
  }, [runId, kinds]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new loader starts from nothing and needs the number again.
  useEffect(() => loader.current?.advance(standsAt), [standsAt, runId, kinds]);

  return loaded;
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
