import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runJob, runSingle } from '../../electron/demo/studio/studio.ts';
import type { StudioJob } from '../../electron/demo/studio/worker/jobs.ts';

const started: Worker[] = [];
const count = (worker: Worker) => void started.push(worker);
beforeEach(() => {
  process.on('worker', count);
});
afterEach(() => {
  process.off('worker', count);
  started.length = 0;
});

const picture = (prompt: string): StudioJob & { kind: 'picture' } => ({
  kind: 'picture',
  plan: { prompt, width: 64, height: 64, seed: 'seed' },
  style: 'sketch',
});
const never = new AbortController().signal;
const draw = (prompt: string, signal = never) => runSingle(picture(prompt), signal);

it('does one job after another in one thread, each as if it were the first', async () => {
  const boat = await draw('A boat');
  const before = started.length;
  expect(await draw('A lamp')).not.toEqual(boat);
  expect(await draw('A boat')).toEqual(boat);
  expect(started).toHaveLength(before);
});

it('does jobs beside each other in threads of their own, and keeps two of them', async () => {
  const drawn = await Promise.all(['One', 'Two', 'Three', 'Four'].map((prompt) => draw(prompt)));
  expect(drawn).toHaveLength(4);
  const before = started.length;
  await Promise.all([draw('One'), draw('Two')]);
  expect(started).toHaveLength(before);
  await Promise.all([draw('One'), draw('Two'), draw('Three')]);
  expect(started).toHaveLength(before + 1);
});

it('ends the thread of a job that is aborted, and does the next in another', async () => {
  const aborting = new AbortController();
  const text = 'The gate is open, and whoever comes is welcome. '.repeat(20);
  const plan = { text, voice: 'alloy', speed: 1, format: 'pcm', line: 'studio' } as const;
  const speech = runJob({ kind: 'speech', plan }, aborting.signal);
  expect((await speech.next()).done).toBe(false);
  aborting.abort();
  await expect(speech.next()).rejects.toThrow(/abort/);
  expect(await draw('A boat', never)).toBeInstanceOf(Uint8Array);
  await expect(draw('A boat', aborting.signal)).rejects.toThrow(/abort/);
});

it('says why a job failed, and does the next', async () => {
  const measured = runSingle({ kind: 'measure', path: '/no/such.mp4', type: 'video/mp4' }, never);
  await expect(measured).rejects.toThrow('ENOENT');
  expect(await draw('A boat')).toBeInstanceOf(Uint8Array);
});

it('keeps no process from ending', async () => {
  const job = JSON.stringify(picture('A boat'));
  const script = `import('./electron/demo/studio/studio.ts').then(({ runSingle }) =>
    runSingle(${job}, new AbortController().signal))`;
  const child = spawn(process.execPath, ['--eval', script]);
  const startedAt = performance.now();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(performance.now() - startedAt).toBeLessThan(25_000);
});
