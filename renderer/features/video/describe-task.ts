import { isFinished } from '../../../shared/is-finished.ts';
import type { RunSummary } from '../../../shared/run.ts';

/** The state of a task, in a word, and the color of that word. */
export interface TaskLabel {
  label: string;
  tone: 'active' | 'success' | 'danger' | 'warning' | 'quiet';
  /** What can be done about following it. */
  next: 'stop' | 'resume' | 'follow' | null;
}

type TaskRun = Pick<RunSummary, 'status' | 'phase'> & Partial<Pick<RunSummary, 'figures'>>;

export function describeTask(run: TaskRun): TaskLabel {
  return isFinished(run.status) ? describeEnded(run) : describeLive(run.phase);
}

function describeLive({ name, task }: RunSummary['phase']): TaskLabel {
  if (task === null) return { label: 'Submitting', tone: 'active', next: null };
  if (name === 'unfollowed') return { label: 'Not followed', tone: 'quiet', next: 'resume' };
  const next = 'stop';
  switch (task.status) {
    case 'queued':
      return { label: 'Queued', tone: 'active', next };
    case 'in_progress':
      return { label: 'In progress', tone: 'active', next };
    case 'completed':
      return { label: 'Downloading', tone: 'active', next };
    case 'failed':
      return { label: 'Failed', tone: 'danger', next };
    // The gateway's own word, whatever it means.
    case 'unknown':
      return { label: task.word ?? 'No status yet', tone: 'warning', next };
    case null:
      return { label: 'Checking', tone: 'active', next };
  }
}

function describeEnded({ status, phase: { task }, figures }: TaskRun): TaskLabel {
  const next = task === null || status === 'succeeded' ? null : 'follow';
  if (figures?.noResult != null) return { label: 'No result', tone: 'warning', next };
  if (status === 'succeeded') return { label: 'Completed', tone: 'success', next };
  if (status === 'unknown') return { label: 'Outcome unknown', tone: 'warning', next };
  if (status === 'cancelled') return { label: 'Stopped', tone: 'quiet', next };
  if (status === 'interrupted') return { label: 'Interrupted', tone: 'warning', next };
  if (task?.status === 'completed') return { label: 'Download failed', tone: 'danger', next };
  if (task?.status === 'failed') return { label: 'Failed', tone: 'danger', next: null };
  // Nobody said that the task failed: only checking it did.
  return task === null
    ? { label: 'Failed', tone: 'danger', next }
    : { label: 'Check failed', tone: 'warning', next };
}

/** While the gateway has not answered the submit, Run is not free. */
export function isSubmitting({ status, phase }: TaskRun): boolean {
  return !isFinished(status) && phase.task === null;
}

/** `just now`, `4 min ago`, `3 h ago`, `2 days ago`. */
export function ageWords(unixMs: number, now: number): string {
  const minutes = Math.floor((now - unixMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
