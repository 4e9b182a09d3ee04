import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, chooseModel, messageBox, sendMessage } from './fixtures/chat-page.ts';
import { panelNames, result, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

const FOLDER = '.test/gallery';
const SIZES = [
  { width: 960, height: 600 },
  { width: 1360, height: 860 },
  { width: 1920, height: 1080 },
];
const THEMES = ['light', 'dark'] as const;

/** Further states of a panel, each reached from the previous one. */
const furtherStates: [name: string, reach: (app: Page) => Promise<void>][] = [
  [
    'chat-streaming',
    async (app) => {
      await openPanel(app, 'Chat');
      await app.getByRole('button', { name: 'New conversation' }).click();
      await chooseModel(app, 'demo-story');
      await sendMessage(app, 'Tell me a long story.');
      await expect(answers(app).last()).toContainText(/\w{3}/);
    },
  ],
  [
    'chat-error',
    async (app) => {
      await app.getByRole('button', { name: 'New conversation' }).click();
      await chooseModel(app, 'demo-broken');
      await sendMessage(app, 'Break, please.');
      await expect(app.getByRole('alert').first()).toBeVisible();
    },
  ],
  [
    'chat-inspector',
    async (app) => {
      await app.keyboard.press('ControlOrMeta+j');
      await expect(app.getByRole('region', { name: 'Inspector' })).toContainText('POST');
    },
  ],
  [
    'command-palette',
    async (app) => {
      await app.keyboard.press('ControlOrMeta+j');
      await messageBox(app).press('ControlOrMeta+k');
      await expect(app.getByRole('dialog')).toBeVisible();
    },
  ],
  [
    'image-viewer',
    async (app) => {
      await app.keyboard.press('Escape');
      await openPanel(app, 'Image');
      await result(app).getByRole('button', { name: 'Open image' }).first().click();
      await expect(app.getByRole('dialog')).toBeVisible();
    },
  ],
  [
    'settings',
    async (app) => {
      await app.keyboard.press('Escape');
      await openPanel(app, 'Settings');
    },
  ],
  [
    'connection-dialog',
    async (app) => {
      await app.getByRole('link', { name: 'Connections', exact: true }).click();
      await app.getByRole('button', { name: 'Add connection' }).click();
      await expect(app.getByRole('dialog')).toBeVisible();
    },
  ],
];

test('captures every panel and main state in both themes and three sizes', async ({ app }) => {
  test.skip(
    process.env.GATEHOUSE_SCREENSHOTS !== 'all',
    'Only for people to look at: set GATEHOUSE_SCREENSHOTS=all.',
  );
  test.setTimeout(900_000);
  for (const panel of panelNames) {
    await openPanel(app, panel);
    await drawAll(app, `${panel.toLowerCase()}-empty`);
  }
  for (const panel of panelNames) {
    await showResult(app, panel);
    await drawAll(app, `${panel.toLowerCase()}-result`);
  }
  for (const [name, reach] of furtherStates) {
    await reach(app);
    await drawAll(app, name);
  }
});

async function drawAll(app: Page, name: string): Promise<void> {
  await app.mouse.move(0, 0);
  for (const colorScheme of THEMES) {
    await app.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of SIZES) {
      await app.setViewportSize(size);
      await app.evaluate(() => document.fonts.ready);
      await app.screenshot({
        path: join(FOLDER, `${name}-${size.width}-${colorScheme}.png`),
        animations: 'disabled',
        caret: 'hide',
      });
    }
  }
  await app.setViewportSize({ width: 1360, height: 860 });
}
