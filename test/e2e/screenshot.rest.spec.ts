import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, sendMessage } from './fixtures/chat-page.ts';
import { openColumns } from './fixtures/compared.ts';
import { panelNames, result, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

const FOLDER = 'test/screenshots';
/** Small enough for text to be legible at the width of a README. */
const SIZE = { width: 1280, height: 800 };
const THEMES = ['light', 'dark'] as const;
const MAX_BYTES = 900_000;

// Keep the focus on the page so that no screenshot shows a caret.
test.use({ holdsFocus: false, demoSpeed: 4, pixelRatio: 2 });

test('takes the pictures of README and docs at 2×, light and dark', async ({
  app,
  hostKind,
}, testInfo) => {
  const isWanted = process.env.GATEHOUSE_SCREENSHOTS === '1' && hostKind === 'browser';
  testInfo.skip(!isWanted, 'GATEHOUSE_SCREENSHOTS=1 draws them, in the browser.');
  await app.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await app.setViewportSize(SIZE);
  // Later panels use the results of earlier ones, and the inspector lists all of their runs.
  for (const panel of panelNames.filter((name) => name !== 'Chat')) await showResult(app, panel);

  await openPanel(app, 'Image');
  await expect(result(app).getByRole('button', { name: 'Open image' })).toBeVisible();
  await draw('image');

  await openPanel(app, 'Embeddings');
  await expect(result(app).getByRole('img', { name: /^Map of 9 inputs/ })).toBeVisible();
  await draw('embeddings');

  await showResult(app, 'Chat');
  await app.getByRole('button', { name: 'Conversations', exact: true }).click();
  await expect(answers(app).getByRole('table').first()).toBeAttached();
  await app.keyboard.press('ControlOrMeta+j');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  await inspector.getByRole('tab', { name: 'Events' }).click();
  await expect(inspector.getByRole('tabpanel')).toContainText('role: assistant');
  const log = app.getByRole('log', { name: 'Conversation' });
  await log.evaluate((element) => element.scrollTo({ top: 0 }));
  await draw('chat');

  await inspector.getByRole('tab', { name: 'Request' }).click();
  await app.getByRole('separator', { name: 'Inspector height' }).press('End');
  await draw('inspector');
  await app.keyboard.press('ControlOrMeta+j');

  await app.keyboard.press('ControlOrMeta+Shift+o');
  await openColumns(app, ['demo-story', 'demo-story-brief', 'demo-echo']);
  await sendMessage(app, 'Who keeps the gate, and what does the keeper fear?');
  const comparison = app.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByText('3 of 3 requests done')).toBeVisible();
  // A column’s actions appear once its conversation has the finished answer.
  await expect(comparison.getByRole('button', { name: 'Retry', exact: true })).toHaveCount(3);
  for (const column of await comparison.getByRole('log').all()) {
    await column.evaluate((element) => element.scrollTo({ top: 0 }));
  }
  await draw('compare');

  async function draw(name: string): Promise<void> {
    await leaveFocus(app);
    for (const colorScheme of THEMES) {
      await app.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const path = join(FOLDER, `${name}-${colorScheme}.png`);
      await app.mouse.move(0, 0);
      await app.evaluate(() => document.fonts.ready);
      await app.screenshot({ path, animations: 'disabled', caret: 'hide' });
      const { size } = statSync(path);
      expect.soft(size, path).toBeGreaterThan(60_000);
      expect.soft(size, path).toBeLessThan(MAX_BYTES);
    }
    await app.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  }
});

async function leaveFocus(app: Page): Promise<void> {
  await app.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}
