import type { AppError } from '../../../shared/errors.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';

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
