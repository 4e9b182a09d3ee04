/** Video tasks: their id carries the task, their state follows from their age and their film. */

import { planFromTaskId, readTaskId, type VideoPlan, writeTaskId } from './task-id.ts';
import type { VideoCache } from './video-cache.ts';

export type TaskState =
  | { status: 'queued' | 'in_progress' | 'completed' }
  | { status: 'failed'; message: string };

export interface TaskList {
  /** Returns the task's id. */
  add: (plan: VideoPlan) => string;
  /** Knows the tasks of every list; null for an id that none has given. */
  find: (id: string) => { plan: VideoPlan; state: TaskState } | null;
  film: (id: string, plan: VideoPlan) => Promise<Buffer>;
  close: () => void;
}

export interface TaskListOptions {
  /** Unix time in milliseconds. */
  now: () => number;
  /** From submit to completed; longer where the film takes longer. */
  videoSeconds: number;
  shelf: VideoCache;
}

const QUEUED_SHARE = 0.25;

export function createTaskList({ now, videoSeconds, shelf }: TaskListOptions): TaskList {
  const ordered = new Set<string>();

  function order(id: string, plan: VideoPlan): void {
    if (plan.failure !== null || ordered.has(id)) return;
    ordered.add(id);
    // The shelf has its outcome.
    shelf.film(id, plan).catch(() => undefined);
  }

  function getState(id: string, plan: VideoPlan, ageMs: number): TaskState {
    if (ageMs < videoSeconds * 1000 * QUEUED_SHARE) return { status: 'queued' };
    if (ageMs < videoSeconds * 1000) return { status: 'in_progress' };
    if (plan.failure !== null) return { status: 'failed', message: plan.failure };
    const progress = shelf.progress(id);
    if (progress === 'made') return { status: 'completed' };
    if (progress === 'making') return { status: 'in_progress' };
    return { status: 'failed', message: progress.failed };
  }

  return {
    add: (requested) => {
      const plan = planFromTaskId(requested);
      const id = writeTaskId({ plan, submittedAt: now() });
      order(id, plan);
      return id;
    },
    find: (id) => {
      const task = readTaskId(id);
      if (task === null) return null;
      const { plan, submittedAt } = task;
      order(id, plan);
      return { plan, state: getState(id, plan, now() - submittedAt) };
    },
    film: shelf.film,
    close: shelf.close,
  };
}
