import { statSync } from 'node:fs';
import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';

const PATH = 'test/screenshots/chat.png';
const LARGEST_BYTES = 400_000;

test('draws the screenshot of the README', async ({ app, hostKind }, testInfo) => {
  const isWanted = process.env.GATEHOUSE_SCREENSHOTS === '1';
  const path = isWanted && hostKind === 'browser' ? PATH : testInfo.outputPath('chat.png');
  await app.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await chooseModel(app, 'demo-story');
  await sendMessage(app, 'Tell me a story about the gate, with a table and some code.');
  await expect(answers(app)).toContainText('tokens', { timeout: 30_000 });
  await expect(runButton(app)).toBeVisible();
  const log = app.getByRole('log', { name: 'Conversation' });
  await expect(answers(app).getByRole('heading').first()).toBeVisible();
  await log.evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(answers(app).getByRole('table').first()).toBeVisible();
  await app.mouse.move(0, 0);
  await app.evaluate(() => document.fonts.ready);
  await app.screenshot({ path, animations: 'disabled', caret: 'hide' });

  const { size } = statSync(path);
  expect(size).toBeGreaterThan(20_000);
  expect(size).toBeLessThan(LARGEST_BYTES);
});
