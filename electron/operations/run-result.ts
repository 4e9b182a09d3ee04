/** Defines how a run and its exchanges end. */
import type { AppError } from '../../shared/errors.ts';
import type { RunEventOf, Timings } from '../../shared/run.ts';
import type { ExchangeOutcome } from '../gateway/exchange.ts';
import { cancelledError } from '../gateway/outcome.ts';

export type RunResult =
  | { status: 'succeeded'; timings: Timings }
  | { status: RunEventOf<'error'>['status']; error: AppError; timings: Timings | null };

/** A storage error takes precedence over the response, but not over a stop by the user. */
export function withProblem(
  outcome: ExchangeOutcome,
  problem: AppError | null,
  userSignal: AbortSignal,
): ExchangeOutcome {
  if (problem === null) return outcome;
  if (userSignal.aborted) {
    return { status: 'cancelled', error: cancelledError, timings: outcome.timings };
  }
  return { status: 'failed', error: problem, timings: outcome.timings };
}
