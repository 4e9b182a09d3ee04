import { expect } from '@playwright/test';
import { reply, startWireServer } from '../fixtures/wire-server.ts';
import { chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { jsonReply, startScriptedGateway } from './fixtures/scripted-gateway.ts';
import { addConnection, openPanel } from './fixtures/settings-page.ts';

test('selects the gateway from the environment at start, with its key', async ({
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
  const row = app.getByRole('listitem', { name: 'Environment' });
  await expect(row).toContainText('from GATEHOUSE_API_KEY');
  await expect(row.getByRole('button', { name: /Edit|Delete/ })).toHaveCount(0);
});

test("suggests models from the gateway's list and from earlier runs", async ({ app, gateway }) => {
  const model = app.getByRole('combobox', { name: 'Model' });
  await model.click();
  const list = app.getByRole('listbox', { name: 'Model' });
  await expect(list.getByRole('option')).toHaveText([/steady-model/, /quick-model/]);
  await model.fill('quick');
  await expect(list.getByRole('option')).toHaveText([/quick-model/, 'Use “quick” as model ID']);
  await model.press('Enter');
  await expect(model).toHaveValue('quick-model');

  await model.fill('not-in-the-list');
  await model.press('Enter');
  await sendMessage(app, 'Hello');
  const call = await gateway.nextCall();
  expect(call.body.model).toBe('not-in-the-list');
  await call.finish();
  await expect(runButton(app)).toBeVisible();
  await model.click();
  await expect(list).toContainText('Recent');
  await expect(list.getByRole('option').first()).toContainText('not-in-the-list');
});

test('accepts a gateway without a model list', async ({ app, gateway }) => {
  gateway.answerList(jsonReply('404 Not Found', { error: { message: 'No such path' } }));
  await app.reload();
  await app.getByRole('combobox', { name: 'Model' }).click();
  await expect(app.getByRole('listbox', { name: 'Model' })).toBeVisible();
  await expect(app.getByRole('alert')).toHaveCount(0);
  await app.keyboard.press('Escape');
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Hello');
  await (await gateway.nextCall()).finish();
});

test('a base URL leads to a single /v1, however it ends', async ({ app }) => {
  const other = await startScriptedGateway();
  try {
    for (const ending of ['', '/', '/v1', '/v1/', '/proxy', '/proxy/v1'] as const) {
      await test.step(`“${ending}”`, async () => {
        await addConnection(app, { name: `Ends in “${ending}”`, baseUrl: other.url + ending });
        await openPanel(app, 'Chat');
        await chooseModel(app, 'steady-model');
        await sendMessage(app, 'Hello');
        const call = await other.nextCall();
        const folder = ending.startsWith('/proxy') ? '/proxy' : '';
        expect(call.path).toBe(`${folder}/v1/chat/completions`);
        expect(call.request).not.toMatch(/authorization:/i);
        await call.finish();
      });
    }
  } finally {
    await other.close();
  }
});

test('a connection is added, tested, edited and deleted in Settings', async ({ app, gateway }) => {
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
    await expect(dialog).toBeHidden();
    await edited.getByRole('button', { name: 'Test' }).click();
    await expect(edited).toContainText('a web page');

    await edited.getByRole('button', { name: 'Delete Production' }).click();
    await app.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(edited).toHaveCount(0);
    await openPanel(app, 'Chat');
    const picker = app.getByRole('combobox', { name: 'Connection' });
    await expect(picker.locator('option:checked')).toHaveText(/Environment|Demo/);
    await expect(picker.getByRole('option')).toHaveText(['Demo', 'Environment']);
    expect(gateway.calls).toHaveLength(0);
  } finally {
    await Promise.all([first.close(), second.close(), website.close()]);
  }
});
