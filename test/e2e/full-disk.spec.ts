import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
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
import type { GatewayCall } from './fixtures/scripted-gateway.ts';

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

test('refuses a run on a full disk, and saves an answer once there is room', async ({
  app,
  small,
  disk,
  hostEnvironment,
  gateway,
}) => {
  const filler = join(disk, 'filler');
  const alert = app.getByRole('alert').first();
  await openAddress(app, small.address);
  await chooseModel(app, 'steady-model');
  fill(filler);
  // SQLite's log has some room left; use it up.
  const long = 'word '.repeat(40_000);
  await sendMessage(app, long);
  await expect(alert).toContainText(/disk is full/);
  await expect(alert).toContainText(/Free some space/);
  await expect(messageBox(app)).toHaveValue(long);
  // Besides the unsaved draft, the request was refused.
  await expect(runButton(app)).toBeEnabled();
  expect(gateway.calls).toHaveLength(0);

  rmSync(filler);
  await sendMessage(app, 'Fill it');
  const call = await gateway.nextCall();
  await call.say('Before. ');
  await expect(answers(app)).toContainText('Before.');
  fill(filler);
  await sendNoise(call);
  await call.say('During. ');
  await expect(answers(app)).toContainText('Before. During.');
  await expect(alert).toContainText(/disk is full/);
  rmSync(filler);
  await call.say('After.');
  await call.finish();
  await expect(answers(app).getByText('Before. During. After.', { exact: true })).toBeVisible();
  await expect(runButton(app)).toBeVisible();
  expect(gateway.calls).toHaveLength(1);
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

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}
