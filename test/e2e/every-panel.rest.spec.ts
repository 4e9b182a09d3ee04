/** Visits each state of each panel once, runs axe, and checks that no content is clipped. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing, expectNothingInDialog } from './fixtures/axe.ts';
import { addInComposer } from './fixtures/chat-page.ts';
import { expectNothingCut, expectRoom, LOW, USUAL } from './fixtures/layout.ts';
import { panelNames, panelResults, result } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.describe.configure({ timeout: 480_000 });
test.use({ demoSpeed: 20 });

/** Locates results outside the region named Result. */
const outcomes: Record<string, (app: Page) => Locator> = {
  Chat: (app) => app.getByRole('log', { name: 'Conversation' }),
  History: (app) => app.getByRole('article', { name: 'Run' }),
  Library: (app) => app.getByRole('list', { name: 'Media' }),
};

/** Opens the other views and dialogs of a panel that has a result. */
const furtherStates: Record<string, (app: Page) => Promise<void>> = {
  async Chat(app) {
    await addInComposer(app, 'Tools…');
    await expectNothing(app, 'the list of tools');
    await app.getByRole('button', { name: 'New tool' }).click();
    await expect(app.locator('.cm-content')).toBeVisible();
    await expectNothing(app, 'the tool editor');
    await app.getByRole('button', { name: 'Cancel', exact: true }).click();
    await app.getByRole('button', { name: 'Done', exact: true }).click();
  },

  async Image(app) {
    await result(app).getByRole('button', { name: 'Open image' }).click();
    await expectNothingInDialog(app, 'the full view of an image');
    await app.getByRole('button', { name: 'From library…' }).click();
    await expectNothingInDialog(app, 'the media picker');
    await app.getByRole('button', { name: 'Presets' }).click();
    await expectNothingInDialog(app, 'presets');
  },

  async Rerank(app) {
    await app.getByRole('radio', { name: 'Rows' }).check();
    for (const view of ['Table', 'JSON']) {
      await result(app).getByRole('radio', { name: view }).check();
      await expectNothing(app, `rerank: ${view}`);
    }
  },

  async Transcription(app) {
    for (const tab of ['Segments', 'Raw']) {
      await result(app).getByRole('tab', { name: tab }).click();
      await expectNothing(app, `transcription: ${tab}`);
    }
  },

  async Console(app) {
    await app.getByRole('combobox', { name: 'Method' }).selectOption('POST');
    await app.getByRole('radio', { name: 'Form data' }).check();
    await app.getByRole('button', { name: 'Add field' }).click();
    await expectNothing(app, 'console: a form');
  },

  async History(app) {
    await app.getByRole('article', { name: 'Run' }).getByRole('button', { name: 'Delete' }).click();
    await expect(app.getByText('Run deleted')).toBeVisible();
    await expectNothing(app, 'a deleted run');
  },
};

test('has no axe violations or clipped content, and fits its result in a short window', async ({
  app,
}) => {
  // History and Library list the results of the other panels.
  for (const panel of ['History', 'Library']) {
    await openPanel(app, panel);
    await expectNothing(app, `${panel}, empty`);
  }

  const inspector = app.getByRole('region', { name: 'Inspector' });
  for (const panel of panelNames) {
    await openPanel(app, panel);
    if (panel !== 'History' && panel !== 'Library') await expectNothing(app, `${panel}, empty`);
    await panelResults[panel]?.(app);
    await expectNothingCut(app, `${panel} at 1360`);
    await expectNothing(app, `${panel}, with a result`);
    await app.setViewportSize(LOW);
    await expectNothingCut(app, `${panel} at 960`);
    await app.keyboard.press('ControlOrMeta+j');
    await expect(inspector).toBeVisible();
    await expectRoom((outcomes[panel] ?? result)(app), `${panel}, at 960`);
    await app.keyboard.press('ControlOrMeta+j');
    await app.setViewportSize(USUAL);
    await expect(inspector).toBeHidden();
    await furtherStates[panel]?.(app);
  }
});
