import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { addInComposer, chooseModel, sendButton, sendMessage } from './fixtures/chat-page.ts';

test.use({ demoSpeed: 20 });

test('tests a function, then answers parallel calls with functions across a reload', async ({
  app,
}) => {
  await chooseModel(app, 'demo-tools');
  await addInComposer(app, 'Tools…');
  const dialog = app.getByRole('dialog', { name: 'New tool' });
  const code = dialog.getByRole('textbox', { name: 'Function' });
  const answerWith = async (text: string) => {
    await app.getByRole('button', { name: 'New tool' }).click();
    await dialog
      .getByRole('combobox', { name: 'Answered by' })
      .selectOption('A JavaScript function');
    await code.fill(text);
  };
  // A new tool is named `get_weather`, then `get_weather_2`.
  await answerWith('({ place }) =>');
  const result = dialog.getByRole('region', { name: 'Tried result' });
  await dialog.getByRole('button', { name: 'Try' }).click();
  await expect(result).toContainText('SyntaxError');
  await code.fill('({ place }) => { console.log("asked for", place); return { place } }');
  await expect(result).toBeHidden();
  const args = dialog.getByRole('textbox', { name: 'Arguments to try' });
  await args.fill('"Oslo"');
  await expect(dialog.getByText('Enter a JSON object.')).toBeVisible();
  await args.fill('{ "place": "Bergen" }');
  await dialog.getByRole('button', { name: 'Try' }).click();
  await expect(result).toContainText('Bergen');
  await expect(result).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Save tool' }).click();
  await expect(dialog).toBeHidden();
  await answerWith('function run() { for (;;); }');
  await dialog.getByRole('button', { name: 'Save tool' }).click();
  await app.getByRole('button', { name: 'Done' }).click();

  await sendMessage(app, 'How is the weather?');
  const log = app.getByRole('log', { name: 'Conversation' });
  await expect(log.getByRole('article', { name: 'user' })).toBeVisible();
  await app.reload();
  await log
    .getByRole('button', { name: /^get_weather\(/ })
    .first()
    .click();
  const results = log.getByRole('article', { name: 'tool' });
  await expect(results).toHaveCount(2);
  await expect(results.nth(0)).toContainText('place');
  await results.nth(0).getByText('1 console line').click();
  await expect(results.nth(0)).toContainText('asked for');
  await expect(results.nth(1)).toContainText('Failed');
  await expect(log.getByText('This turn: 2 requests · 2 tool calls')).toBeVisible();
  await expect(sendButton(app)).toBeVisible();
});
