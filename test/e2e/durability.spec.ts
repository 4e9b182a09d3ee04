import { expect } from '@playwright/test';
import { answers, chooseModel, openTab, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

test('shows the same answer streaming after a reload in the middle of a stream', async ({
  app,
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

  // Sent while no page is open.
  await app.goto('about:blank');
  await call.say('four ');
  await app.goBack();
  await call.say('five');
  await call.finish();

  await expect(answers(app).getByText('one two three four five', { exact: true })).toBeVisible();
  await expect(runButton(app)).toBeVisible();
  await expect(answers(app)).toHaveCount(1);
  expect(gateway.calls).toHaveLength(1);
});

test('continues without a page, and a new URL shows the whole answer', async ({
  app,
  host,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Count');
  const call = await gateway.nextCall();
  await call.say('one ');
  await expect(answers(app)).toContainText('one');

  const context = app.context();
  const address = await host.freshAddress();
  await app.close();
  await call.say('two ');
  const page = await context.newPage();
  await page.goto(address);
  await expect(answers(page).getByText('one two', { exact: true })).toBeVisible();
  await call.say('three');
  await call.finish();
  await expect(answers(page).getByText('one two three', { exact: true })).toBeVisible();
  await expect(runButton(page)).toBeVisible();
  expect(gateway.calls).toHaveLength(1);
});

test('two tabs watch one run, and either can stop it', async ({ app, host, gateway }) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Count');
  const call = await gateway.nextCall();
  await call.say('one ');
  const other = await openTab(app, await host.freshAddress());
  await expect(answers(other)).toContainText('one');
  await call.say('two');
  for (const page of [app, other]) {
    await expect(answers(page).getByText('one two', { exact: true })).toBeVisible();
  }
  await other.getByRole('button', { name: 'Stop', exact: true }).click();
  await call.closedAt;
  for (const page of [app, other]) await expect(runButton(page)).toBeVisible();
});

test('keeps a character that is split over two network chunks', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Count');
  const call = await gateway.nextCall();
  const data = JSON.stringify({ choices: [{ index: 0, delta: { content: 'naïve 🌊 end' } }] });
  const bytes = Buffer.from(`data: ${data}\n\n`);
  const middle = bytes.indexOf(Buffer.from('🌊')) + 2;
  await call.bytes(bytes.subarray(0, middle));
  await call.bytes(bytes.subarray(middle));
  await call.finish();
  await expect(answers(app).getByText('naïve 🌊 end', { exact: true })).toBeVisible();
});
