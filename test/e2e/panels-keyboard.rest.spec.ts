import { expect, type Locator, type Page } from '@playwright/test';
import { recordedFor } from '../fixtures/recorded-time.ts';
import { test } from './fixtures/app.ts';
import { result } from './fixtures/panel-results.ts';
import { tabTo } from './fixtures/tab-to.ts';

test.use({ demoSpeed: 20 });

const shortcuts = {
  Completion: 2,
  Image: 3,
  Rerank: 5,
  Speech: 7,
  Transcription: 8,
  History: 'Shift+H',
};

const textBox = (app: Page, name: string) => app.getByRole('textbox', { name, exact: true });
const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true });

test('operates each panel by keyboard, from its fields to its result', async ({ app }) => {
  await test.step('Completion: from the prompt to a continued text', async () => {
    await enterPanel(app, 'Completion');
    await typeInto(app, textBox(app, 'Prompt'), 'Once upon a time');
    await typeInto(app, app.getByRole('spinbutton', { name: 'Max tokens' }), '12');
    await runToEnd(app);
    await pressOn(app, button(result(app), 'Continue from here'));
    await expect(textBox(app, 'Prompt')).toHaveValue(/^Once upon a time\W/);
  });

  await test.step('Image: from the prompt to the full view and back', async () => {
    await enterPanel(app, 'Image');
    await typeInto(app, textBox(app, 'Prompt'), 'A boat');
    await pressOn(app, button(app, 'Presets'));
    await expect(app.getByRole('dialog')).toBeVisible();
    // Undo stays in the dialog, although its field has nothing to undo.
    await app.keyboard.press('ControlOrMeta+Z');
    await app.keyboard.press('Escape');
    await expect(app.getByRole('dialog')).toBeHidden();
    await expect(textBox(app, 'Prompt')).toHaveValue('A boat');
    await runToEnd(app);
    const picture = button(result(app), 'Open image');
    await pressOn(app, picture);
    await expect(app.getByRole('dialog')).toBeVisible();
    await app.keyboard.press('Escape');
    await expect(app.getByRole('dialog')).toBeHidden();
    await expect(picture).toBeFocused();
  });

  await test.step('Rerank: from the query to the ranking and its table', async () => {
    await enterPanel(app, 'Rerank');
    await typeInto(app, textBox(app, 'Query'), 'sourdough starter');
    await tabTo(app, textBox(app, 'Documents'));
    await app.keyboard.type('The bridge opens at seven.');
    await app.keyboard.press('Enter');
    await app.keyboard.type('Feed the sourdough starter.');
    await app.keyboard.press('ControlOrMeta+Enter');
    const first = result(app).getByRole('listitem').first();
    await expect(first).toContainText('Feed the sourdough starter.');
    await tabTo(app, result(app).getByRole('radio', { name: 'Bars' }));
    await app.keyboard.press('ArrowRight');
    await expect(result(app).getByRole('table', { name: 'Ranking' }).getByRole('row')).toHaveCount(
      3,
    );
  });

  await test.step('Speech: speaks, pauses and seeks', async () => {
    await enterPanel(app, 'Speech');
    // Enough to be still playing on a busy machine.
    const words = 'The gate is open, and whoever comes is welcome to the house. '.repeat(8);
    await typeInto(app, textBox(app, 'Text'), words);
    await runToEnd(app);
    const isPaused = () => app.evaluate(() => document.querySelector('audio')?.paused);
    const playPause = result(app).getByRole('button', { name: /^(Play|Pause)$/ });
    await tabTo(app, playPause);
    if (!(await isPaused())) await app.keyboard.press('Space');
    await expect.poll(isPaused).toBe(true);
    const position = result(app).getByRole('slider', { name: 'Position in Speech' });
    await tabTo(app, position);
    await app.keyboard.press('Home');
    await expect(position).toHaveAttribute('aria-valuetext', /^0:00\.0 of/);
    await app.keyboard.press('PageUp');
    await expect
      .poll(async () => Number(await position.getAttribute('aria-valuenow')))
      .toBeGreaterThan(0.1);
    await app.keyboard.press('Shift+Tab');
    await expect(playPause).toBeFocused();
    await app.keyboard.press('Space');
    await expect.poll(isPaused).toBe(false);
  });

  await test.step('Transcription: records, transcribes, and plays from a word', async () => {
    await enterPanel(app, 'Transcription');
    await pressOn(app, button(app, 'Record'));
    await expect(app.getByText(recordedFor(1))).toBeVisible();
    await pressOn(app, button(app, 'Stop recording'));
    await expect(app.getByText(/^Recording .*\.wav$/).first()).toBeVisible();
    await tabTo(app, app.getByRole('combobox', { name: 'Format' }));
    await app.keyboard.type('verb');
    await pressOn(app, button(app, 'word'));
    await runToEnd(app);
    await pressOn(app, result(app).getByRole('tabpanel').getByRole('button').first());
    await app.waitForFunction(() =>
      [...document.querySelectorAll('audio')].some(({ currentTime }) => currentTime > 0),
    );
  });

  await test.step('History: finds a run and opens it in its panel', async () => {
    await enterPanel(app, 'History');
    await typeInto(app, app.getByRole('searchbox', { name: 'Search runs' }), 'sourdough');
    const runs = app.getByRole('listbox', { name: 'Runs' });
    await expect(runs.getByRole('option')).toHaveCount(1);
    await tabTo(app, runs.getByRole('option'));
    await pressOn(app, button(app, /^Open in /));
    await expect(app.getByRole('heading', { name: 'Rerank', level: 1 })).toBeVisible();
    await expect(textBox(app, 'Query')).toHaveValue(/sourdough/);
  });
});

async function enterPanel(app: Page, name: keyof typeof shortcuts): Promise<void> {
  await app.keyboard.press(`ControlOrMeta+${shortcuts[name]}`);
  await expect(app.getByRole('heading', { name, exact: true, level: 1 })).toBeVisible();
  if (name !== 'History')
    await expect(app.getByRole('combobox', { name: 'Connection' })).toBeEnabled();
}

async function typeInto(app: Page, field: Locator, text: string): Promise<void> {
  await tabTo(app, field);
  await app.keyboard.type(text);
}

async function runToEnd(app: Page): Promise<void> {
  await app.keyboard.press('ControlOrMeta+Enter');
  await expect(result(app).getByText('Succeeded', { exact: true })).toBeVisible();
}

async function pressOn(app: Page, target: Locator): Promise<void> {
  await tabTo(app, target);
  await app.keyboard.press('Enter');
}
