import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { removeFolder } from '../fixtures/remove-folder.ts';
import { jsonReply, reply, startWireServer } from '../fixtures/wire-server.ts';
import { answers, chooseModel, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { startScriptedGateway } from './fixtures/scripted-gateway.ts';
import { addConnection, openPanel } from './fixtures/settings-page.ts';

test('the gateway of the environment is selected, and another is added, tested, edited and deleted', async ({
  app,
  gateway,
}) => {
  const picker = app.getByRole('combobox', { name: 'Connection' });
  await expect(picker.locator('option:checked')).toHaveText('Environment');
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Hello');
  const call = await gateway.nextCall();
  expect(call.path).toBe('/v1/chat/completions');
  expect(call.request).toContain(`Authorization: Bearer ${gateway.key}`);
  await call.finish();

  await openPanel(app, 'Settings');
  const fixed = app.getByRole('listitem', { name: 'Environment' });
  await expect(fixed).toContainText('from GATEHOUSE_API_KEY');
  await expect(fixed.getByRole('button', { name: /Edit|Delete/ })).toHaveCount(0);

  const first = await startScriptedGateway({ key: 'sk-first-0123456789' });
  const second = await startScriptedGateway({ models: ['only-model'] });
  const website = await startWireServer(({ send }) =>
    send(reply('200 OK', { 'Content-Type': 'text/html' }, '<!doctype html><h1>Shop</h1>')),
  );
  try {
    await addConnection(app, { name: 'Staging', baseUrl: first.url, key: first.key });
    const row = app.getByRole('listitem', { name: 'Staging', exact: true });
    await expect(row).toContainText('Key ending in 6789');
    await row.getByRole('button', { name: 'Test' }).click();
    await expect(row.getByRole('status')).toContainText('lists 2 models');
    await expect(row.getByRole('status')).toContainText(`GET ${first.url}/v1/models · 200`);

    await row.getByRole('button', { name: 'Edit Staging' }).click();
    const dialog = app.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Production');
    await dialog.getByRole('textbox', { name: 'Base URL' }).fill(second.url);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    const edited = app.getByRole('listitem', { name: 'Production', exact: true });
    await expect(edited).toContainText(second.url);
    // The key was entered for the first origin and isn't sent to another one.
    await expect(edited).toContainText('No key');
    await edited.getByRole('button', { name: 'Test' }).click();
    await expect(edited.getByRole('status')).toContainText('lists 1 model');

    await edited.getByRole('button', { name: 'Edit Production' }).click();
    await dialog.getByRole('textbox', { name: 'Base URL' }).fill(website.url);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toContainText('a web page');
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await expect(dialog).toBeHidden();
    await edited.getByRole('button', { name: 'Test' }).click();
    await expect(edited).toContainText('a web page');

    await edited.getByRole('button', { name: 'Delete Production' }).click();
    await app.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(edited).toHaveCount(0);
    await openPanel(app, 'Chat');
    await expect(picker.locator('option:checked')).toHaveText(/Environment|Demo/);
    await expect(picker.getByRole('option')).toHaveText(['Demo', 'Environment']);
    expect(gateway.calls).toHaveLength(1);
  } finally {
    await Promise.all([first.close(), second.close(), website.close()]);
  }
});

test('a pasted endpoint is cut off, and a gateway without a model list is a caution', async ({
  app,
}) => {
  const unlisted = await startScriptedGateway();
  unlisted.answerList(jsonReply('{"detail":"Not Found"}', '404 Not Found'));
  try {
    await openPanel(app, 'Settings');
    await app.getByRole('link', { name: 'Connections', exact: true }).click();
    await app.getByRole('button', { name: 'Add connection' }).click();
    const dialog = app.getByRole('dialog');
    const baseUrl = dialog.getByRole('textbox', { name: 'Base URL' });
    await baseUrl.fill(`${unlisted.url}/api/v3/chat/completions`);
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Unlisted');
    await expect(baseUrl).toHaveValue(`${unlisted.url}/api/v3`);
    await expect(baseUrl).toHaveAccessibleDescription('Removed /chat/completions.');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog.getByRole('status')).toContainText('doesn’t list models');
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await expect(dialog).toBeHidden();
    const row = app.getByRole('listitem', { name: 'Unlisted', exact: true });
    await expect(row).toContainText('In use');
    const address = `${unlisted.url}/api/v3/models`;
    const result = row.getByRole('status').filter({ hasText: `GET ${address} · 404` });
    await expect(result).toContainText(`doesn’t list models at ${address}`);
    await expect(result).toHaveAttribute('data-ok', 'false');
    await expect(row.getByRole('alert')).toHaveCount(0);
  } finally {
    await unlisted.close();
  }
});

test('asks for a session key where the run is refused after a restart', async ({
  startHost,
  chromiumProcess,
}) => {
  test.skip(chromiumProcess === null, 'The desktop app has a keyring of its own.');
  const gateway = await startScriptedGateway({ models: ['only-model'] });
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-session-key-'));
  /** Starts the host and opens its page. */
  async function start(): Promise<{ app: Page; stop: () => Promise<void> }> {
    const host = await startHost({ home });
    const app = await chromiumProcess?.newPage();
    if (app === undefined) throw new TypeError('Only the browser project has Chromium.');
    await app.goto(host.address);
    return {
      app,
      async stop() {
        await app.close();
        await host.stop();
      },
    };
  }
  try {
    const before = await start();
    await addConnection(before.app, {
      ...{ name: 'Mine', baseUrl: gateway.url, key: gateway.key },
      keep: /session/,
    });
    await before.stop();

    const { app, stop } = await start();
    await chooseModel(app, 'only-model');
    await sendMessage(app, 'Hello');
    const alert = app.getByRole('alert');
    await expect(alert).toContainText('The key was kept for the session only. Enter it again.');
    expect(gateway.calls).toHaveLength(0);
    await alert.getByLabel('Key of Mine').fill(gateway.key);
    await app.keyboard.press('Enter');
    const call = await gateway.nextCall();
    expect(call.request).toContain(`Authorization: Bearer ${gateway.key}`);
    await call.say('Hello again.');
    await call.finish();
    await expect(answers(app)).toContainText('Hello again.');
    await expect(alert).toHaveCount(0);
    await stop();
  } finally {
    await gateway.close();
    removeFolder(home);
  }
});
