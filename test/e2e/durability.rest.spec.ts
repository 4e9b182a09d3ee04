import { expect } from '@playwright/test';
import { answers, chooseModel, openTab, sendButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

test('streams the same answer after a reload and in a second tab', async ({
  app,
  host,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Count');
  const call = await gateway.nextCall();
  await call.say('one two ');
  await expect(answers(app).getByText('one two', { exact: true })).toBeVisible();

  await app.reload();
  await expect(answers(app).getByText('one two', { exact: true })).toBeVisible();
  await call.say('three ');
  await expect(answers(app).getByText('one two three', { exact: true })).toBeVisible();

  // The gateway sends this while no page is open.
  await app.goto('about:blank');
  await call.say('four ');
  await app.goBack();
  await call.say('five');
  await call.finish();

  await expect(answers(app).getByText('one two three four five', { exact: true })).toBeVisible();
  await expect(sendButton(app)).toBeVisible();
  await expect(answers(app)).toHaveCount(1);
  expect(gateway.calls).toHaveLength(1);

  // Both tabs watch one run, and either can stop it.
  await app.getByRole('button', { name: 'New conversation' }).click();
  await sendMessage(app, 'Count again');
  const again = await gateway.nextCall();
  await again.say('one ');
  await expect(answers(app)).toContainText('one');
  const other = await openTab(app, await host.freshAddress());
  await expect(answers(other)).toContainText('one');
  await again.say('two');
  for (const page of [app, other]) {
    await expect(answers(page).getByText('one two', { exact: true })).toBeVisible();
  }
  await other.getByRole('button', { name: 'Stop', exact: true }).click();
  await again.closedAt;
  for (const page of [app, other]) await expect(sendButton(page)).toBeVisible();
});
