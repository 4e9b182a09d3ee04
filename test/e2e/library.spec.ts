import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { result } from './fixtures/panel-results.ts';

test.use({ demoSpeed: 20 });

const openPanel = (app: Page, name: string) => app.getByRole('link', { name, exact: true }).click();

async function draw(app: Page, prompt: string): Promise<void> {
  await openPanel(app, 'Image');
  await app.getByRole('textbox', { name: 'Prompt' }).fill(prompt);
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result(app).getByRole('button', { name: 'Open image' })).toBeVisible();
}

test('finds, renames, deletes and restores results and added files', async ({ app }) => {
  await draw(app, 'A gatehouse in the rain');
  await openPanel(app, 'Library');
  await app
    .getByLabel('Add files files')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') });
  const grid = app.getByRole('list', { name: 'Media' });
  const details = app.getByRole('complementary', { name: 'Details' });
  await expect(grid.getByRole('button')).toHaveCount(2);
  await expect(details.getByRole('heading', { name: 'notes.txt' })).toBeVisible();
  await expect(details.getByRole('table', { name: 'Facts' })).toContainText('Upload');

  await app.getByRole('searchbox', { name: 'Search library' }).fill('gatehouse rain');
  await expect(grid.getByRole('button')).toHaveCount(1);
  await grid.getByRole('button', { name: /^Show A gatehouse in the rain/i }).click();
  await expect(details.getByRole('heading', { name: /^A gatehouse in the rain/ })).toBeVisible();

  const name = details.getByRole('textbox', { name: 'Name' });
  await name.fill('Gate');
  await name.press('Enter');
  await expect(details.getByRole('heading', { name: 'Gate.png' })).toBeVisible();
  await expect(details.getByRole('region', { name: 'Source' })).toContainText(
    'A gatehouse in the rain',
  );
  await details.getByRole('button', { name: 'Delete' }).click();
  await expect(grid.getByRole('button')).toHaveCount(0);
  await expect(app.getByText('No matching files')).toBeVisible();
  await expect(app.getByRole('button', { name: 'Undo' })).toBeFocused();
  await app.getByRole('button', { name: 'Undo' }).click();
  await expect(grid.getByRole('button', { name: 'Show Gate.png' })).toBeFocused();
  await expect(details.getByRole('heading', { name: 'Gate.png' })).toBeVisible();
  await details.getByRole('button', { name: 'Open in Image' }).click();
  await expect(app.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A gatehouse in the rain');
});
