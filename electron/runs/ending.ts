/** How a run ended, before it is recorded. */
import { assertNever } from '../../shared/assert-never.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import type { RunEventOf, Timings } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';

export type RunResult =
  | { status: 'succeeded'; timings: Timings }
  | { status: RunEventOf<'error'>['status']; error: AppError; timings: Timings | null };

/** What Gatehouse itself stopped on its way out ends as the next start would end it. */
export function cancelledByShutdown(run: RunView, { timings }: RunResult): RunResult {
  // Without timings the attempt counts: its request may have left.
  const wasSent = timings === null ? run.startedAt !== null : timings.sentAtMs !== null;
  const progress = run.httpStatus !== null ? 'answered' : wasSent ? 'sent' : 'unsent';
  return { ...resultAfterShutdown(progress), timings };
}

/** What was thrown in the middle of a run ends it. */
export function failedBy(cause: unknown): RunResult {
  return { status: 'failed', timings: null, error: getError(cause) };
}

/** A known failure as such, anything else as a defect of ours. */
export function getError(cause: unknown): AppError {
  if (cause instanceof UserFacingError) return cause.error;
  return appError(
    'unexpected',
    'An error inside Gatehouse interrupted this request.',
    'Run it again. If it keeps happening, report it with the details below.',
    { detail: cause instanceof Error ? cause.message : String(cause) },
  );
}

/** How far a run got before Gatehouse closed. */
type Progress = 'unsent' | 'sent' | 'answered';

/** How a run ends that Gatehouse's own end broke off, said on the way out or at the next start. */
export function resultAfterShutdown(progress: Progress): {
  status: 'interrupted' | 'unknown';
  error: AppError;
} {
  switch (progress) {
    case 'answered':
      return { status: 'interrupted', error: closedMeanwhile };
    case 'sent':
      return { status: 'unknown', error: closedUnanswered };
    case 'unsent':
      return { status: 'interrupted', error: closedUnsent };
    default:
      return assertNever(progress);
  }
}

const closedUnanswered = appError(
  'outcome-unknown',
  'Gatehouse closed after sending this request, before a response arrived. It may have been processed and billed.',
  'Check the gateway’s logs before you run it again.',
  {},
);
const closedMeanwhile = appError(
  'interrupted',
  'Gatehouse closed during this response. Partial response kept; it may be billed.',
  'Run it again if you need the rest.',
  {},
);
const closedUnsent = appError(
  'interrupted',
  'Gatehouse closed before this request was sent. Nothing reached the gateway.',
  'Run it again.',
  {},
);
