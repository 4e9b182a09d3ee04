import { expect, it, onTestFinished } from 'vitest';
import { createMediaThread, type MediaThreadOptions } from '../../electron/media/media-thread.ts';

/** Only for what hangs: a worker takes its time to start on a busy machine. */
const LIMIT_MS = 1500;

function startThread(
  limitMs: MediaThreadOptions['limitMs'] = { measure: LIMIT_MS, peaks: 60_000 },
) {
  const worker = new URL('../fixtures/faulty-media-worker.ts', import.meta.url);
  const thread = createMediaThread({ worker, limitMs });
  onTestFinished(() => thread.close());
  const run = (path: string) => thread.run({ kind: 'measure', path, type: '' });
  const outline = (path: string) => thread.run({ kind: 'peaks', path, type: '', peaksPath: '' });
  return { thread, run, outline };
}

it('ends only the job that hangs, and runs the others again', async () => {
  const { run, outline } = startThread();
  const [hanging, ...others] = await Promise.allSettled([
    run('hang'),
    outline('a'),
    outline('wait for b'),
  ]);
  expect(hanging).toMatchObject({ status: 'rejected', reason: { message: /took too long/ } });
  expect(others).toMatchObject([
    { status: 'fulfilled', value: { type: 'a' } },
    { status: 'fulfilled', value: { type: 'wait for b' } },
  ]);
  expect(await outline('c')).toMatchObject({ type: 'c' });
});

it.each([[['wait good', 'hang']], [['hang', 'wait good']]])(
  'ends only the one that hangs of %j',
  async (paths) => {
    const { run, outline } = startThread();
    const jobs = await Promise.allSettled(
      paths.map((path) => (path === 'hang' ? run(path) : outline(path))),
    );
    expect(jobs.map(({ status }) => status)).toEqual(
      paths.map((path) => (path === 'hang' ? 'rejected' : 'fulfilled')),
    );
  },
);

it('ends only the job that crashes the worker', async () => {
  const { run } = startThread({ measure: 60_000, peaks: 60_000 });
  const jobs = await Promise.allSettled(['wait a', 'crash', 'wait b'].map(run));
  expect(jobs.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('ends every job when it is closed, and accepts no more', async () => {
  const { thread, run } = startThread();
  const waiting = run('hang').catch(String);
  await thread.close();
  expect(await waiting).toContain('was stopped');
  await expect(run('a')).rejects.toThrow('was stopped');
});
