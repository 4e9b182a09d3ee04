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

test('starts with examples that run at once, and a way to add a gateway', async ({ app }) => {
  await app.getByRole('button', { name: 'Connect your gateway' }).click();
  const dialog = app.getByRole('dialog', { name: 'Add connection' });
  await expect(dialog.getByRole('textbox', { name: 'Base URL' })).toBeVisible();
  await app.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await app.getByRole('button', { name: 'Call a tool' }).click();
  await expect(app.getByRole('list', { name: 'Tool calls' })).toContainText('get_weather');
  await expect(app.getByRole('button', { name: 'Tools 1' })).toBeVisible();

  await app.getByRole('button', { name: 'New conversation' }).click();
  await app.getByRole('button', { name: 'Answer in JSON' }).click();
  const answer = app.getByRole('article', { name: 'assistant' });
  await expect(answer).toContainText('Matches the JSON schema.');
  await answer.getByRole('button', { name: 'Raw' }).click();
  await expect(answer.getByRole('button', { name: 'Raw' })).toHaveAttribute('aria-pressed', 'true');
});
