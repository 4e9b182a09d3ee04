import { assertNever } from '../../shared/assert-never.ts';
import type { RunStatus } from '../../shared/run.ts';

/** The status as the page says it; colour is never the only sign. */
export function runStatusWords(status: RunStatus): string {
  switch (status) {
    case 'queued':
      return 'Waiting';
    case 'running':
      return 'Running';
    case 'succeeded':
      return 'Succeeded';
    case 'failed':
      return 'Failed';
    case 'cancelled':
      return 'Stopped';
    case 'interrupted':
      return 'Interrupted';
    case 'unknown':
      return 'Outcome unknown';
    default:
      return assertNever(status);
  }
}
