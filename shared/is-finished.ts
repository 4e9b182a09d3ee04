/** Returns true if a run's status is final. */
import type { RunStatus } from './run.ts';

export function isFinished(status: RunStatus): boolean {
  return status !== 'queued' && status !== 'running';
}
