import { expect, it } from 'vitest';
import type { VideoPlan } from '../../electron/demo/media/task-id.ts';
import { createTaskList } from '../../electron/demo/media/task-list.ts';
import type { VideoCache } from '../../electron/demo/media/video-cache.ts';

const plan: VideoPlan = {
  prompt: 'x',
  width: 16,
  height: 16,
  seed: '1',
  seedNumber: 1,
  durationSeconds: 1,
  fps: 1,
  failure: null,
};

function taskList(progress: ReturnType<VideoCache['progress']> = 'made') {
  const clock = { ms: 0 };
  const film = async () => Buffer.from('film');
  const shelf: VideoCache = { film, progress: () => progress, close: () => undefined };
  return { clock, tasks: createTaskList({ now: () => clock.ms, videoSeconds: 8, shelf }) };
}

it.each([
  [0, 'queued'],
  [1999, 'queued'],
  [2000, 'in_progress'],
  [7999, 'in_progress'],
  [8000, 'completed'],
])('is after %s ms of 8 seconds %s', (ms, status) => {
  const { clock, tasks } = taskList();
  const id = tasks.add(plan);
  clock.ms = ms;
  expect(tasks.find(id)?.state).toEqual({ status });
});

it.each([
  ['the film takes longer', 'making' as const, plan, { status: 'in_progress' }],
  [
    'the film could not be made',
    { failed: 'No memory.' },
    plan,
    { status: 'failed', message: 'No memory.' },
  ],
  [
    'the prompt asked for it',
    'making' as const,
    { ...plan, failure: 'Requested.' },
    { status: 'failed', message: 'Requested.' },
  ],
])('reports in the end that %s', (_name, progress, task, state) => {
  const { clock, tasks } = taskList(progress);
  const id = tasks.add(task);
  clock.ms = 9000;
  expect(tasks.find(id)?.state).toEqual(state);
});

it('knows a task that another list has given its id', () => {
  const id = taskList().tasks.add(plan);
  const { clock, tasks } = taskList();
  clock.ms = 8000;
  expect(tasks.find(id)).toEqual({ plan, state: { status: 'completed' } });
});

it('gives tasks that are submitted alike and at once ids of their own', () => {
  const { tasks } = taskList();
  expect(tasks.add(plan)).not.toBe(tasks.add(plan));
});

it.each(['あ', '😀', '"', '\u0000', '\ud800', 'x'])(
  'keeps ids short for a prompt of %j',
  (letter) => {
    const { tasks } = taskList();
    const id = tasks.add({ ...plan, prompt: letter.repeat(5000), failure: 'Requested.' });
    expect(id).toMatch(/^[\w-]{1,1499}$/);
    expect(tasks.find(id)).not.toBeNull();
  },
);

it('does not know a garbled id', () => {
  const { tasks } = taskList();
  const id = tasks.add(plan);
  const garbled = [id.slice(0, -1), `${id}A`, `${id}=`, id.replace('task_', 'task_0'), 'task_', ''];
  expect(garbled.map(tasks.find)).toEqual(garbled.map(() => null));
});
