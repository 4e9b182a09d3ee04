import { expect, type Page } from '@playwright/test';
import { recordedFor } from '../fixtures/recorded-time.ts';
import { test } from './fixtures/app.ts';
import {
  addInComposer,
  answers,
  chooseModel,
  sendButton,
  sendMessage,
} from './fixtures/chat-page.ts';

test.use({ demoSpeed: 20 });

/** A PNG with one red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const button = (app: Page, name: string) => app.getByRole('button', { name, exact: true });

test('sends an image and a recording, and shows both again after a reload', async ({ app }) => {
  await chooseModel(app, 'demo-echo');
  await app
    .getByLabel('Attach files')
    .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PNG });
  const attachments = app.getByRole('list', { name: 'Attachments' });
  await expect(attachments.getByRole('group', { name: 'dot.png' })).toContainText('encoded');
  await attachments.getByRole('combobox', { name: 'Detail' }).selectOption('high');

  await button(app, 'Record').click();
  await expect(app.getByRole('meter', { name: 'Input level' })).toBeVisible();
  await expect(app.getByRole('main').getByText(recordedFor(1))).toBeVisible();
  await expect(sendButton(app)).toBeDisabled();
  await button(app, 'Stop recording').click();
  await expect(attachments.getByRole('group', { name: /^Recording .*\.wav$/ })).toBeVisible();

  await sendMessage(app, 'What is this?');
  const answer = answers(app).first();
  await expect(answer).toContainText(/image_url: image\/png, 70 bytes.*detail high/);
  await expect(answer).toContainText(/input_audio: wav.*[\d,]+ bytes/);
  await expect(sendButton(app)).toBeVisible();
  await expect(attachments).toBeHidden();

  await app.reload();
  const written = app.getByRole('article', { name: 'user' });
  await expect(written.getByRole('button', { name: 'Open dot.png' })).toBeVisible();
  await expect(written.getByRole('group', { name: /^Recording/ })).toBeVisible();
  await written.getByRole('button', { name: 'Play', exact: true }).click();
  await app.waitForFunction(() =>
    [...document.querySelectorAll('audio')].some(({ currentTime }) => currentTime > 0),
  );
});

test('defines a tool, enters its result by hand, and continues with one click', async ({ app }) => {
  const refused: string[] = [];
  app.on('console', (line) => {
    if (/content security policy/i.test(line.text())) refused.push(line.text());
  });
  await chooseModel(app, 'demo-tools');
  await addInComposer(app, 'Tools…');
  await button(app, 'New tool').click();
  // The content security policy allows the editor's styles.
  const scroller = app.locator('.cm-scroller');
  await expect(scroller).toHaveCSS('display', 'flex');
  await expect(scroller).toHaveCSS('font-family', /JetBrains Mono/);
  expect(refused).toEqual([]);
  await app.locator('.cm-content').click();
  const problems = app.getByRole('list', { name: 'Errors in Tool definition' });
  await app.keyboard.press('ControlOrMeta+A');
  await app.keyboard.press('Delete');
  await app.keyboard.type('{"type"');
  await expect(problems).toContainText('Line 1');
  const parameters = '{"type": "object", "properties": {"place": {"type": "string"}}}';
  await app.keyboard.press('ControlOrMeta+A');
  await app.keyboard.insertText(
    `{"type": "function", "function": {"name": "get_weather", "parameters": ${parameters}}}`,
  );
  await expect(problems.getByRole('listitem')).toHaveCount(0);
  await button(app, 'Save tool').click();
  await expect(app.getByRole('switch', { name: 'Use get_weather' })).toBeChecked();
  await button(app, 'Done').click();

  await sendMessage(app, 'The weather in Oslo?');
  await expect(app.getByRole('list', { name: 'Tool calls' })).toContainText('get_weather');
  const form = app.getByRole('form', { name: 'Tool results' });
  await form.getByRole('textbox', { name: 'Result for get_weather' }).fill('{"celsius": 4}');
  await app.keyboard.press('ControlOrMeta+Enter');
  await expect(app.getByRole('list', { name: 'Finished tool calls' })).toContainText(
    /get_weather.*→4/,
  );
  await expect(answers(app)).toHaveCount(2);
  await expect(sendButton(app)).toBeVisible();
  await expect(answers(app).last()).not.toContainText('Calls get_weather');
});
