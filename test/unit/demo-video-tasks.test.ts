import { expect, it } from 'vitest';
import {
  createVideoTasks,
  type TaskPlan,
  type VideoTasksOptions,
} from '../../electron/demo/media/video-tasks.ts';

const plan: TaskPlan = {
  prompt: 'x',
  width: 16,
  height: 16,
  seed: '1',
  seedNumber: 1,
  durationSeconds: 1,
  fps: 1,
  failure: null,
};
const video = new Uint8Array(1);

function createTasks(
  renderVideo: VideoTasksOptions['renderVideo'] = async () => video,
  options: Pick<VideoTasksOptions, 'maxCacheBytes'> = {},
) {
  const clock = { ms: 0 };
  const now = () => clock.ms;
  const tasks = createVideoTasks({ now, videoSeconds: 8, renderVideo, ...options });
  return { clock, tasks };
}

it.each([
  [0, 'queued'],
  [1999, 'queued'],
  [2000, 'in_progress'],
  [7999, 'in_progress'],
  [8000, 'completed'],
])('reports a task of 8 seconds after %s ms as %s', async (ms, status) => {
  const { clock, tasks } = createTasks();
  const id = tasks.add(plan);
  await tasks.render(id, plan);
  clock.ms = ms;
  expect(tasks.find(id)?.state).toEqual({ status });
});

it.each([
  ['renders', () => new Promise<never>(() => {}), null, { status: 'in_progress' }],
  ['fails', () => Promise.reject(new Error('Full.')), null, { status: 'failed', message: 'Full.' }],
  ['should fail', async () => video, 'Requested.', { status: 'failed', message: 'Requested.' }],
])('reports that a video %s', async (_name, renderVideo, failure, state) => {
  const { clock, tasks } = createTasks(renderVideo);
  const id = tasks.add({ ...plan, failure });
  clock.ms = 9000;
  await expect.poll(() => tasks.find(id)?.state).toEqual(state);
});

it('finds a task of another gateway', async () => {
  const id = createTasks().tasks.add(plan);
  const { clock, tasks } = createTasks();
  clock.ms = 8000;
  tasks.find(id);
  const completed = { plan, state: { status: 'completed' } };
  await expect.poll(() => tasks.find(id)).toMatchObject(completed);
});

it('gives equal tasks different IDs', () => {
  const { tasks } = createTasks();
  expect(tasks.add(plan)).not.toBe(tasks.add(plan));
});

it.each(['あ', '😀', '"', '\u0000', '\ud800', 'x'])(
  'keeps IDs short for a prompt of %j',
  (letter) => {
    const { tasks } = createTasks();
    const id = tasks.add({ ...plan, prompt: letter.repeat(5000), failure: 'Requested.' });
    expect(id).toMatch(/^[\w-]{1,1499}$/);
    expect(tasks.find(id)).not.toBeNull();
  },
);

it('rejects a garbled ID', () => {
  const { tasks } = createTasks();
  const id = tasks.add(plan);
  const garbled = [id.slice(0, -1), `${id}A`, `${id}=`, id.replace('task_', 'task_0'), 'task_', ''];
  expect(garbled.map(tasks.find)).toEqual(garbled.map(() => null));
});

it('renders one video at a time, each once, and continues after an error', async () => {
  const rendered: string[] = [];
  let running = 0;
  const { tasks } = createTasks(async ({ prompt }) => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
    rendered.push(prompt);
    if (prompt === 'bad') throw new Error('No memory.');
    return video;
  });
  const results = await Promise.allSettled(
    ['one', 'bad', 'two', 'one'].map((prompt) => tasks.render(prompt, { ...plan, prompt })),
  );
  expect(rendered).toEqual(['one', 'bad', 'two']);
  const failed = results.map(({ status }) => status === 'rejected');
  expect(failed).toEqual([false, true, false, false]);
});

it('evicts the oldest videos and renders them again on request', async () => {
  const rendered: string[] = [];
  const renderVideo = async ({ prompt }: { prompt: string }) => {
    rendered.push(prompt);
    return new Uint8Array(100);
  };
  const { tasks } = createTasks(renderVideo, { maxCacheBytes: 256 });
  for (const prompt of ['one', 'two', 'three', 'three', 'one']) {
    await tasks.render(prompt, { ...plan, prompt });
  }
  expect(rendered).toEqual(['one', 'two', 'three', 'one']);
});
