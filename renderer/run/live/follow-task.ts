import type { QueryClient } from '@tanstack/react-query';
import type { RunInput } from '../../../shared/run-input.ts';
import { api } from '../../lib/api.ts';
import { cacheInput, recordedInput } from './recorded-input.ts';

interface FollowedTask {
  taskId: string;
  connectionId: string;
  /** Its request is remembered with the new run; none for a task that was started elsewhere. */
  earlierRunId: string | null;
}

const nothingKnown: RunInput = { request: {}, extraBody: {}, wireNames: {}, follow: null };

/** Checks a task that the gateway has already, as a new run; answers its ID. */
export async function followTask(queries: QueryClient, task: FollowedTask): Promise<string> {
  const { taskId, connectionId, earlierRunId } = task;
  const known = earlierRunId === null ? nothingKnown : await recordedInput(queries, earlierRunId);
  const input = { ...known, follow: taskId };
  const { runId } = await api.runs.start({ connectionId, operation: 'video', ...input });
  cacheInput(queries, runId, input);
  return runId;
}
