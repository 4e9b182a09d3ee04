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

it('reuses one thread for texts in turn, and speaks each independently', async () => {
  const boat = await say('A boat.', 'mp3');
  expect(await say('A lamp.', 'mp3')).not.toEqual(boat);
  expect(await say('A boat.', 'mp3')).toEqual(boat);
  expect(started).toHaveLength(1);
});

it('reports why a job failed, and runs the next one', async () => {
  const measured = runSingle({ kind: 'measure', path: '/no/such.mp4', type: 'video/mp4' }, never);
  await expect(measured).rejects.toThrow('ENOENT');
  expect((await say('And on.')).length).toBeGreaterThan(0);
});
