/** Video tasks: their state follows from their age, so that a poll needs no timers. */
import { randomUUID } from 'node:crypto';

const QUEUED_MS = 2000;
const WORKING_MS = 6000;
const MOST_TASKS = 500;

export interface VideoPlan {
  prompt: string;
  width: number;
  height: number;
  durationSeconds: number;
  fps: number;
  seed: number;
  /** The task is to end in `failed`. */
  fails: boolean;
}

export type TaskStatus = 'queued' | 'in_progress' | 'completed' | 'failed';

export interface TaskList {
  /** Returns the task's id; the oldest tasks are forgotten. */
  add: (plan: VideoPlan) => string;
  find: (id: string) => { plan: VideoPlan; status: TaskStatus } | null;
}

/** `now` in simulated milliseconds. */
export function createTaskList(now: () => number): TaskList {
  const tasks = new Map<string, { plan: VideoPlan; createdAt: number }>();
  return {
    add: (plan) => {
      const id = `task_${randomUUID().replaceAll('-', '')}`;
      tasks.set(id, { plan, createdAt: now() });
      const [oldest] = tasks.keys();
      if (tasks.size > MOST_TASKS && oldest !== undefined) tasks.delete(oldest);
      return id;
    },
    find: (id) => {
      const task = tasks.get(id);
      return task === undefined ? null : { plan: task.plan, status: statusAt(task, now()) };
    },
  };
}

function statusAt(task: { plan: VideoPlan; createdAt: number }, at: number): TaskStatus {
  const ageMs = at - task.createdAt;
  if (ageMs < QUEUED_MS) return 'queued';
  if (ageMs < QUEUED_MS + WORKING_MS) return 'in_progress';
  return task.plan.fails ? 'failed' : 'completed';
}
