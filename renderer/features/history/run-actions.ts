import type { AppError } from '../../../shared/errors.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { removeRun } from '../../run/live/remove-run.ts';

export type RunAgain = { ok: true; runId: string } | { ok: false; error: AppError };

/** The same request as a new run on the same connection. */
export async function runAgain({ id, operation, connectionId }: RunSummary): Promise<RunAgain> {
  try {
    const { request, extraBody, wireNames, follow } = await api.runs.get({ id });
    const input = { request, extraBody, wireNames, follow };
    const { runId } = await api.runs.start({ connectionId, operation, ...input });
    return { ok: true, runId };
  } catch (error) {
    return { ok: false, error: toAppError(error) };
  }
}

export interface DeletedRuns {
  ids: string[];
  /** What kept the first of the others from being deleted. */
  error: AppError | null;
}

/** One after the other, so that main is never held up; the others are tried although one fails. */
export async function deleteRuns(ids: readonly string[]): Promise<DeletedRuns> {
  const deleted: DeletedRuns = { ids: [], error: null };
  for (const id of ids) {
    try {
      await removeRun(id);
      deleted.ids.push(id);
    } catch (error) {
      deleted.error ??= toAppError(error);
    }
  }
  return deleted;
}
