/** Who works on a run now. Free of zod, so that the page can use it. */
import type { Phase } from '../run.ts';

export const phaseNames = ['working', 'following', 'unfollowed', 'downloading'] as const;
type PhaseName = (typeof phaseNames)[number];

interface PhaseTraits {
  /** Something is done for the run now, in this process. */
  isActive: boolean;
  /** The gateway carries the run on by itself: to stop it is to look away. */
  goesOnElsewhere: boolean;
  /** A later process can take the run up where this one left it. */
  outlivesMain: boolean;
}

/** `task` is the task's while the gateway has one. */
export const phaseTraits = {
  /** Main waits for the reply, which ends with main. */
  working: { isActive: true, goesOnElsewhere: false, outlivesMain: false },
  /** The gateway works on a task, and main asks how far it is. */
  following: { isActive: true, goesOnElsewhere: true, outlivesMain: true },
  /** The gateway works on a task; the user stopped following it. */
  unfollowed: { isActive: false, goesOnElsewhere: true, outlivesMain: true },
  /** The task has ended well, and main fetches its file. */
  downloading: { isActive: true, goesOnElsewhere: false, outlivesMain: true },
} as const satisfies Record<PhaseName, PhaseTraits>;

/** The only phase of an operation that is one request and its reply. */
export const working: Phase = { name: 'working', task: null };
