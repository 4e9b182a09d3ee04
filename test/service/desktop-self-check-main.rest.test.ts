/** Runs the desktop's `--self-check` from its main module to the exit code. */
import { existsSync, readdirSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SELF_CHECK_FLAG } from '../../electron/launch/options.ts';
import { startMain } from '../fixtures/electron/desktop-under-test.ts';
import { connect } from '../fixtures/electron/page.ts';
import type { StandIn } from '../fixtures/electron/stand-in.ts';

/** Starts a self-check while another Gatehouse uses the data folder. */
async function startCheck(prepare: (electron: StandIn) => void = () => undefined) {
  process.argv.push(SELF_CHECK_FLAG);
  onTestFinished(() => void process.argv.splice(process.argv.indexOf(SELF_CHECK_FLAG), 1));
  // A busy machine could exceed the time limit, which another test covers.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  return startMain({
    prepare(electron) {
      electron.app.lockIsFree = false;
      prepare(electron);
    },
  });
}

test('prints one JSON document and exits with 0, without touching the data of an open Gatehouse', async () => {
  const desktop = await startCheck();
  const { app } = desktop.electron;
  await desktop.opened();
  const scratch = app.getPath('userData');
  expect(existsSync(scratch)).toBe(true);
  await connect(desktop);
  expect(await app.exited).toBe(0);
  const [document, ...more] = desktop.printed;
  expect(more).toEqual([]);
  const report = JSON.parse(document ?? '');
  expect(report.checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  expect(report).toMatchObject({
    ok: true,
    host: 'desktop',
    versions: { node: expect.anything() },
  });
  expect([readdirSync(desktop.home), existsSync(scratch)]).toEqual([[], false]);
});

test('exits with 1 and reports why if its page fails to load', async () => {
  const desktop = await startCheck(({ protocol }) => {
    protocol.load = async () => {
      throw new Error('the handler threw');
    };
  });
  expect(await desktop.electron.app.exited).toBe(1);
  const { ok, checks } = JSON.parse(desktop.printed.join(''));
  expect(ok).toBe(false);
  expect(checks.at(-1)).toMatchObject({
    name: 'window opens and page connects',
    ok: false,
    detail: expect.stringContaining('ERR_FAILED'),
  });
});
