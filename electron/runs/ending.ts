/** Determines how runs end before the end is recorded. */
import { assertNever } from '../../shared/assert-never.ts';
import { getSentSeconds, listFindings } from '../../shared/checks/asked.ts';
import type { Finding } from '../../shared/checks/finding.ts';
import { type AppError, appError, UserFacingError } from '../../shared/errors.ts';
import type { RunInput } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { RunResult } from '../operations/run-result.ts';

/** Ends a run at shutdown with the same result that the next start would record. */
export function endAtShutdown(run: RunView, { timings }: RunResult): RunResult {
  // A run without timings may still have been sent.
  const wasSent = timings === null ? run.startedAt !== null : timings.sentAtMs !== null;
  const progress = run.httpStatus !== null ? 'answered' : wasSent ? 'sent' : 'unsent';
  return { ...getResultAfterShutdown(progress), timings };
}

/** Compares the response of an ended run with its request. */
export function compareRun(
  view: RunView,
  { request, extraBody }: Pick<RunInput, 'request' | 'extraBody'>,
  media: Pick<MediaStore, 'get'>,
): Finding[] {
  const sent = { ...request, ...extraBody };
  const sentSeconds = getSentSeconds(sent, (id) => media.get(id)?.durationSeconds ?? null);
  return listFindings({ view, request: sent, sentSeconds });
}

export function endWithError(cause: unknown): RunResult {
  return { status: 'failed', timings: null, error: getError(cause) };
}

export function getError(cause: unknown): AppError {
  if (cause instanceof UserFacingError) return cause.error;
  return appError(
    'unexpected',
    'An internal error interrupted this request.',
    'Retry. If it keeps happening, report it with the details below.',
    { detail: cause instanceof Error ? cause.message : String(cause) },
  );
}

type Progress = 'unsent' | 'sent' | 'answered';

export function getResultAfterShutdown(progress: Progress): {
  status: 'interrupted' | 'unknown';
  error: AppError;
} {
  switch (progress) {
    case 'answered':
      return { status: 'interrupted', error: closedDuringResponse };
    case 'sent':
      return { status: 'unknown', error: closedUnanswered };
    case 'unsent':
      return { status: 'interrupted', error: closedUnsent };
    default:
      return assertNever(progress);
  }
}

const closedUnanswered = appError(
  'interrupted',
  'Gatehouse closed before the response arrived. The request may have been processed and billed.',
  'Check your gateway usage before you retry.',
);
const closedDuringResponse = appError(
  'interrupted',
  'Gatehouse closed during this response. Partial response kept; it may be billed.',
  'Retry to get the full response.',
);
const closedUnsent = appError(
  'interrupted',
  'Gatehouse closed before sending this request.',
  'Retry.',
);
