import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { RunEvent, RunEventKind } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pause } from '../../lib/pause.ts';
import { createEventLoader, type EventLoader } from './event-loader.ts';

const pageSize = 1000;
const pauseMs = 120;

interface Loaded {
  events: RunEvent[];
  problem: AppError | null;
}

export interface RunEvents extends Loaded {
  retry: () => void;
}

const none: Loaded = { events: [], problem: null };

/** The recorded events of a run, following it while it goes on. `kinds` must keep its identity. */
export function useRunEvents(
  runId: string,
  standsAt: number,
  kinds: readonly RunEventKind[],
): RunEvents {
  const [loaded, setLoaded] = useState(none);
  const loader = useRef<EventLoader | null>(null);

  useEffect(() => {
    setLoaded(none);
    const created = createEventLoader({
      fetchPage: (after, signal) =>
        api.runs.events({ id: runId, after, limit: pageSize, kinds: [...kinds] }, { signal }),
      onEvents: (events) =>
        setLoaded((before) => ({ events: [...before.events, ...events], problem: null })),
      onProblem: (error) => setLoaded((before) => ({ ...before, problem: toAppError(error) })),
      pause: (signal) => pause(pauseMs, signal),
    });
    loader.current = created;
    return () => {
      loader.current = null;
      created.stop();
    };
  }, [runId, kinds]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new loader needs to hear the number again.
  useEffect(() => loader.current?.advance(standsAt), [standsAt, runId, kinds]);

  const retry = useCallback(() => loader.current?.advance(standsAt), [standsAt]);
  return { ...loaded, retry };
}
