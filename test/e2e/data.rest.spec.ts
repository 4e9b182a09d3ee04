import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { startBrowserHostProcess } from './fixtures/browser-host-process.ts';
import {
  answers,
  chooseModel,
  openAddress,
  sendButton,
  sendMessage,
} from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { openPanel } from './fixtures/settings-page.ts';

async function openData(app: Page): Promise<void> {
  await openPanel(app, 'Settings');
  await app.getByRole('link', { name: 'Data', exact: true }).click();
}

test('saves a backup, deletes everything, and restores it after a restart', async ({
  app,
  home,
  host,
  hostEnvironment,
  gateway,
}, testInfo) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Worth keeping');
  const call = await gateway.nextCall();
  await call.say('Kept in a backup');
  await call.finish();
  await expect(sendButton(app)).toBeVisible();

  await openData(app);
  const downloading = app.waitForEvent('download');
  await app.getByRole('button', { name: 'Back up' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^gatehouse-[\d-]+\.tar$/);
  const file = join(testInfo.outputDir, 'backup.tar');
  await download.saveAs(file);
  await expect(app.getByText(`Saved as ${download.suggestedFilename()}`)).toBeVisible();

  await app.getByRole('button', { name: 'Delete everything' }).click();
  const deletion = app.getByRole('alertdialog', { name: 'Delete everything?' });
  await expect(deletion).toContainText('1 run, 1 conversation');
  await deletion.getByRole('button', { name: 'Delete' }).click();
  await expect(app.getByText('0 conversations', { exact: true })).toBeVisible();
  await openPanel(app, 'Chat');
  await expect(app.getByText('Worth keeping')).toHaveCount(0);

  await openData(app);
  await app.getByLabel('Backup to restore').setInputFiles(file);
  const question = app.getByRole('alertdialog', { name: 'Replace all data with this backup?' });
  await expect(question.getByRole('row', { name: 'Conversations 0 1' })).toBeVisible();
  await question.getByRole('button', { name: 'Replace data' }).click();
  await expect(app.getByRole('button', { name: 'Cancel restore' })).toBeVisible();
  await host.stop();

  const restarted = await startBrowserHostProcess({ home, environment: hostEnvironment });
  try {
    await openAddress(app, restarted.address);
    const notice = app.getByRole('status').filter({ hasText: /^The backup of .* was restored\./ });
    await expect(notice).toContainText('Enter the keys of your connections again.');
    // The demo gateway listens on another port after each start.
    await openPanel(app, 'Settings');
    const demo = app.getByRole('listitem', { name: 'Demo', exact: true });
    await expect(demo).toContainText(/http:\/\/127\.0\.0\.1:\d+/);
    await openPanel(app, 'Chat');
    await app.getByRole('navigation', { name: 'Conversations' }).getByText('Worth keeping').click();
    await expect(answers(app)).toContainText('Kept in a backup');
  } finally {
    await restarted.stop();
  }
});
