import { expect, it } from 'vitest';
import type { FilmShelf } from '../../electron/demo/media/film-shelf.ts';
import { createTaskList, type VideoPlan } from '../../electron/demo/media/task-list.ts';

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

function taskList(progress: ReturnType<FilmShelf['progress']> = 'made') {
  const clock = { ms: 0 };
  const film = async () => Buffer.from('film');
  const shelf: FilmShelf = { film, progress: () => progress, close: () => undefined };
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
    { ...plan, failure: 'Asked for.' },
    { status: 'failed', message: 'Asked for.' },
  ],
])('tells in the end that %s', (_name, progress, asked, state) => {
  const { clock, tasks } = taskList(progress);
  const id = tasks.add(asked);
  clock.ms = 9000;
  expect(tasks.find(id)?.state).toEqual(state);
});

it('knows the last 500 tasks', () => {
  const { tasks } = taskList();
  const ids = Array.from({ length: 501 }, () => tasks.add(plan));
  expect(tasks.find(ids[0] ?? '')).toBeNull();
  expect(tasks.find(ids[1] ?? '')).not.toBeNull();
});
