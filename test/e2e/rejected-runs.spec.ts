import { expect, type Page } from '@playwright/test';
import { answers, chooseModel, messageBox, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

const temperature = (app: Page) => app.getByRole('spinbutton', { name: 'Temperature' });

async function breakTemperature(app: Page): Promise<void> {
  await temperature(app).fill('9');
  await temperature(app).blur();
  await app.getByRole('button', { name: 'Parameters' }).click();
  await expect(temperature(app)).toHaveCount(0);
}

test('a rejected run shows why where it was started, and opens the field', async ({
  app,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  await breakTemperature(app);
  await messageBox(app).fill('Hello');
  await messageBox(app).press('ControlOrMeta+Enter');
  const alert = app.getByRole('alert').filter({ hasText: 'Temperature' });
  await expect(alert).toBeVisible();
  await expect(temperature(app)).toBeFocused();
  await temperature(app).fill('1');
  await expect(alert).toHaveCount(0);
  await runButton(app).click();
  const call = await gateway.nextCall();
  expect(call.body).toMatchObject({ temperature: 1 });
  await call.say('Hi');
  await call.finish();
});

test('Retry with an invalid parameter does the same', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Hello');
  const call = await gateway.nextCall();
  await call.say('Hi');
  await call.finish();
  await expect(answers(app)).toContainText('Total');
  await breakTemperature(app);
  await answers(app).hover();
  await answers(app).getByRole('button', { name: 'Retry' }).click();
  await expect(app.getByRole('alert').filter({ hasText: 'Temperature' })).toBeVisible();
  await expect(temperature(app)).toBeFocused();
  expect(gateway.calls).toHaveLength(1);
});

test('Run without a message focuses the message', async ({ app }) => {
  await chooseModel(app, 'steady-model');
  await runButton(app).click({ force: true });
  await expect(app.getByRole('alert').filter({ hasText: 'message first' })).toBeVisible();
  await expect(messageBox(app)).toBeFocused();
});
