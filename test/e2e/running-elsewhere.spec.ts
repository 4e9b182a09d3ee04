import { expect } from '@playwright/test';
import { answers, chooseModel, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

test('shows a run in every panel, and stops it in History', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Far away');
  const call = await gateway.nextCall();
  const answer = answers(app);
  await expect(answer).toContainText(/Waiting for first token… \d+\.\d s/);
  await call.say('It was ');
  await expect(answer).toContainText(/Streaming · \d+\.\d s/);
  await expect(answer).toContainText(/no data for [2-9] s/);

  const list = app.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('button', { name: 'New conversation' }).click();
  await expect(list.getByRole('img', { name: 'Running' })).toBeVisible();

  await app.getByRole('link', { name: 'History' }).click();
  const rail = app.getByRole('navigation', { name: 'Panels' });
  await expect(rail.getByRole('link', { name: 'Chat' })).toHaveAccessibleDescription('1 running');
  const record = app.getByRole('article', { name: 'Run' });
  await expect(record.getByRole('region', { name: 'Recorded response' })).toContainText('It was');
  await call.say('a dark night');
  await expect(record.getByRole('region', { name: 'Recorded response' })).toContainText(
    'It was a dark night',
  );
  await record.getByRole('button', { name: 'Stop', exact: true }).click();
  await call.closedAt;
  await expect(record.getByText('Stopped', { exact: true })).toBeVisible();
  await expect(rail.getByRole('link', { name: 'Chat' })).toHaveAccessibleDescription('');
});
