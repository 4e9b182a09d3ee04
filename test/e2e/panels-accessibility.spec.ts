import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { panelNames, result, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in any panel in the ${theme} theme`, async ({ app }) => {
    test.setTimeout(300_000);
    await app.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const panel of panelNames) {
      await openPanel(app, panel);
      await expectNothing(app, `${panel}, empty`);
    }
    for (const panel of panelNames) {
      await showResult(app, panel);
      await expectNothing(app, `${panel}, with a result`);
    }
    await checkViews(app);
    await checkDialogs(app);

    await openPanel(app, 'Image');
    await app.keyboard.press('ControlOrMeta+J');
    await expect(app.getByRole('region', { name: 'Inspector' })).toBeVisible();
    for (const panel of ['Image', 'Video', 'Rerank', 'Console', 'History']) {
      await openPanel(app, panel);
      await expectNothing(app, `${panel}, the inspector open`);
    }
  });
}

/** The other views of results that have several. */
async function checkViews(app: Page): Promise<void> {
  await openPanel(app, 'Rerank');
  await app.getByRole('radio', { name: 'Rows' }).check();
  for (const view of ['Table', 'JSON']) {
    await result(app).getByRole('radio', { name: view }).check();
    await expectNothing(app, `rerank: ${view}`);
  }
  await openPanel(app, 'Transcription');
  for (const tab of ['Segments', 'Raw']) {
    await result(app).getByRole('tab', { name: tab }).click();
    await expectNothing(app, `transcription: ${tab}`);
  }
  await openPanel(app, 'Console');
  await app.getByRole('combobox', { name: 'Method' }).selectOption('POST');
  await app.getByRole('radio', { name: 'Form' }).check();
  await app.getByRole('button', { name: 'Add field' }).click();
  await expectNothing(app, 'console: a form');
}

async function checkDialogs(app: Page): Promise<void> {
  await openPanel(app, 'Image');
  await result(app).getByRole('button', { name: 'Open image' }).click();
  await checkDialog(app, 'the full view of an image');
  await app.getByRole('button', { name: 'From library…' }).click();
  await checkDialog(app, 'the media picker');

  await openPanel(app, 'Library');
  await app.getByRole('list', { name: 'Media' }).getByRole('button').first().click();
  await expect(app.getByRole('complementary', { name: 'Details' })).toBeVisible();
  await expectNothing(app, 'the library');

  await openPanel(app, 'Chat');
  await app.getByRole('button', { name: 'Tools', exact: true }).click();
  await expectNothing(app, 'the list of tools');
  await app.getByRole('button', { name: 'New tool' }).click();
  await expect(app.locator('.cm-content')).toBeVisible();
  await expectNothing(app, 'the tool editor');
  await app.getByRole('button', { name: 'Cancel', exact: true }).click();
  await app.getByRole('button', { name: 'Done', exact: true }).click();

  await openPanel(app, 'History');
  await app.getByRole('article', { name: 'Run' }).getByRole('button', { name: 'Delete' }).click();
  await expect(app.getByText('Run deleted')).toBeVisible();
  await expectNothing(app, 'a deleted run');

  await openPanel(app, 'Settings');
  await app.getByRole('link', { name: 'Connections', exact: true }).click();
  await app.getByRole('button', { name: 'Add connection' }).click();
  await checkDialog(app, 'a new connection');
}

async function checkDialog(app: Page, where: string): Promise<void> {
  await expect(app.getByRole('dialog')).toBeVisible();
  await expectNothing(app, where);
  await app.keyboard.press('Escape');
  await expect(app.getByRole('dialog')).toBeHidden();
}

/** Everything is checked before the test fails, so that one run tells all. */
async function expectNothing(app: Page, where: string): Promise<void> {
  // Without frames of other origins there is no need for a second page at each check.
  const { violations } = await new AxeBuilder({ page: app }).setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }));
  expect.soft(found, where).toEqual([]);
}
