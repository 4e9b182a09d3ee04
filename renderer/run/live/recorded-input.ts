import { type QueryClient, queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { JsonValue } from '../../../shared/json.ts';
import type { RunInput, RunSummary } from '../../../shared/run.ts';
import { isRunOf } from '../../../shared/run-view.ts';
import { api } from '../../lib/api.ts';

/**
 * Returns the recorded input, which never changes; null while loading, or if the run was deleted.
 */
export function useRecordedInput(runId: string | null): RunInput | null {
  const { data } = useQuery(
    runId === null ? { queryKey: getKey(''), queryFn: skipToken } : getRecordedInputQuery(runId),
  );
  return data ?? null;
}

/** Caches a new run's input so the page doesn't fetch it. */
export function cacheInput(queries: QueryClient, runId: string, input: RunInput): void {
  queries.setQueryData(getKey(runId), input);
}

/** Loads a run's input, for code that can wait for it. */
export function getRecordedInputQuery(id: string) {
  return queryOptions({
    queryKey: getKey(id),
    queryFn: async (): Promise<RunInput> => {
      const { request, extraBody, wireNames, follow } = await api.runs.get({ id });
      return { request, extraBody, wireNames, follow };
    },
    staleTime: 'static',
  });
}

function getKey(runId: string) {
  return ['recorded-input', runId] as const;
}

/** Sends a recorded request again in a new run and returns the run's ID. */
export async function repeatRun(
  queries: QueryClient,
  { id, connectionId, operation }: Pick<RunSummary, 'id' | 'connectionId' | 'operation'>,
): Promise<string> {
  const { request, extraBody, wireNames } = await api.runs.get({ id });
  const input = { request, extraBody, wireNames };
  const { runId } = await api.runs.start({ connectionId, operation, ...input });
  cacheInput(queries, runId, { ...input, follow: null });
  return runId;
}

interface FollowedTask {
  taskId: string;
  connectionId: string;
  /** The run to repeat; null if the task wasn't started here. */
  earlierRunId: string | null;
  /** The format of a task that wasn't started here; undefined for the default one. */
  format?: JsonValue | undefined;
}

/** Follows an existing task in a new run and returns the run's ID. */
export async function followTask(queries: QueryClient, task: FollowedTask): Promise<string> {
  const { taskId, connectionId, earlierRunId, format } = task;
  const earlier = earlierRunId === null ? null : await api.runs.get({ id: earlierRunId });
  const unknown = { request: format === undefined ? {} : { format }, extraBody: {}, wireNames: {} };
  const { request, extraBody, wireNames } = earlier ?? unknown;
  // The ID may not be enough if the gateway returned another URL for the task.
  const link = earlier && isRunOf(earlier.view, 'video') ? earlier.view.state.pollingUrl : null;
  const input = { request, extraBody, wireNames, follow: link ?? taskId };
  const { runId } = await api.runs.start({ connectionId, operation: 'video', ...input });
  cacheInput(queries, runId, input);
  return runId;
}
