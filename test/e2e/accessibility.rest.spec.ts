import { expect } from '@playwright/test';
import { expectNothing, expectNothingInDialog } from './fixtures/axe.ts';
import {
  actOn,
  addInComposer,
  answers,
  chooseModel,
  messageBox,
  sendButton,
  sendMessage,
  stopButton,
} from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { jsonReply } from './fixtures/scripted-gateway.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.describe.configure({ timeout: 300_000 });

test('has no axe violations in Settings and its dialogs', async ({ app, gateway }) => {
  await openPanel(app, 'Settings');
  for (const section of ['Timeouts', 'Prices', 'Shortcuts', 'About', 'General']) {
    await app.getByRole('link', { name: section, exact: true }).click();
    await expectNothing(app, `settings: ${section}`);
  }
  for (const theme of ['Light', 'Dark']) {
    await app.getByText(theme, { exact: true }).click();
    await expect(app.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
  }
  await app.getByText('System', { exact: true }).click();
  await expect(app.locator('html')).not.toHaveAttribute('data-theme');

  await app.getByRole('link', { name: 'Data', exact: true }).click();
  await expectNothing(app, 'settings: Data');
  await app.getByRole('button', { name: 'Delete everything' }).click();
  await expect(app.getByRole('alertdialog')).toBeVisible();
  await expectNothing(app, 'data: a question before everything is deleted');
  await app.keyboard.press('Escape');

  await app.getByRole('link', { name: 'Connections', exact: true }).click();
  await expectNothing(app, 'settings: connections');
  await app.getByRole('button', { name: 'Add connection' }).click();
  const dialog = app.getByRole('dialog', { name: 'Add connection' });
  await dialog.getByRole('combobox', { name: 'Preset' }).fill('Azure OpenAI');
  await app.keyboard.press('Enter');
  await dialog.getByText('Advanced', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Add header' }).click();
  await expectNothing(app, 'connection: a preset with advanced fields');
  await dialog.getByRole('button', { name: 'Delete header 1' }).click();
  await dialog.getByRole('textbox', { name: 'Base URL' }).fill('http://127.0.0.1:1');
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Save anyway' })).toBeVisible();
  await expectNothing(app, 'connection: a failed test');
  await dialog.getByRole('textbox', { name: 'Base URL' }).fill(gateway.url);
  await dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'lists 2 models' })).toBeVisible();
  await expectNothing(app, 'connection: a passed test');
});

test('has no axe violations in Check', async ({ app }) => {
  await openPanel(app, 'Check');
  await expect(app.getByRole('region', { name: 'What is asked' })).toBeVisible();
  await expectNothing(app, 'check: a probe that can start');
  await app.getByRole('checkbox', { name: /^Chat/ }).first().click();
  await app.getByRole('tab', { name: 'Load' }).click();
  await expectNothing(app, 'check: a load that can start');
});

test('has no axe violations in any conversation state', async ({ app, gateway }) => {
  const refused: string[] = [];
  app.on('console', (message) => {
    if (/Content Security Policy|Failed to load/.test(message.text())) refused.push(message.text());
  });
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Show me everything');
  const call = await gateway.nextCall();
  await call.say(
    '# Title\n\nText with `code` and a [link](https://example.com).\n\n- one\n- two\n\n',
  );
  await call.say('| a | b |\n|---|---|\n| 1 | 2 |\n\n> Said\n\n$$\n\\frac{n(n+1)}{2}\n$$\n\n');
  await call.say(`\`\`\`js\n${'const wide = 1; '.repeat(40)}\n\`\`\`\n\nThe area is $\\pi r^2$.`);
  await expect(answers(app).locator('.katex')).toHaveCount(2);
  // KaTeX loads its own fonts; without its styles, a fraction would be a single line of text.
  await app.evaluate(() => document.fonts.ready);
  expect(await app.evaluate(() => document.fonts.check('16px KaTeX_Main'))).toBe(true);
  const fraction = await answers(app).locator('.katex-display .mfrac').boundingBox();
  expect(fraction?.height).toBeGreaterThan(15);
  expect(refused).toEqual([]);
  await messageBox(app).fill('And then?');
  await app.getByRole('button', { name: 'Queue' }).click();
  await expect(app.getByRole('region', { name: 'Queued messages' })).toBeVisible();
  await expectNothing(app, 'chat: a streaming answer and a queued message');
  await stopButton(app).click();
  await expect(answers(app).getByRole('button', { name: 'Continue' })).toBeVisible();
  await app.getByLabel('Attach files').setInputFiles([
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') },
    { name: 'scan.tiff', mimeType: 'image/tiff', buffer: Buffer.from('49492a0008000000', 'hex') },
  ]);
  await expect(app.getByRole('button', { name: 'Convert to JPEG' })).toBeVisible();
  await expectNothing(app, 'chat: a stopped answer and attachments');

  await app.keyboard.press('ControlOrMeta+f');
  await app.keyboard.type('area');
  const count = app.getByRole('search').getByRole('status');
  await expect(count).toHaveText('1 of 1');
  const marked = () =>
    app.evaluate(() => [...(CSS.highlights.get('find-current') ?? [])].map(String));
  await expect.poll(marked).toEqual(['area']);
  await app.getByRole('button', { name: 'Conversation list actions' }).click();
  await app.getByRole('menuitem', { name: 'Select several' }).click();
  await expectNothing(app, 'chat: find in conversation, and selecting conversations');
  await app.getByRole('button', { name: 'Stop selecting' }).click();
  await app.getByRole('textbox', { name: 'Find in conversation' }).press('Escape');
  await actOn(answers(app), 'Show source');
  await app.getByRole('button', { name: /^Context/ }).click();
  await expect(app.getByRole('table', { name: 'Context' })).toBeVisible();
  await expectNothing(app, 'chat: the source of an answer, and the size of the context');
  await app.keyboard.press('Escape');

  await addInComposer(app, 'Prompts…');
  const prompts = app.getByRole('dialog', { name: 'Prompts' });
  await expectNothing(app, 'prompts: none yet');
  await prompts.getByRole('textbox', { name: 'Text' }).fill('Translate {{text}}');
  await prompts.getByRole('textbox', { name: 'Save as' }).fill('Translate');
  await prompts.getByRole('button', { name: 'Save' }).click();
  await prompts.getByRole('list', { name: 'Prompts' }).getByText('Translate').first().click();
  await expect(app.getByRole('dialog', { name: 'Fill in “Translate”' })).toBeVisible();
  await expectNothingInDialog(app, 'prompts: variables to fill in');

  await app.getByRole('button', { name: 'New conversation' }).click();
  await sendMessage(app, 'And an error');
  await (await gateway.nextCall()).reply(
    jsonReply('429 Too Many Requests', { error: { message: 'Slow' } }, { 'Retry-After': '60' }),
  );
  await expect(answers(app).last().getByRole('alert')).toBeVisible();
  await expect(sendButton(app)).toBeVisible();
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
});
