import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { chooseModel, sendMessage } from './fixtures/chat-page.ts';
import { openColumns } from './fixtures/compared.ts';

/** Adds a tool that a function answers; a new tool starts as `get_weather`, then `get_weather_2`. */
async function addTool(app: Page, code: string): Promise<void> {
  await app.getByRole('button', { name: 'New tool' }).click();
  const dialog = app.getByRole('dialog', { name: 'New tool' });
  await dialog.getByRole('combobox', { name: 'Answered by' }).selectOption('A JavaScript function');
  await dialog.getByRole('textbox', { name: 'Function' }).fill(code);
  await dialog.getByRole('button', { name: 'Save tool' }).click();
  await expect(dialog).toBeHidden();
}

test('functions answer parallel calls and the model ends the turn, over a reload', async ({
  app,
}) => {
  await chooseModel(app, 'demo-tools');
  await app.getByRole('button', { name: 'Tools', exact: true }).click();
  await addTool(app, '({ place }) => { console.log("asked for", place); return { degrees: 14 } }');
  await addTool(app, 'function run() { for (;;); }');
  await app.getByRole('button', { name: 'Done' }).click();
  await sendMessage(app, 'How is the weather?');
  const log = app.getByRole('log', { name: 'Conversation' });
  await expect(log.getByRole('article', { name: 'user' })).toBeVisible();
  await app.reload();

  const results = log.getByRole('article', { name: 'tool' });
  await expect(results).toHaveCount(2, { timeout: 30_000 });
  const [weather, endless] = [results.nth(0), results.nth(1)];
  await expect(weather).toContainText('degrees');
  await weather.getByText('1 console line').click();
  await expect(weather).toContainText('asked for');
  await expect(endless).toContainText('Failed');
  await expect(log.getByRole('article', { name: 'assistant' })).toHaveCount(2);
  await expect(log.getByText('This turn: 2 requests · 2 tool calls')).toBeVisible();
  await expect(app.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
});

test('a function is tried with arguments before its tool is saved', async ({ app }) => {
  await app.getByRole('button', { name: 'Tools', exact: true }).click();
  await app.getByRole('button', { name: 'New tool' }).click();
  const dialog = app.getByRole('dialog', { name: 'New tool' });
  await dialog.getByRole('combobox', { name: 'Answered by' }).selectOption('A JavaScript function');
  const code = dialog.getByRole('textbox', { name: 'Function' });
  const result = dialog.getByRole('region', { name: 'Tried result' });
  await code.fill('({ place }) =>');
  await dialog.getByRole('button', { name: 'Try' }).click();
  await expect(result).toContainText('SyntaxError');
  await code.fill('({ place }) => place.toUpperCase()');
  await expect(result).toBeHidden();
  const args = dialog.getByRole('textbox', { name: 'Arguments to try' });
  await args.fill('"Oslo"');
  await expect(dialog.getByText('Enter a JSON object.')).toBeVisible();
  await args.fill('{ "place": "Bergen" }');
  await dialog.getByRole('button', { name: 'Try' }).click();
  await expect(result).toContainText('BERGEN');
  await expect(result).toBeInViewport({ ratio: 1 });
});

test('a comparison of three models runs whole turns', async ({ app }) => {
  await app.getByRole('button', { name: 'Tools', exact: true }).click();
  await addTool(app, '({ place }) => ({ place, degrees: 14 })');
  await app.getByRole('button', { name: 'Done' }).click();
  await openColumns(app, ['demo-tools', 'demo-signed', 'demo-think']);
  await sendMessage(app, 'How is the weather in Oslo?');
  const comparison = app.getByRole('region', { name: 'Comparison' });
  for (const name of ['demo-tools', 'demo-signed', 'demo-think']) {
    const column = comparison.getByRole('group', { name, exact: true });
    await expect(column.getByRole('article', { name: 'tool' })).toContainText('degrees');
    await expect(column.getByText('This turn: 2 requests · 1 tool call')).toBeVisible();
  }
  await comparison.getByText('Metrics', { exact: true }).click();
  for (const name of ['Requests', 'Tool calls', 'Turn time']) {
    await expect(comparison.getByRole('columnheader', { name })).toBeVisible();
  }
});
