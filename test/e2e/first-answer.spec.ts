import { expect, type Page } from '@playwright/test';
import { connectionPresets } from '../../shared/connection-presets.ts';
import { test } from './fixtures/app.ts';
import { answers, messageBox, sendMessage } from './fixtures/chat-page.ts';
import { type ScriptedGateway, startScriptedGateway } from './fixtures/scripted-gateway.ts';

const model = (app: Page) => app.getByRole('combobox', { name: 'Model' });
const models = (app: Page) => app.getByRole('listbox', { name: 'Model' }).getByRole('option');

/** Counts pointer presses from now on. */
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

/** Asks something in Chat, where the message has the focus, and answers as the gateway. */
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

test('a new gateway answers after base URL, key, Test, Save and typing', async ({ app }) => {
  const gateway = await startScriptedGateway({ models: ['only-model'] });
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
    await expect(found).toContainText('only-model');
    await expect(found).toContainText(`GET ${gateway.url}/v1/models · 200`);
    await expect(dialog.getByText('Removed “Bearer”.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectFirstAnswer(app, gateway);
    // Connect, the key field, Test, Save.
    expect(await clicks()).toBe(4);
  } finally {
    await gateway.close();
  }
});

/** Starts a gateway where a preset expects it, at the first port that is free. */
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

test('a preset’s gateway answers by keyboard alone', async ({ app }) => {
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
    // Its name, as type-ahead finds it.
    await app.keyboard.type(connectionPresets.find((each) => each.id === id)?.name ?? '');
    await expect(preset).toHaveValue(id);
    await app.keyboard.press('Tab');
    await app.keyboard.press('Tab');
    await expect(dialog.getByLabel('API key')).toBeFocused();
    await app.keyboard.insertText(gateway.key);
    for (const test = dialog.getByRole('button', { name: 'Test' }); ; ) {
      await app.keyboard.press('Tab');
      if (await test.evaluate((button) => button === document.activeElement)) break;
    }
    await app.keyboard.press('Enter');
    await expect(dialog.getByRole('status')).toContainText('lists 1 model');
    await app.keyboard.press('Tab');
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused();
    await app.keyboard.press('Enter');
    await expectFirstAnswer(app, gateway);
    expect(await clicks()).toBe(0);
  } finally {
    await gateway.close();
  }
});

test('opens the model picker after Save if no model can be chosen for the user', async ({
  app,
}) => {
  const gateway = await startScriptedGateway({
    models: ['tts-large', 'tts-small', 'tts-small-fast'],
  });
  try {
    await app.getByRole('button', { name: 'Connect your gateway' }).click();
    const dialog = app.getByRole('dialog', { name: 'Add connection' });
    await dialog.getByRole('textbox', { name: 'Base URL' }).fill(gateway.url);
    await app.keyboard.press('Enter');
    await expect(model(app)).toBeFocused();
    await expect(model(app)).toHaveAttribute('placeholder', 'Choose a model');
    // Models of the other connection follow.
    const texts = async (count: number) => (await models(app).allTextContents()).slice(0, count);
    await expect
      .poll(() => texts(3))
      .toEqual(
        [/^tts-large/, /^tts-small/, /^tts-small-fast/].map((text) => expect.stringMatching(text)),
      );
    await app.keyboard.type('fast');
    await expect(models(app).first()).toHaveText(/^tts-small-fast/);
    await expect(models(app).last()).toHaveText('Use “fast” as model ID');
    await app.keyboard.press('Enter');
    await expect(model(app)).toHaveValue('tts-small-fast');
    await sendMessage(app, 'Hello');
    const call = await gateway.nextCall();
    expect(call.body.model).toBe('tts-small-fast');
    await call.finish();
  } finally {
    await gateway.close();
  }
});
