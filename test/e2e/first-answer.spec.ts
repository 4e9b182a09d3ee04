import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, messageBox, runButton, sendMessage } from './fixtures/chat-page.ts';
import { jsonReply, startScriptedGateway } from './fixtures/scripted-gateway.ts';

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

test('the demo answers with one click', async ({ app }) => {
  const clicks = await countClicks(app);
  await app
    .getByRole('log', { name: 'Conversation' })
    .getByRole('button', { name: /story/i })
    .first()
    .click();
  await expect(answers(app).first()).not.toBeEmpty();
  await expect(answers(app).getByRole('heading').first()).toBeVisible();
  expect(await clicks()).toBe(1);
});

test('a new gateway answers after base URL, key, Save, typing and Run', async ({ app }) => {
  const gateway = await startScriptedGateway({ models: ['only-model'] });
  try {
    const clicks = await countClicks(app);
    await app.getByRole('button', { name: 'Connect your gateway' }).click();
    const dialog = app.getByRole('dialog', { name: 'Add connection' });
    await expect(dialog.getByRole('textbox', { name: 'Base URL' })).toBeFocused();

    await app.keyboard.type(gateway.url);
    await dialog.getByLabel('API key').click();
    await app.keyboard.type(gateway.key);
    await dialog.getByRole('button', { name: 'Save' }).click();
    // The message has the focus, so nothing is clicked in between.
    await expect(messageBox(app)).toBeFocused();
    await app.keyboard.type('Hello');
    await runButton(app).click();

    const call = await gateway.nextCall();
    expect(call.body.model).toBe('only-model');
    expect(call.request).toContain(`Authorization: Bearer ${gateway.key}`);
    await call.say('Hello to you.');
    await call.finish();
    await expect(answers(app)).toContainText('Hello to you.');
    // Connect, the key field, Save, Run.
    expect(await clicks()).toBe(4);
  } finally {
    await gateway.close();
  }
});

test('opens the model picker after Save if no model can be chosen for the user', async ({
  app,
}) => {
  const gateway = await startScriptedGateway({ models: ['large', 'small', 'small-fast'] });
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
      .toEqual([/^large/, /^small/, /^small-fast/].map((text) => expect.stringMatching(text)));
    await app.keyboard.type('fast');
    await expect(models(app).first()).toHaveText(/^small-fast/);
    await expect(models(app).last()).toHaveText('Use “fast” as model ID');
    await app.keyboard.press('Enter');
    await expect(model(app)).toHaveValue('small-fast');
    await sendMessage(app, 'Hello');
    const call = await gateway.nextCall();
    expect(call.body.model).toBe('small-fast');
    await call.finish();
  } finally {
    await gateway.close();
  }
});

test('a rejected key keeps the dialog open until it is right', async ({ app }) => {
  const gateway = await startScriptedGateway({ models: ['only-model'] });
  try {
    gateway.answerList(jsonReply('401 Unauthorized', { error: { message: 'Bad token' } }));
    await app.getByRole('button', { name: 'Connect your gateway' }).click();
    const dialog = app.getByRole('dialog', { name: 'Add connection' });
    await dialog.getByRole('textbox', { name: 'Base URL' }).fill(gateway.url);
    await dialog.getByLabel('API key').fill('sk-wrong-0123456789');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('alert')).toContainText(/key/i);
    gateway.answerList(jsonReply('200 OK', { data: [{ id: 'only-model' }] }));
    await dialog.getByLabel('API key').fill(gateway.key);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(model(app)).toHaveValue('only-model');
    await expect(messageBox(app)).toBeFocused();
  } finally {
    await gateway.close();
  }
});
