/** Who works on a run now. Free of zod, so that the page can use it. */
import { isFinished } from '../is-finished.ts';
import type { Phase, RunSummary } from '../run.ts';

export const phaseNames = ['working', 'following', 'unfollowed', 'downloading'] as const;
type PhaseName = (typeof phaseNames)[number];

interface PhaseTraits {
  /** This process works on the run now. */
  isActive: boolean;
  /** The gateway works on it whether or not it is polled: stopping the run only stops the polling. */
  runsAtGateway: boolean;
  /** A later process can continue the run. */
  outlivesMain: boolean;
}

/** `task` is the task's while the gateway has one. */
export const phaseTraits = {
  /** Main waits for the reply, which ends with main. */
  working: { isActive: true, runsAtGateway: false, outlivesMain: false },
  /** The gateway works on a task, and main polls it. */
  following: { isActive: true, runsAtGateway: true, outlivesMain: true },
  /** The gateway works on a task; the user stopped following it. */
  unfollowed: { isActive: false, runsAtGateway: true, outlivesMain: true },
  /** The task has ended well, or the video came without one, and main fetches its file. */
  downloading: { isActive: true, runsAtGateway: false, outlivesMain: true },
} as const satisfies Record<PhaseName, PhaseTraits>;

/** The only phase of an operation that is one request and its reply. */
export const initialPhase: Phase = { name: 'working', task: null };

/** Whether the gateway may still have what the run did not bring: its task can be checked again without a new request. */
export function canFollowAgain(run: Pick<RunSummary, 'status' | 'phase'>): boolean {
  const { status, phase } = run;
  if (!isFinished(status) || status === 'succeeded' || phase.task === null) return false;
  const hasTaskFailed = status === 'failed' && phase.task.status === 'failed';
  return !hasTaskFailed;
}
