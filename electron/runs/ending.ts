/** How a run ended, before it is recorded. */
import { type AppError, AppFailure, appError } from '../../shared/errors.ts';
import type { RunEventOf, Timings } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';

export type Ending =
  | { status: 'succeeded'; timings: Timings }
  | { status: RunEventOf<'error'>['status']; error: AppError; timings: Timings | null };

/** What Gatehouse itself stopped on its way out ends as the next start would end it. */
export function endedByClosing(run: RunView, { timings }: Ending): Ending {
  const isUnanswered = timings !== null && timings.sentAtMs !== null && run.httpStatus === null;
  return isUnanswered
    ? { status: 'unknown', error: closedUnanswered, timings }
    : { status: 'interrupted', error: closedMeanwhile, timings };
}

/** What was thrown in the middle of a run ends it: a known failure as such, anything else is a defect of ours. */
export function failedBy(cause: unknown): Ending {
  if (cause instanceof AppFailure) {
    return { status: 'failed', timings: null, error: cause.error };
  }
  return {
    status: 'failed',
    timings: null,
    error: appError(
      'unexpected',
      'An error inside Gatehouse interrupted this request.',
      'Run it again; if it happens again, report it with the details below.',
      { detail: cause instanceof Error ? cause.message : String(cause) },
    ),
  };
}

const closedUnanswered = appError(
  'outcome-unknown',
  'Gatehouse closed after sending this request, before a response arrived. It may have been processed and billed.',
  "Check the gateway's logs before you run it again.",
  {},
);
const closedMeanwhile = appError(
  'interrupted',
  'Gatehouse closed during this run. Partial response kept.',
  'Run it again if you need the rest.',
  {},
);
