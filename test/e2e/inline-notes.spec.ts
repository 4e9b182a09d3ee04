import { expect, type Locator } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers } from './fixtures/chat-page.ts';
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
