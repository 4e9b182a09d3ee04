import type { RunOutcome, RunSummary } from '../../../shared/run.ts';
import { type StatusLabel, StatusMark } from '../../ui/status-mark.tsx';

interface RunStatusMarkProps {
  run: Pick<RunSummary, 'status' | 'figures'>;
}

/** Renders the run status, with the reason for a missing result as a tooltip. */
export function RunStatusMark({ run }: RunStatusMarkProps) {
  return <StatusMark {...runStatusLabel(run)} reason={run.figures?.noResult ?? null} />;
}

export function runStatusLabel({ status, figures }: RunStatusMarkProps['run']): StatusLabel {
  return outcomes[figures?.noResult == null ? status : 'no-result'];
}

const outcomes: Record<RunOutcome, StatusLabel> = {
  queued: { label: 'Queued', tone: 'quiet' },
  running: { label: 'Running', tone: 'active' },
  succeeded: { label: 'Succeeded', tone: 'success' },
  'no-result': { label: 'No result', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Stopped', tone: 'quiet' },
  interrupted: { label: 'Interrupted', tone: 'warning' },
  unknown: { label: 'Outcome unknown', tone: 'warning' },
};

export const runOutcomes = Object.keys(outcomes) as RunOutcome[];

export function outcomeLabel(outcome: RunOutcome): string {
  return outcomes[outcome].label;
}
