/** How a run ended, before it is recorded. */
import { type AppError, appError } from '../../shared/errors.ts';
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
