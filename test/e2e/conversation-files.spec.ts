import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';

test.use({ demoSpeed: 20 });

const list = (app: Page) => app.getByRole('navigation', { name: 'Conversations' });
const row = (app: Page, name: string) => list(app).getByRole('button', { name, exact: true });

/** Opens the row's menu by key, and takes items by their names. */
async function take(app: Page, name: string, ...items: string[]): Promise<void> {
  await row(app, name).focus();
  await app.keyboard.press('Shift+F10');
  for (const item of items) await app.getByRole('menuitem', { name: item, exact: true }).click();
}

test('pins, files, archives, exports and imports conversations', async ({ app }) => {
  await chooseModel(app, 'demo-echo');
  for (const question of ['About lakes', 'About rivers']) {
    await app.getByRole('button', { name: 'New conversation' }).click();
    await sendMessage(app, question);
    await expect(answers(app).first()).toContainText(question);
    await expect(runButton(app)).toBeVisible();
  }
  await take(app, 'About lakes', 'Pin');
  await expect(list(app).getByRole('heading', { name: 'Pinned' })).toBeVisible();
  await take(app, 'About rivers', 'Move to folder', 'New folder…');
  await app.getByRole('textbox', { name: 'Folder name' }).fill('Water');
  await app.keyboard.press('Enter');
  await expect(list(app).getByRole('button', { name: 'Water 1' })).toBeVisible();

  const downloading = app.waitForEvent('download');
  await take(app, 'About rivers', 'Export', 'JSON (complete, with media)');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^about-rivers-.*\.json$/);
  const file = await readFile(await download.path());

  await take(app, 'About rivers', 'Archive');
  await expect(row(app, 'About rivers')).toBeHidden();
  await app.reload();
  await list(app).getByRole('button', { name: 'Archived' }).click();
  await expect(row(app, 'About rivers')).toBeVisible();
  await take(app, 'About rivers', 'Delete');
  await expect(row(app, 'About rivers')).toBeHidden();

  const chooser = app.getByLabel('Conversations to import');
  await chooser.setInputFiles({
    name: 'bad.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{}'),
  });
  await expect(list(app).getByRole('alert')).toContainText(
    'Gatehouse doesn’t know the format of this file.',
  );
  await chooser.setInputFiles({ name: 'rivers.json', mimeType: 'application/json', buffer: file });
  await expect(list(app).getByText('1 conversation imported')).toBeVisible();
  await expect(list(app).getByRole('alert')).toBeHidden();
  await expect(row(app, 'About rivers')).toHaveAttribute('aria-current', 'true');
  await expect(list(app).getByRole('button', { name: 'Water 1' })).toBeVisible();
  await expect(answers(app).first()).toContainText('About rivers');
  // The figures come with the answer.
  await expect(answers(app).first().getByText('Total time', { exact: true })).toBeVisible();
  await sendMessage(app, 'More');
  await expect(answers(app).last()).toContainText('More');
});
