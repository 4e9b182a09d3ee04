import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

const result = (app: Page) => app.getByRole('region', { name: 'Result' });
const prompt = (app: Page) => app.getByRole('textbox', { name: 'Prompt' });

async function draw(app: Page, words: string): Promise<void> {
  await prompt(app).fill(words);
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result(app).getByText('Succeeded')).toBeVisible();
}

test('generates an image, continues from it, and edits it with a drawn mask', async ({ app }) => {
  await openPanel(app, 'Image');
  await app.getByRole('combobox', { name: 'Aspect ratio' }).fill('16:9');
  await app.getByRole('combobox', { name: 'Image size' }).fill('1K');
  await draw(app, 'A gatehouse in the rain');
  await expect(result(app).getByText('Requested: 16:9 · 1K')).toBeVisible();
  await expect(result(app).getByText(/^PNG · \d+ × \d+ · /)).toBeVisible();
  await result(app).getByRole('button', { name: 'Open image' }).click();
  const view = app.getByRole('dialog', { name: /^a-gatehouse-in-the-rain.*\.png$/ });
  await expect(view.getByRole('status', { name: 'Zoom' })).toBeVisible();
  const download = app.waitForEvent('download');
  await view.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.png$/);
  await app.keyboard.press('Escape');

  await result(app).getByRole('button', { name: 'Continue from here' }).click();
  const turns = app.getByRole('region', { name: 'Conversation so far' });
  await expect(turns.getByText('model', { exact: true })).toBeVisible();
  await draw(app, 'Now at night');
  await app.keyboard.press('ControlOrMeta+J');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  await inspector.getByRole('tab', { name: 'Request' }).click();
  await expect(inspector.getByText(/base64 of .*\.png/).first()).toBeVisible();
  const gallery = app.getByRole('region', { name: 'Gallery' });
  await expect(gallery.getByRole('button')).toHaveCount(2);
  await app.reload();
  await gallery.getByRole('button', { name: 'Show A gatehouse in the rain' }).click();
  await expect(result(app).getByText('Requested: 16:9 · 1K')).toBeVisible();

  await app.getByRole('combobox', { name: 'Format', exact: true }).selectOption('Images');
  await result(app).getByRole('button', { name: 'Attach to prompt' }).click();
  await app.getByRole('button', { name: 'Draw mask' }).click();
  const dialog = app.getByRole('alertdialog', { name: 'Mask' });
  const canvas = dialog.getByRole('img', { name: 'Mask' });
  await expect(dialog.getByRole('img', { name: 'To edit' })).toBeVisible();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('The canvas isn’t shown.');
  await app.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.5);
  await app.mouse.down();
  await app.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.5, { steps: 5 });
  await app.mouse.up();
  await dialog.getByRole('button', { name: 'Use mask' }).click();
  await expect(app.getByRole('button', { name: 'Edit mask' })).toBeFocused();
  await draw(app, 'A sunrise');
  await expect(result(app).getByText(/^Revised prompt: .*A sunrise/)).toBeVisible();
  await expect(inspector.getByText(/\/v1\/images\/edits/).first()).toBeVisible();
  await expect(inspector.getByText(/mask\.png/).first()).toBeVisible();
});
