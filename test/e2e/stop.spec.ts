import { expect } from '@playwright/test';
import { answers, chooseModel, runButton, sendMessage, stopButton } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

test('Stop closes the upstream socket and keeps the partial answer', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Tell me a story');
  const call = await gateway.nextCall();
  await call.say('Once upon a time');
  const answer = answers(app);
  await expect(answer).toContainText('Once upon a time');
  await stopButton(app).click();
  await call.closedAt;
  await expect(answer).toContainText('Stopped. Partial answer kept.');
  await expect(answer).toContainText('Once upon a time');
  await expect(answer.getByRole('alert')).toHaveCount(0);
  await expect(runButton(app)).toBeVisible();
  await expect(app.getByText('Run stopped.')).toBeAttached();

  await app.getByRole('button', { name: 'Inspect', exact: true }).last().click();
  await expect(app.getByRole('listbox', { name: 'Runs' })).toContainText('Stopped');

  await app.reload();
  await expect(answers(app)).toContainText('Stopped. Partial answer kept.');
  expect(gateway.calls).toHaveLength(1);
});
