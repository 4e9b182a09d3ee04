import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { compareField, comparison, runCompared } from './fixtures/compared.ts';
import { test as withGateway } from './fixtures/gateway-app.ts';
import { panelNames, result, showResult } from './fixtures/panel-results.ts';
import { jsonReply } from './fixtures/scripted-gateway.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.describe.configure({ timeout: 300_000 });
test.use({ demoSpeed: 20 });

withGateway(
  'axe finds nothing in Settings, an answer, an error and the inspector',
  async ({ app, gateway }) => {
    await openPanel(app, 'Settings');
    await expectNothing(app, 'settings: connections');
    await app.getByRole('button', { name: 'Add connection' }).click();
    await expect(app.getByLabel('API key')).toBeVisible();
    await expectNothing(app, 'settings: a new connection');
    await app.keyboard.press('Escape');
    for (const section of [
      'Comparisons',
      'Timeouts',
      'Prices',
      'Shortcuts',
      'About',
      'Appearance',
    ]) {
      await app.getByRole('link', { name: section, exact: true }).click();
      await expectNothing(app, `settings: ${section}`);
    }
    for (const theme of ['Light', 'Dark']) {
      await app.getByText(theme, { exact: true }).click();
      await expect(app.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
      await expectNothing(app, `settings: ${theme} is chosen`);
    }
    await app.getByText('System', { exact: true }).click();
    await expect(app.locator('html')).not.toHaveAttribute('data-theme');

    await openPanel(app, 'Chat');
    await expectNothing(app, 'chat: empty');
    await chooseModel(app, 'steady-model');
    await sendMessage(app, 'Show me everything');
    const call = await gateway.nextCall();
    await call.say(
      '# Title\n\nText with `code` and a [link](https://example.com).\n\n- one\n- two\n\n',
    );
    await call.say(
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = "b"; // c\n```\n\n> Said\n',
    );
    await expect(answers(app).getByRole('table')).toBeVisible();
    await expectNothing(app, 'chat: streaming');
    await call.finish();
    await expect(runButton(app)).toBeVisible();
    await sendMessage(app, 'And an error');
    await (await gateway.nextCall()).reply(
      jsonReply('429 Too Many Requests', { error: { message: 'Slow' } }, { 'Retry-After': '60' }),
    );
    await expect(answers(app).last().getByRole('alert')).toBeVisible();
    await expectNothing(app, 'chat: error');

    await app.keyboard.press('ControlOrMeta+J');
    const inspector = app.getByRole('region', { name: 'Inspector' });
    for (const tab of ['Request', 'Response', 'Events', 'Timing', 'Code']) {
      await inspector.getByRole('tab', { name: tab }).click();
      await expect(inspector.getByRole('tabpanel')).not.toBeEmpty();
      await expectNothing(app, `inspector: ${tab}`);
    }
    await app.keyboard.press('ControlOrMeta+J');
    await app.keyboard.press('ControlOrMeta+K');
    await expect(app.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
    await expectNothing(app, 'palette');
    await app.keyboard.press('Escape');

    await openPanel(app, 'Completion');
    await chooseModel(app, 'steady-model');
    await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Once');
    await runButton(app).click();
    const completion = await gateway.nextCall();
    await completion.say(' upon a time');
    await completion.finish();
    await expect(app.getByRole('region', { name: 'Result' })).toContainText('upon a time');
    await expect(runButton(app)).toBeVisible();
    await expectNothing(app, 'completion');
  },
);

test('axe finds nothing in any panel', async ({ app }) => {
  for (const panel of panelNames) {
    await openPanel(app, panel);
    await expectNothing(app, `${panel}, empty`);
  }
});

test('axe finds nothing in any panel with a result', async ({ app }) => {
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

test('axe finds nothing in comparisons of images, videos and continuations', async ({ app }) => {
  const comparison = app.getByRole('region', { name: 'Comparison' });
  async function compare(panel: string, prompt: string): Promise<void> {
    await openPanel(app, panel);
    await expect(app.getByRole('combobox', { name: 'Model' })).not.toHaveValue('');
    await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
    await app.getByRole('button', { name: 'Compare', exact: true }).click();
    await app.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(comparison.getByText('2 of 2 requests done')).toBeVisible({ timeout: 60_000 });
  }

  await compare('Completion', 'Once upon a time');
  await expect(comparison.getByText('The texts are identical.')).toBeVisible();
  await expectNothing(app, 'completion: a comparison');
  await comparison.getByRole('button', { name: 'Compare two' }).click();
  await checkDialog(app, 'completion: two continuations');

  await compare('Image', 'A gatehouse at dusk');
  await expectNothing(app, 'image: a comparison');
  await app.getByRole('button', { name: 'Prompts: 1' }).click();
  await checkDialog(app, 'image: more prompts');
  await comparison
    .getByRole('button', { name: /^Open image/ })
    .first()
    .click();
  await checkDialog(app, 'image: the full view of a comparison');
  await comparison.getByRole('button', { name: 'Wipe between two' }).click();
  await checkDialog(app, 'image: a wipe');

  await compare('Video', 'A drawbridge opens');
  await expectNothing(app, 'video: a comparison');
  await comparison.getByRole('button', { name: 'Play in sync' }).click();
  await expect(app.getByRole('dialog').locator('video')).toHaveCount(2);
  await checkDialog(app, 'video: in step');
});

test('axe finds nothing in a comparison of speech', async ({ app }) => {
  await showResult(app, 'Speech');
  await compareField(app, 'Speed', '1, 1.5');
  await app
    .getByRole('button', { name: /^Edit / })
    .first()
    .click();
  await checkDialog(app, 'Speech: a variant');
  await app.getByRole('button', { name: 'Fill from a list' }).click();
  await checkDialog(app, 'Speech: the list of variants');
  await runCompared(app);
  await expectNothing(app, 'Speech: compared');
  await comparison(app).getByRole('switch', { name: 'Blind' }).click();
  await expect(comparison(app).getByRole('radiogroup', { name: 'Best' })).toBeVisible();
  await expectNothing(app, 'Speech: compared blind');
  await comparison(app).getByRole('switch', { name: 'Blind' }).click();
  await comparison(app).getByText('Figures', { exact: true }).click();
  await expect(comparison(app).getByRole('table', { name: 'Figures' })).toBeVisible();
  await expectNothing(app, 'Speech: figures');
  await comparison(app).getByText('Results', { exact: true }).click();
});

test('axe finds nothing in rankings and transcripts that are compared', async ({ app }) => {
  await showResult(app, 'Rerank');
  await compareField(app, 'Top n', '2, 3');
  await runCompared(app);
  const rankings = comparison(app).getByRole('region', { name: 'Ranking comparison' });
  await rankings
    .getByRole('button', { name: /^Label document \d+ as 2/ })
    .first()
    .click();
  await expectNothing(app, 'rerank: compared');

  await showResult(app, 'Speech');
  await showResult(app, 'Transcription');
  await compareField(app, 'Temperature', '0, 1');
  await runCompared(app);
  await comparison(app).getByRole('textbox', { name: 'Reference text' }).fill('The gate is open.');
  await expect(comparison(app).getByRole('region', { name: 'Aligned transcripts' })).toBeVisible();
  await expectNothing(app, 'transcription: compared');
});

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
