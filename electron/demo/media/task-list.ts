/** Video tasks: their state follows from their age and their film, so that a poll needs no timers. */
import { randomUUID } from 'node:crypto';
import type { FilmPlan } from '../studio/worker/jobs.ts';
import type { FilmShelf } from './film-shelf.ts';

export interface VideoPlan extends FilmPlan {
  /** What the reply's metadata names. */
  seedNumber: number;
  /** The task is to end in `failed`, with this to say. */
  failure: string | null;
}

export type TaskState =
  | { status: 'queued' | 'in_progress' | 'completed' }
  | { status: 'failed'; message: string };

export interface TaskList {
  /** Returns the task's id; the oldest tasks are forgotten. */
  add: (plan: VideoPlan) => string;
  find: (id: string) => { plan: VideoPlan; state: TaskState } | null;
  film: (id: string, plan: VideoPlan) => Promise<Buffer>;
  close: () => void;
}

export interface TaskListOptions {
  /** In simulated milliseconds. */
  now: () => number;
  /** From submit to completed, in simulated seconds; longer where the film takes longer. */
  videoSeconds: number;
  shelf: FilmShelf;
}

const QUEUED_SHARE = 0.25;
const MOST_TASKS = 500;

export function createTaskList({ now, videoSeconds, shelf }: TaskListOptions): TaskList {
  const tasks = new Map<string, { plan: VideoPlan; createdAt: number }>();

  function stateOf(id: string, plan: VideoPlan, ageMs: number): TaskState {
    if (ageMs < videoSeconds * 1000 * QUEUED_SHARE) return { status: 'queued' };
    if (ageMs < videoSeconds * 1000) return { status: 'in_progress' };
    if (plan.failure !== null) return { status: 'failed', message: plan.failure };
    const progress = shelf.progress(id);
    if (progress === 'made') return { status: 'completed' };
    if (progress === 'making') return { status: 'in_progress' };
    return { status: 'failed', message: progress.failed };
  }

  return {
    add: (plan) => {
      const id = `task_${randomUUID().replaceAll('-', '')}`;
      tasks.set(id, { plan, createdAt: now() });
      // Its outcome is told by the shelf.
      if (plan.failure === null) shelf.film(id, plan).catch(() => undefined);
      const [oldest] = tasks.keys();
      if (tasks.size > MOST_TASKS && oldest !== undefined) tasks.delete(oldest);
      return id;
    },
    find: (id) => {
      const task = tasks.get(id);
      if (task === undefined) return null;
      return { plan: task.plan, state: stateOf(id, task.plan, now() - task.createdAt) };
    },
    film: shelf.film,
    close: shelf.close,
  };
}
