import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, sendButton } from './fixtures/chat-page.ts';

test.use({ demoSpeed: 20 });

test('gets an answer from the demo gateway with one click, without a key or setup', async ({
  app,
}) => {
  await expect(app.getByRole('link', { name: 'Chat' })).toHaveAttribute('aria-current', 'page');
  await expect(app.getByRole('combobox', { name: 'Connection' })).toContainText('Demo');
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');

  const conversation = app.getByRole('log', { name: 'Conversation' });
  await conversation.getByRole('button', { name: /story/i }).first().click();
  await expect(conversation.getByRole('article', { name: 'user' })).toContainText(/story/i);
  const answer = answers(app);
  await expect(answer.getByRole('heading').first()).toBeVisible();

  await expect(sendButton(app)).toBeVisible();
  await expect(answer.locator('pre').first()).toBeVisible();
  await expect(answer.getByRole('table').first()).toBeVisible();
  await expect(answer).toContainText('demo-story');
  await expect(answer).toContainText(/tokens/);
});
