import { expect, type Locator } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, runButton } from './fixtures/chat-page.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

/** Presses `control` and expects the note beside it. */
async function expectSaidAt(control: Locator, words: string): Promise<void> {
  await control.click();
  const note = control.page().getByRole('note').filter({ hasText: words });
  await expect(note).toBeVisible();
  const [said, pressed] = [await note.boundingBox(), await control.boundingBox()];
  if (said === null || pressed === null) throw new Error('It is not shown.');
  const distance = Math.max(said.y - pressed.y - pressed.height, pressed.y - said.y - said.height);
  expect(distance).toBeGreaterThanOrEqual(0);
  expect(distance).toBeLessThan(12);
  expect(said.x).toBeLessThan(pressed.x + pressed.width);
  expect(said.x + said.width).toBeGreaterThan(pressed.x);
}

test('shows “Copied” and “Saved” beside the button that was pressed', async ({ app }) => {
  await app.getByRole('list', { name: 'Examples' }).getByRole('button', { name: /story/i }).click();
  await expect(answers(app).getByRole('button', { name: 'Details' })).toBeVisible();
  await answers(app).hover();
  const copy = answers(app).getByRole('button', { name: 'Copy', exact: true });
  await expectSaidAt(copy, 'Copied');

  await openPanel(app, 'Image');
  await app.getByRole('list', { name: 'Examples' }).getByRole('button').first().click();
  const download = app
    .getByRole('region', { name: 'Result' })
    .getByRole('button', { name: 'Download', exact: true });
  await expect(download).toBeEnabled();
  const file = app.waitForEvent('download');
  await expectSaidAt(download, 'Download started');
  await file;
});

test('shows what was saved beside the field, and keeps the focus there', async ({ app }) => {
  await app.getByRole('list', { name: 'Examples' }).getByRole('button').first().click();
  await expect(answers(app).getByRole('button', { name: 'Details' })).toBeVisible();
  const question = app.getByRole('article', { name: 'user', exact: true });
  await question.hover();
  await question.getByRole('button', { name: 'Edit' }).click();
  await app.getByRole('textbox', { name: 'Edit message' }).fill('Another question');
  await app.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(app.getByRole('textbox', { name: 'Edit message' })).toBeHidden();
  await expect(question).toContainText('Another question');
  await expect(runButton(app)).toBeVisible();

  await openPanel(app, 'Completion');
  await app.getByRole('button', { name: 'Presets' }).click();
  const presets = app.getByRole('dialog', { name: 'Completion presets' });
  await presets.getByRole('textbox', { name: 'Save parameters as' }).fill('Short');
  await presets.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(presets.getByRole('list', { name: 'Presets' }).getByText('Short')).toBeVisible();
  await app.keyboard.press('Escape');
  await expect(app.getByRole('button', { name: 'Presets' })).toBeFocused();

  await openPanel(app, 'Console');
  await app.getByRole('button', { name: 'Save request' }).click();
  await app.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
  await app.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = app.getByRole('region', { name: 'Saved requests' });
  await expect(saved.getByRole('button', { name: /^Mine / })).toBeVisible();
  await expect(app.getByRole('button', { name: 'Save request' })).toBeFocused();
});
