import { expect } from '@playwright/test';
import {
  answers,
  chooseModel,
  runButton,
  sendButton,
  sendMessage,
  stopButton,
} from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { openPanel } from './fixtures/settings-page.ts';

test('runs two panels at once, lists both runs everywhere, and stops each independently', async ({
  app,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'In the chat');
  const chat = await gateway.nextCall();
  await chat.say('Chat begins ');
  await expect(answers(app)).toContainText('Chat begins');

  await openPanel(app, 'Completion');
  await chooseModel(app, 'quick-model');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Once');
  await runButton(app).click();
  const completion = await gateway.nextCall();
  expect(completion.body).toMatchObject({ model: 'quick-model', prompt: 'Once' });
  await completion.say(' upon');
  await expect(app.getByRole('region', { name: 'Result' })).toContainText('Once upon');
  await stopButton(app).click();
  await completion.closedAt;
  await expect(runButton(app)).toBeVisible();

  await openPanel(app, 'History');
  const link = app.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Chat' });
  await expect(link).toHaveAccessibleDescription('1 running');
  await app.getByRole('option', { name: /In the chat/ }).click();
  const record = app.getByRole('article', { name: 'Run' });
  const response = record.getByRole('region', { name: 'Recorded response' });
  await expect(response).toContainText('Chat begins');
  await chat.say('and ends');
  await expect(response).toContainText('Chat begins and ends');
  await record.getByRole('button', { name: 'Stop', exact: true }).click();
  await chat.closedAt;
  await expect(record.getByText('Stopped', { exact: true })).toBeVisible();
  await expect(link).toHaveAccessibleDescription('');

  // Deleting a conversation must stop the run that answers in it.
  await openPanel(app, 'Chat');
  await expect(answers(app).getByText('Chat begins and ends', { exact: true })).toBeVisible();
  await app.getByRole('button', { name: 'New conversation' }).click();
  await sendMessage(app, 'Doomed');
  const call = await gateway.nextCall();
  await call.say('Something');
  await expect(answers(app)).toContainText('Something');
  const list = app.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('button', { name: 'Actions for Doomed' }).click();
  await app.getByRole('menuitem', { name: 'Delete' }).click();
  await call.closedAt;
  await expect(app.getByText('Something')).toHaveCount(0);
  await expect(app.getByRole('alert')).toHaveCount(0);
  await expect(sendButton(app)).toBeVisible();
});
