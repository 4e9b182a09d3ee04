/** Whether a run's status is its last one; free of zod, so that the page can use it. */
import type { RunStatus } from './run.ts';

export function isFinished(status: RunStatus): boolean {
  return status !== 'queued' && status !== 'running';
}
