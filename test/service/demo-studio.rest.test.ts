import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StudioJob } from '../../electron/demo/studio/studio.ts';

// Import a fresh module, because other test files may still occupy its threads.
vi.resetModules();
const { runJob, runSingle } = await import('../../electron/demo/studio/studio.ts');

const started: Worker[] = [];
const alive = new Set<Worker>();
/** Other test files of this process may still start other threads. */
function count(worker: Worker): void {
  if (worker.threadName !== 'studio') return;
  started.push(worker);
  alive.add(worker);
  worker.once('exit', () => alive.delete(worker));
}
beforeEach(() => {
  process.on('worker', count);
});
afterEach(() => {
  process.off('worker', count);
  started.length = 0;
});

const speech = (text: string, format: 'mp3' | 'pcm' = 'pcm'): StudioJob & { kind: 'speech' } => ({
  kind: 'speech',
  plan: { text, voice: 'alloy', speed: 1, format, line: 'studio' },
});
const never = new AbortController().signal;
async function say(words: string, format: 'mp3' | 'pcm' = 'pcm'): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of runJob(speech(words, format), never)) parts.push(bytes);
  return Buffer.concat(parts);
}

it('speaks texts on parallel threads, and keeps two of them alive', async () => {
  await Promise.all(['One.', 'Two.', 'Three.', 'Four.'].map((words) => say(words)));
  const before = started.length;
  await Promise.all(['One.', 'Two.'].map((words) => say(words)));
  expect(started).toHaveLength(before);
  await Promise.all(['One.', 'Two.', 'Three.'].map((words) => say(words)));
  expect(started).toHaveLength(before + 1);
});

it('ends the threads of jobs that are aborted or no longer read', async () => {
  const long = speech('The gate is open, and whoever comes is welcome. '.repeat(80));
  const aborting = new AbortController();
  const aborted = runJob(long, aborting.signal);
  const left = runJob(long, never);
  const first = await Promise.all([aborted, left].map((job) => job.next()));
  expect(first.map(({ done }) => done)).toEqual([false, false]);
  aborting.abort();
  const drain = async () => {
    for await (const { seconds } of aborted) expect(seconds).toBeGreaterThan(0);
  };
  await expect(drain()).rejects.toThrow(/abort/);
  await left.return();
  await expect.poll(() => alive.size).toBe(0);
  expect((await say('None of them is left for this.')).length).toBeGreaterThan(0);
  expect(alive.size).toBe(1);
});

it('runs any other job in its own thread', async () => {
  const film = {
    prompt: 'A boat',
    width: 64,
    height: 64,
    seed: 'seed',
    durationSeconds: 1,
    fps: 4,
  };
  for (const times of [1, 2]) {
    await runSingle({ kind: 'video', plan: film }, never);
    expect(started).toHaveLength(times);
    await expect.poll(() => started.some((worker) => alive.has(worker))).toBe(false);
  }
});

it('doesn’t keep the process alive', async () => {
  const job = JSON.stringify(speech('A boat.'));
  const script = `import('./electron/demo/studio/studio.ts').then(async ({ runJob }) => {
    process.on('worker', (worker) => process.on('exit', () => console.log(worker.threadId > 0)));
    for await (const part of runJob(${job}, new AbortController().signal)) console.log(part.seconds);
  })`;
  const child = spawn(process.execPath, ['--eval', script]);
  const output = text(child.stdout);
  expect(await once(child, 'exit')).toEqual([0, null]);
  const lines = (await output).trim().split('\n');
  expect(Number(lines[0])).toBeGreaterThan(0);
  // If the process had waited for its thread, the thread would have ended first.
  expect(lines.at(-1)).toBe('true');
});
