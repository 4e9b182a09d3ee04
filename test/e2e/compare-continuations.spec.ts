import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { checkComparison, startComparing } from './fixtures/compared.ts';

test.use({ demoSpeed: 20 });

test('shows what the continuations of one prompt share, and any two side by side', async ({
  app,
}) => {
  await app.getByRole('link', { name: 'Completion', exact: true }).click();
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Once upon a time');
  await app.getByRole('spinbutton', { name: 'Max tokens' }).fill('60');
  const editor = await startComparing(app, 'demo-story');
  await editor.getByRole('spinbutton', { name: 'Max tokens' }).fill('30');
  await app.keyboard.press('Escape');
  await app.getByRole('button', { name: 'Prompts: 1' }).click();
  await app.getByRole('textbox', { name: 'More prompts' }).fill('At the gate');
  await app.keyboard.press('Escape');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  const comparison = app.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByText('4 of 4 requests done')).toBeVisible();

  const compared = comparison.getByRole('region', { name: 'Continuations compared' });
  const shared = compared.getByText(/^Common prefix: \d+ words\. /);
  await expect(shared).toBeVisible();
  await checkComparison(app, 'completion');
  // The shorter answer is all shared text, so only the other one has a marked rest.
  const marks = (name: string) =>
    comparison
      .getByRole('article', { name, exact: true })
      .locator('[class*=continuation]')
      .filter({ hasText: /\S/ });
  const longer = 'demo-story, Once upon a time';
  const shorter = 'demo-story · max_tokens 30, Once upon a time';
  await expect(marks(longer)).not.toHaveCount(0);
  await expect(marks(shorter)).toHaveCount(0);
  const continued = (await marks(longer).last().textContent()) ?? '';
  await expect(comparison.getByText(continued, { exact: true })).toHaveCount(1);
  await compared.getByRole('combobox', { name: 'Prompt to compare' }).selectOption('At the gate');
  await expect(shared).toBeVisible();
  await compared.getByRole('switch', { name: 'Common prefix' }).press('Space');
  await expect(shared).toBeHidden();
  await expect(comparison.locator('[class*=continuation]').filter({ hasText: /\S/ })).toHaveCount(
    0,
  );

  await compared.getByRole('button', { name: 'Compare two' }).press('Enter');
  const dialog = app.getByRole('dialog', { name: 'Compare two continuations' });
  await expect(dialog.getByText(/^\+0 −\d+ words$/)).toBeVisible();
  await expectNothing(app, 'completion: two continuations');
  await dialog.getByRole('combobox', { name: 'First' }).selectOption('demo-story · max_tokens 30');
  await dialog.getByRole('combobox', { name: 'Second' }).selectOption('demo-story');
  await expect(dialog.getByText(/^\+\d+ −0 words$/)).toBeVisible();
  await app.keyboard.press('Escape');
  await expect(compared.getByRole('button', { name: 'Compare two' })).toBeFocused();
});
