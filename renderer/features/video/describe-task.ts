import { canFollowAgain, isFinished, type RunSummary } from '../../../shared/run.ts';
import type { StatusLabel } from '../../ui/status-mark.tsx';

export interface DescribedTask extends StatusLabel {
  /** The possible action on following it. */
  next: 'stop' | 'resume' | 'follow' | null;
}

type TaskRun = Pick<RunSummary, 'status' | 'phase'> & Partial<Pick<RunSummary, 'figures'>>;

export function describeTask(run: TaskRun): DescribedTask {
  return isFinished(run.status) ? describeEnded(run) : describeLive(run.phase);
}

function describeLive({ name, task }: RunSummary['phase']): DescribedTask {
  if (name === 'working') return { label: 'Submitting', tone: 'active', next: null };
  if (name === 'unfollowed') return { label: 'Not followed', tone: 'quiet', next: 'resume' };
  const next = 'stop';
  if (task === null) return { label: 'Downloading', tone: 'active', next };
  switch (task.status) {
    case 'queued':
      return { label: 'Queued', tone: 'active', next };
    case 'in_progress':
      return { label: 'In progress', tone: 'active', next };
    case 'completed':
      return { label: 'Downloading', tone: 'active', next };
    case 'failed':
      return { label: 'Failed', tone: 'danger', next };
    // The gateway's status word as sent.
    case 'unknown':
      return { label: task.word ?? 'No status yet', tone: 'warning', next };
    case null:
      return { label: 'Checking', tone: 'active', next };
  }
}

function describeEnded({ status, phase, figures }: TaskRun): DescribedTask {
  const { task } = phase;
  const next = canFollowAgain({ status, phase }) ? 'follow' : null;
  if (figures?.noResult != null) return { label: 'No result', tone: 'warning', next };
  if (status === 'succeeded') return { label: 'Completed', tone: 'success', next };
  if (status === 'unknown') return { label: 'Outcome unknown', tone: 'warning', next };
  if (status === 'cancelled') return { label: 'Stopped', tone: 'quiet', next };
  if (status === 'interrupted') return { label: 'Interrupted', tone: 'warning', next };
  if (phase.name === 'downloading' || task?.status === 'completed') {
    return { label: 'Download failed', tone: 'danger', next };
  }
  if (task?.status === 'failed') return { label: 'Failed', tone: 'danger', next };
  // Only checking failed; the task may still succeed.
  return task === null
    ? { label: 'Failed', tone: 'danger', next }
    : { label: 'Check failed', tone: 'warning', next };
}

/** Run stays disabled until the gateway has answered the submit request. */
export function isSubmitting({ status, phase }: TaskRun): boolean {
  return !isFinished(status) && phase.name === 'working';
}
