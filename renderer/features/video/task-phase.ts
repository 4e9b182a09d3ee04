import { isFinished } from '../../../shared/is-finished.ts';
import { isJsonObject } from '../../../shared/json.ts';
import type { VideoState } from '../../../shared/operations/video/state.ts';
import type { RunView } from '../../../shared/run.ts';

/** Where a task stands, in a word, and how that word is coloured. */
export interface TaskPhase {
  label: string;
  tone: 'active' | 'success' | 'danger' | 'warning' | 'quiet';
  /** What can be done about following it. */
  next: 'stop' | 'resume' | 'follow' | null;
}

type VideoView = Pick<RunView<VideoState>, 'status' | 'state'>;

export function taskPhase({ status, state }: VideoView): TaskPhase {
  return isFinished(status) ? endedPhase({ status, state }) : livePhase(state);
}

function livePhase(state: VideoState): TaskPhase {
  const next = state.taskId === null ? null : state.following ? 'stop' : 'resume';
  if (state.taskId === null) return { label: 'Submitting', tone: 'active', next };
  if (!state.following) return { label: 'Not followed', tone: 'quiet', next };
  switch (state.status) {
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
      return { label: state.word ?? 'No status yet', tone: 'warning', next };
    case null:
      return { label: 'Asking', tone: 'active', next };
  }
}

function endedPhase({ status, state }: VideoView): TaskPhase {
  const next = state.taskId === null || status === 'succeeded' ? null : 'follow';
  if (status === 'succeeded') return { label: 'Completed', tone: 'success', next };
  if (status === 'unknown') return { label: 'Outcome unknown', tone: 'warning', next };
  if (status === 'cancelled') return { label: 'Cancelled', tone: 'quiet', next };
  if (status === 'interrupted') return { label: 'Interrupted', tone: 'warning', next };
  if (state.status === 'completed') return { label: 'Download failed', tone: 'danger', next };
  if (state.status === 'failed') return { label: 'Failed', tone: 'danger', next: null };
  // Nobody said that the task failed: only asking about it did.
  return state.taskId === null
    ? { label: 'Failed', tone: 'danger', next }
    : { label: 'Lost', tone: 'warning', next };
}

/** While the gateway has not answered the submit, Run is not free. */
export function isSubmitting({ status, state }: Pick<RunView, 'status' | 'state'>): boolean {
  return !isFinished(status) && isJsonObject(state) && state.taskId === null;
}

/** From the start of the run to its end, or until now. */
export function elapsedMs(run: Pick<RunView, 'createdAt' | 'finishedAt'>, now: number): number {
  return Math.max(0, (run.finishedAt ?? now) - run.createdAt);
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
