import type { QueryClient } from '@tanstack/react-query';
import type { RunInput } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { cacheInput, recordedInput } from './recorded-input.ts';

interface FollowedTask {
  taskId: string;
  connectionId: string;
  /** The run to repeat; null if the task was started elsewhere. */
  earlierRunId: string | null;
}

const nothingKnown: RunInput = { request: {}, extraBody: {}, wireNames: {}, follow: null };

/** Follows an existing task in a new run. Returns the run ID. */
export async function followTask(queries: QueryClient, task: FollowedTask): Promise<string> {
  const { taskId, connectionId, earlierRunId } = task;
  const known = earlierRunId === null ? nothingKnown : await recordedInput(queries, earlierRunId);
  const input = { ...known, follow: taskId };
  const { runId } = await api.runs.start({ connectionId, operation: 'video', ...input });
  cacheInput(queries, runId, input);
  return runId;
}
