import { expect, it } from 'vitest';
import { runChecks } from '../../electron/self-check/self-check.ts';

const about = { gatehouse: '1.2.3', host: 'browser' as const };

it('continues after a failed check, and reports the error', async () => {
  const report = await runChecks({
    ...about,
    limitMs: 5000,
    checks: [
      { name: 'first', run: async () => 'fine' },
      { name: 'second', run: () => Promise.reject(new Error('No index')) },
      { name: 'third', run: async () => null },
    ],
  });
  expect(report).toMatchObject({ ok: false, gatehouse: '1.2.3', host: 'browser' });
  expect(report.checks.map(({ took: _, ...result }) => result)).toEqual([
    { name: 'first', ok: true, detail: 'fine' },
    { name: 'second', ok: false, detail: 'No index' },
    { name: 'third', ok: true, detail: null },
  ]);
  expect(report.versions).toMatchObject({ electron: null, node: process.versions.node });
});

it('runs threaded checks in parallel, and lists all checks in order', async () => {
  const begun: string[] = [];
  const all = Promise.withResolvers<null>();
  const check = (name: string, isThreaded: boolean) => ({
    name,
    isThreaded,
    run: async () => {
      begun.push(name);
      if (begun.length === 3) all.resolve(null);
      return isThreaded ? all.promise : null;
    },
  });
  const report = await runChecks({
    ...about,
    limitMs: 5000,
    checks: [check('first', false), check('one', true), check('other', true), check('last', false)],
  });
  expect([report.ok, begun]).toEqual([true, ['first', 'one', 'other', 'last']]);
  expect(report.checks.map(({ name }) => name)).toEqual(begun);
});

it('ends at its time limit, whichever check hangs', async () => {
  const signals: AbortSignal[] = [];
  const report = await runChecks({
    ...about,
    limitMs: 20,
    checks: [
      {
        name: 'hangs',
        run(signal) {
          signals.push(signal);
          return new Promise(() => undefined);
        },
      },
      { name: 'behind it', run: async () => 'fine' },
    ],
  });
  expect(report.checks.map(({ name, ok, detail }) => [name, ok, detail])).toEqual([
    ['hangs', false, 'Timed out after 0.02 s.'],
    ['behind it', false, 'Timed out after 0.02 s.'],
  ]);
  expect(signals[0]?.aborted).toBe(true);
});

it('measures the duration of each check and of the whole', async () => {
  let now = 100;
  const check = (ms: number) => ({
    name: `${ms}`,
    async run() {
      now += ms;
      return null;
    },
  });
  const checks = [check(7), check(20)];
  const report = await runChecks({ ...about, limitMs: 5000, clock: () => now, checks });
  expect([...report.checks.map(({ took }) => took), report.took]).toEqual([7, 20, 27]);
  expect(report.ok).toBe(true);
});
