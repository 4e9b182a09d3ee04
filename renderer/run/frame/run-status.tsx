import type { RunStatus, RunSummary } from '../../../shared/run.ts';
import { type StatusLabel, StatusMark } from '../../ui/status-mark.tsx';

interface RunStatusMarkProps {
  run: Pick<RunSummary, 'status' | 'figures'>;
}

/** The status of a run. The reason for no result is in a tooltip. */
export function RunStatusMark({ run: { status, figures } }: RunStatusMarkProps) {
  const noResult = figures?.noResult ?? null;
  return noResult === null ? (
    <StatusMark {...statuses[status]} />
  ) : (
    <StatusMark label="No result" tone="warning" reason={noResult} />
  );
}

const statuses: Record<RunStatus, StatusLabel> = {
  queued: { label: 'Queued', tone: 'quiet' },
  running: { label: 'Running', tone: 'active' },
  succeeded: { label: 'Succeeded', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Stopped', tone: 'quiet' },
  interrupted: { label: 'Interrupted', tone: 'warning' },
  unknown: { label: 'Outcome unknown', tone: 'warning' },
};

export const runStatuses = Object.keys(statuses) as RunStatus[];

export function statusLabel(status: RunStatus): string {
  return statuses[status].label;
}
