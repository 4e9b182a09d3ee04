import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import {
  type BrowserHostProcess,
  startBrowserHostProcess,
} from './fixtures/browser-host-process.ts';
import {
  answers,
  chooseModel,
  messageBox,
  openAddress,
  runButton,
  sendMessage,
} from './fixtures/chat-page.ts';
import { test as base } from './fixtures/gateway-app.ts';
import type { GatewayCall, ScriptedGateway } from './fixtures/scripted-gateway.ts';

const test = base.extend<{ disk: string; small: BrowserHostProcess }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  disk: async ({}, use, testInfo) => {
    const disk = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
    const mounted = run('mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk);
    testInfo.skip(!mounted, 'A small disk can be mounted on Linux as root only.');
    if (mounted) {
      await use(disk);
      run('umount', disk);
    }
    rmdirSync(disk);
  },
  /** Replaces the usual host by one on the small disk. */
  small: async ({ host, disk, hostEnvironment }, use) => {
    await host.stop();
    const small = await startBrowserHostProcess({ home: disk, environment: hostEnvironment });
    await use(small);
    await small.stop();
  },
});

/** Starts to stream an answer on the small disk. */
async function beginAnswer(
  app: Page,
  small: BrowserHostProcess,
  gateway: ScriptedGateway,
): Promise<GatewayCall> {
  await openAddress(app, small.address);
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Fill it');
  const call = await gateway.nextCall();
  await call.say('Before. ');
  await expect(answers(app)).toContainText('Before.');
  return call;
}

/** Equal events would fit on a full disk, because they are stored compressed. */
async function sendNoise(call: GatewayCall): Promise<void> {
  for (let count = 0; count < 100; count += 1) {
    const note = randomBytes(1000).toString('base64');
    await call.frame(JSON.stringify({ choices: [], note }));
  }
}

/** Writes until nothing more fits, whatever Gatehouse writes meanwhile. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch (cause) {
    if (!(cause instanceof Error) || !cause.message.startsWith('ENOSPC')) throw cause;
  } finally {
    closeSync(file);
  }
}

test('reports a full disk, continues the answer, and saves it once there is room', async ({
  app,
  small,
  disk,
  hostEnvironment,
  gateway,
}) => {
  const call = await beginAnswer(app, small, gateway);

  const filler = join(disk, 'filler');
  fill(filler);
  await sendNoise(call);
  await call.say('During. ');
  await expect(answers(app)).toContainText('Before. During.');
  await expect(app.getByRole('alert').first()).toContainText(/disk is full/);

  rmSync(filler);
  await call.say('After.');
  await call.finish();
  await expect(answers(app).getByText('Before. During. After.', { exact: true })).toBeVisible();
  await expect(runButton(app)).toBeVisible();
  await small.stop();
  const again = await startBrowserHostProcess({ home: disk, environment: hostEnvironment });
  try {
    await openAddress(app, again.address);
    const list = app.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('button', { name: 'Fill it', exact: true }).click();
    await expect(answers(app).getByText('Before. During. After.', { exact: true })).toBeVisible();
  } finally {
    await again.stop();
  }
});

test("doesn't send a run that can't be recorded, and says why", async ({
  app,
  small,
  disk,
  gateway,
}) => {
  await openAddress(app, small.address);
  await chooseModel(app, 'steady-model');
  fill(join(disk, 'filler'));
  // SQLite's log has some room left; use it up.
  const long = 'word '.repeat(40_000);
  await sendMessage(app, long);
  await expect(app.getByRole('alert').first()).toContainText(/disk is full/);
  await expect(app.getByRole('alert').first()).toContainText(/Free some space/);
  await expect(messageBox(app)).toHaveValue(long);
  // Besides the unsaved draft, the request was refused.
  await expect(runButton(app)).toBeEnabled();
  expect(gateway.calls).toHaveLength(0);

  rmSync(join(disk, 'filler'));
  await runButton(app).click();
  const call = await gateway.nextCall();
  await call.say('Now it fits');
  await call.finish();
  await expect(answers(app)).toContainText('Now it fits');
  expect(gateway.calls).toHaveLength(1);
});

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}
