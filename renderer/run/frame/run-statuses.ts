import type { RunStatus } from '../../../shared/run.ts';

const labels: Record<RunStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
  unknown: 'Outcome unknown',
};

export const runStatuses = Object.keys(labels) as RunStatus[];

export function statusLabel(status: RunStatus): string {
  return labels[status];
}
