import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';

test('streams an answer from the demo gateway without a key or setup', async ({ app }) => {
  await expect(app.getByRole('link', { name: 'Chat' })).toHaveAttribute('aria-current', 'page');
  await expect(app.getByRole('combobox', { name: 'Connection' })).toContainText('Demo');
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');

  await app.getByRole('textbox', { name: 'Message', exact: true }).fill('Tell me a story');
  await app.getByRole('button', { name: 'Run', exact: true }).click();

  const conversation = app.getByRole('log', { name: 'Conversation' });
  await expect(conversation.getByRole('article', { name: 'user' })).toContainText(
    'Tell me a story',
  );
  const answer = conversation.getByRole('article', { name: 'assistant' });
  await expect(answer.getByRole('heading').first()).toBeVisible();
  await expect(app.getByRole('button', { name: 'Stop' })).toBeVisible();

  await expect(app.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  await expect(answer.locator('pre').first()).toBeVisible();
  await expect(answer.getByRole('table').first()).toBeVisible();
  await expect(answer).toContainText('demo-story');
  await expect(answer).toContainText(/tokens/);
});
