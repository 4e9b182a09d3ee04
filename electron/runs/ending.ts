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
      'Something in Gatehouse failed while this request was going on.',
      'Run it again; if it happens again, report it with the detail below.',
      { detail: cause instanceof Error ? cause.message : String(cause) },
    ),
  };
}

const closedUnanswered = appError(
  'outcome-unknown',
  'Gatehouse was closed after sending this request and before any answer came. It may have been carried out and billed.',
  "Check the gateway's own log before you run it again.",
  {},
);
const closedMeanwhile = appError(
  'interrupted',
  'Gatehouse was closed while this run was going on. What had arrived is kept.',
  'Run it again if you need the rest.',
  {},
);
