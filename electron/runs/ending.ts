/** How a run ended, before it is recorded. */
import type { AppError } from '../../shared/errors.ts';
import type { RunEventOf, Timings } from '../../shared/run.ts';

export type Ending =
  | { status: 'succeeded'; timings: Timings }
  | { status: RunEventOf<'error'>['status']; error: AppError; timings: Timings | null };
