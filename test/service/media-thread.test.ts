import { expect, it, onTestFinished } from 'vitest';
import { createMediaThread } from '../../electron/media/media-thread.ts';

/** Leaves a busy machine enough time to start a worker. */
const LIMIT_MS = 5000;

function startThread(measure = 60_000) {
  const worker = new URL('../fixtures/faulty-media-worker.ts', import.meta.url);
  const thread = createMediaThread({ worker, limitMs: { measure, peaks: 60_000 } });
  onTestFinished(() => thread.close());
  const run = (path: string) => thread.run({ kind: 'measure', path, type: '' });
  const readPeaks = (path: string) => thread.run({ kind: 'peaks', path, type: '', peaksPath: '' });
  return { thread, run, readPeaks };
}

it.each([
  ['hang', /took too long/, LIMIT_MS],
  ['crash', /ended/, undefined],
  ['damaged', /damaged/, undefined],
])('fails only the job that says “%s”', async (path, message, limitMs) => {
  const { run, readPeaks } = startThread(limitMs);
  const [before, failed, after, peaks] = await Promise.allSettled([
    run('before'),
    run(path),
    run('after'),
    readPeaks('peaks'),
  ]);
  expect(before).toMatchObject({ value: { type: 'before' } });
  expect(failed).toMatchObject({ reason: { message: expect.stringMatching(message) } });
  expect(after).toMatchObject({ value: { type: 'after' } });
  expect(peaks).toMatchObject({ value: { type: 'peaks' } });
});

it('fails every job when it is closed, and accepts no more', async () => {
  const { thread, run } = startThread();
  const jobs = ['hang', 'a'].map((path) => run(path).catch(String));
  await thread.close();
  for (const job of jobs) expect(await job).toContain('was stopped');
  await expect(run('a')).rejects.toThrow('was stopped');
});
