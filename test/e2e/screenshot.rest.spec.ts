import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, sendMessage } from './fixtures/chat-page.ts';
import { openColumns } from './fixtures/compared.ts';
import { panelNames, result, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

const FOLDER = 'test/screenshots';
const MAX_BYTES = 250_000;

// Keep the focus on the page so that no screenshot shows a caret.
test.use({ holdsFocus: false, demoSpeed: 20 });

test('takes the screenshots for the README', async ({ app, hostKind }, testInfo) => {
  const isWanted = process.env.GATEHOUSE_SCREENSHOTS === '1' && hostKind === 'browser';
  testInfo.skip(!isWanted, 'GATEHOUSE_SCREENSHOTS=1 draws them, in the browser.');
  await app.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  for (const panel of panelNames) {
    await showResult(app, panel);
    await bringInView(app, panel);
    await draw(app, panel.toLowerCase());
  }
  await openPanel(app, 'Chat');
  await app.getByRole('button', { name: 'New conversation', exact: true }).click();
  await openColumns(app, ['demo-story', 'demo-story-brief', 'demo-echo']);
  await sendMessage(app, 'Who keeps the gate, and what does the keeper fear?');
  const comparison = app.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByText('3 of 3 requests done')).toBeVisible();
  // A column’s actions appear once its conversation has the finished answer.
  await expect(comparison.getByRole('button', { name: 'Retry', exact: true })).toHaveCount(3);
  await draw(app, 'compare');

  async function draw(page: Page, name: string): Promise<void> {
    const file = `${name}.png`;
    const path = join(FOLDER, file);
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    const { size } = statSync(path);
    expect.soft(size, name).toBeGreaterThan(20_000);
    expect.soft(size, name).toBeLessThan(MAX_BYTES);
  }
});

async function bringInView(app: Page, panel: string): Promise<void> {
  if (panel === 'Chat') {
    await expect(answers(app).getByRole('heading').first()).toBeVisible();
    const log = app.getByRole('log', { name: 'Conversation' });
    await log.evaluate((element) => element.scrollTo({ top: 0 }));
    await expect(answers(app).getByRole('table').first()).toBeVisible();
  }
  if (panel === 'Video') {
    await result(app)
      .locator('video')
      .evaluate(async (video: HTMLVideoElement) => {
        video.muted = true;
        await video.play();
        await new Promise<void>((settle) => {
          video.addEventListener('timeupdate', () => video.currentTime > 0.8 && settle());
        });
        video.pause();
      });
  }
  if (panel === 'Speech' || panel === 'Transcription') {
    await result(app)
      .getByRole('slider', { name: /^Position in/ })
      .press('PageUp');
  }
  await app.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}
