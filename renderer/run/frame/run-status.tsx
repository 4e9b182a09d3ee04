import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunFilterStatus, RunOutcome, RunSummary } from '../../../shared/run.ts';
import { formatElapsed } from '../../lib/format-quantity.ts';
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

/** The statuses that lists of runs can be filtered by. */
export const filterStatuses: { value: RunFilterStatus; label: string }[] = [
  ...(Object.keys(outcomes) as RunOutcome[]).map((value) => ({
    value,
    label: outcomes[value].label,
  })),
  { value: 'mismatch', label: 'Not as asked' },
];

/** A task continues on the gateway, so Stop only ends the polling. */
export function getStopLabel({ phase }: Pick<RunSummary, 'phase'>): 'Stop' | 'Stop following' {
  return phase.task === null ? 'Stop' : 'Stop following';
}

const quietMs = 2000;

const waitingFor: Record<OperationName, string> = {
  chat: 'Waiting for first token…',
  completion: 'Waiting for first token…',
  image: 'Waiting ·',
  video: 'Waiting ·',
  rerank: 'Waiting for ranking…',
  embeddings: 'Waiting for vectors…',
  speech: 'Waiting ·',
  transcription: 'Waiting ·',
  console: 'Waiting for response…',
};

interface Pulse {
  operation: OperationName;
  streams: boolean;
  elapsedMs: number;
  quietMs: number;
  /** The output so far, such as ` · about 9 tokens`. */
  produced?: string;
}

/** Returns text such as `Streaming · 9.1 s · no data for 4 s`. */
export function describeProgress(pulse: Pulse): string {
  const elapsed = formatElapsed(pulse.elapsedMs);
  if (!pulse.streams) return `${waitingFor[pulse.operation]} ${elapsed}`;
  if (pulse.operation === 'video') return `In progress · ${elapsed}`;
  const streaming = `Streaming · ${elapsed}${pulse.produced ?? ''}`;
  if (pulse.quietMs < quietMs) return streaming;
  return `${streaming} · no data for ${Math.floor(pulse.quietMs / 1000)} s`;
}
