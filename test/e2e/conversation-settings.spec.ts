import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

const model = (app: Page) => app.getByRole('combobox', { name: 'Model' });
const temperature = (app: Page) =>
  app.getByRole('spinbutton', { name: 'Temperature', exact: true });
const choices = (app: Page) => app.getByRole('spinbutton', { name: 'Choices (n)', exact: true });
const conversation = (app: Page, title: string) =>
  app.getByRole('navigation', { name: 'Conversations' }).getByText(title);

test('a conversation restores its model and parameters; a new one has the defaults', async ({
  app,
}) => {
  test.setTimeout(120_000);
  await chooseModel(app, 'demo-echo');
  await temperature(app).fill('0.3');
  await choices(app).fill('2');
  await sendMessage(app, 'First talk');
  await expect(app.getByRole('group', { name: 'Choice 2' })).toContainText('First talk');
  await expect(runButton(app)).toBeVisible();
  await expect(temperature(app)).toHaveValue('0.3');

  await app.getByRole('button', { name: 'New conversation' }).click();
  await expect(model(app)).toHaveValue('demo-echo');
  await expect(temperature(app)).toHaveValue('');
  await expect(choices(app)).toHaveValue('');
  await chooseModel(app, 'demo-story-fast');
  await sendMessage(app, 'Second talk');
  await expect(answers(app)).toHaveCount(1);

  await conversation(app, 'First talk').click();
  await expect(model(app)).toHaveValue('demo-echo');
  await expect(temperature(app)).toHaveValue('0.3');
  await expect(choices(app)).toHaveValue('2');

  await app.reload();
  await expect(model(app)).toHaveValue('demo-echo');
  await expect(temperature(app)).toHaveValue('0.3');
  await app.getByRole('button', { name: 'New conversation' }).click();
  await expect(model(app)).toHaveValue('demo-story-fast');

  await openPanel(app, 'History');
  await app
    .getByRole('option', { name: /First talk/ })
    .or(app.getByText('First talk'))
    .first()
    .click();
  await app.getByRole('button', { name: 'Open conversation' }).click();
  await expect(model(app)).toHaveValue('demo-echo');
  await expect(temperature(app)).toHaveValue('0.3');

  for (const [title, usedModel, usedTemperature] of [
    ['Second talk', 'demo-story-fast', ''],
    ['First talk', 'demo-echo', '0.3'],
  ] as const) {
    await app.keyboard.press('ControlOrMeta+k');
    await expect(app.getByRole('combobox', { name: 'Command' })).toBeFocused();
    await app.keyboard.type(title);
    await expect(
      app.getByRole('listbox', { name: 'Commands' }).getByRole('option').first(),
    ).toContainText(title);
    await app.keyboard.press('Enter');
    await expect(model(app)).toHaveValue(usedModel);
    await expect(temperature(app)).toHaveValue(usedTemperature);
  }
});
