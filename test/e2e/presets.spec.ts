import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothingInDialog } from './fixtures/axe.ts';

test.use({ demoSpeed: 20 });

test('saves settings under a name, and applies them from the palette and the dialog', async ({
  app,
}) => {
  await app.getByRole('link', { name: 'Completion' }).click();
  const maxTokens = app.getByRole('spinbutton', { name: 'Max tokens' });
  await maxTokens.fill('12');
  await app.getByRole('button', { name: 'Presets' }).click();
  const dialog = app.getByRole('dialog', { name: 'Completion presets' });
  await dialog.getByRole('textbox', { name: 'Save settings as' }).fill('Short answers');
  await app.keyboard.press('Enter');
  const preset = dialog.getByRole('button', { name: 'Short answers', exact: true });
  await expect(preset).toBeVisible();
  await expectNothingInDialog(app, 'presets');

  await maxTokens.fill('99');
  await app.keyboard.press('ControlOrMeta+k');
  await expect(app.getByRole('combobox', { name: 'Command' })).toBeFocused();
  await app.keyboard.type('apply short');
  await expect(app.getByRole('option', { name: 'Apply Short answers' })).toBeVisible();
  await app.keyboard.press('Enter');
  await expect(maxTokens).toHaveValue('12');

  await maxTokens.fill('50');
  await app.getByRole('button', { name: 'Presets' }).click();
  await dialog.getByRole('button', { name: 'Delete Short answers' }).click();
  await expect(preset).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await preset.click();
  await expect(dialog).toBeHidden();
  await expect(maxTokens).toHaveValue('12');
});
