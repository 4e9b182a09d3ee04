import { expect, type Page } from '@playwright/test';
import { connectionPresets } from '../../shared/connection-presets.ts';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { answers, messageBox } from './fixtures/chat-page.ts';
import {
  jsonReply,
  type ScriptedGateway,
  startScriptedGateway,
} from './fixtures/scripted-gateway.ts';
import { openPanel } from './fixtures/settings-page.ts';
import { tabTo } from './fixtures/tab-to.ts';

/** Starts counting pointer presses, and returns a function that reads the count. */
async function countClicks(app: Page): Promise<() => Promise<number>> {
  const seen = await app.evaluateHandle(() => {
    const counted = { clicks: 0 };
    const count = () => {
      counted.clicks += 1;
    };
    window.addEventListener('pointerdown', count, { capture: true });
    return counted;
  });
  return () => seen.evaluate(({ clicks }) => clicks);
}

/** Sends a message from the focused composer in Chat, and answers it as the gateway. */
async function expectFirstAnswer(app: Page, gateway: ScriptedGateway): Promise<void> {
  await expect(messageBox(app)).toBeFocused();
  await app.keyboard.type('Hello');
  await app.keyboard.press('Enter');
  const call = await gateway.nextCall();
  expect(call.body.model).toBe('only-model');
  expect(call.request).toContain(`Authorization: Bearer ${gateway.key}`);
  await call.say('Hello to you.');
  await call.finish();
  await expect(answers(app)).toContainText('Hello to you.');
}

test('gets an answer after the user adds, tests and saves a new gateway', async ({ app }) => {
  const gateway = await startScriptedGateway({ models: ['only-model'] });
  const other = await startScriptedGateway();
  other.answerList(jsonReply('404 Not Found', { detail: 'Not Found' }));
  try {
    const clicks = await countClicks(app);
    await app.getByRole('button', { name: 'Connect your gateway' }).click();
    const dialog = app.getByRole('dialog', { name: 'Add connection' });
    await expect(dialog.getByRole('textbox', { name: 'Base URL' })).toBeFocused();
    await app.keyboard.type(gateway.url);
    await dialog.getByLabel('API key').click();
    await app.keyboard.type(`Bearer ${gateway.key}`);
    await dialog.getByRole('button', { name: 'Test' }).click();
    const found = dialog.getByRole('status');
    await expect(found).toContainText('lists 1 model');
    await expect(found).toContainText(`GET ${gateway.url}/v1/models · 200`);
    await expect(dialog.getByText('Removed “Bearer”.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectFirstAnswer(app, gateway);
    // The clicks are Connect, the key field, Test and Save.
    expect(await clicks()).toBe(4);

    await openPanel(app, 'Settings');
    await app.getByRole('link', { name: 'Connections', exact: true }).click();
    await app.getByRole('button', { name: /^Edit / }).click();
    const editor = app.getByRole('dialog');
    await editor.getByRole('textbox', { name: 'Name' }).fill('Production');
    await editor.getByRole('textbox', { name: 'Base URL' }).fill(`${other.url}/chat/completions`);
    await editor.getByRole('button', { name: 'Save' }).click();
    await expect(editor.getByRole('status')).toContainText('doesn’t list models');
    await editor.getByRole('button', { name: 'Save anyway' }).click();
    await expect(editor).toBeHidden();
    const row = app.getByRole('listitem', { name: 'Production', exact: true });
    await expect(row).toContainText(other.url);
    // The page must not send a key to an origin that it wasn't entered for.
    await expect(row).toContainText('No key');
    await row.getByRole('button', { name: 'Delete Production' }).click();
    await app.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(row).toHaveCount(0);
    await openPanel(app, 'Chat');
    const picker = app.getByRole('combobox', { name: 'Connection' });
    await expect(picker.getByRole('option')).toHaveText(['Choose…', 'Demo']);
  } finally {
    await Promise.all([gateway.close(), other.close()]);
  }
});

/** Starts a gateway on the first free port that a preset expects. */
async function startPresetGateway() {
  for (const { id, baseUrl } of connectionPresets) {
    const url = new URL(baseUrl);
    if (url.hostname !== 'localhost' || url.port === '') continue;
    const options = { models: ['only-model'], port: Number(url.port) };
    const gateway = await startScriptedGateway(options).catch(() => null);
    if (gateway !== null) return { id, gateway };
  }
  throw new Error('Another server listens on the port of every preset.');
}

test('gets answers from two models of a preset gateway using only the keyboard', async ({
  app,
}) => {
  const { id, gateway } = await startPresetGateway();
  try {
    const clicks = await countClicks(app);
    const connect = app.getByRole('button', { name: 'Connect your gateway' });
    await connect.focus();
    await app.keyboard.press('Enter');
    const dialog = app.getByRole('dialog', { name: 'Add connection' });
    await expect(dialog.getByRole('textbox', { name: 'Base URL' })).toBeFocused();
    await app.keyboard.press('Shift+Tab');
    const preset = dialog.getByRole('combobox', { name: 'Preset' });
    await expect(preset).toBeFocused();
    const name = connectionPresets.find((each) => each.id === id)?.name ?? '';
    await app.keyboard.type(name);
    await app.keyboard.press('Enter');
    await expect(preset).toHaveValue(name);
    await app.keyboard.press('Tab');
    await app.keyboard.press('Tab');
    await expect(dialog.getByLabel('API key')).toBeFocused();
    await app.keyboard.insertText(gateway.key);
    await tabTo(app, dialog.getByRole('button', { name: 'Test' }));
    await app.keyboard.press('Enter');
    await expect(dialog.getByRole('status')).toContainText('lists 1 model');
    await app.keyboard.press('Tab');
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused();
    await app.keyboard.press('Enter');
    await expectFirstAnswer(app, gateway);

    const model = app.getByRole('combobox', { name: 'Model' });
    const models = app.getByRole('listbox', { name: 'Model' });
    await model.press('ArrowDown');
    await expect(models.getByRole('option', { name: /^only-model/ })).toBeVisible();
    await expectNothing(app, 'the open model picker');
    await app.keyboard.type('demo-echo');
    await app.keyboard.press('Shift+Enter');
    await expect(models.getByRole('option', { name: /demo-echo.*favorite/ })).toBeVisible();
    await app.keyboard.press('Enter');
    await expect(model).toHaveValue('demo-echo');
    await expect(app.getByRole('combobox', { name: 'Connection' })).toHaveValue('demo');
    expect(await clicks()).toBe(0);
  } finally {
    await gateway.close();
  }
});
