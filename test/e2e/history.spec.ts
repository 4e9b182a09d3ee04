import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { chooseModel } from './fixtures/chat-page.ts';
import { expectNothingCut, LOW, USUAL } from './fixtures/layout.ts';

test.use({ demoSpeed: 20 });

async function complete(app: Page, prompt: string): Promise<void> {
  await app.getByRole('textbox', { name: 'Prompt' }).fill(prompt);
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(
    app.getByRole('region', { name: 'Result' }).getByText('Succeeded', { exact: true }),
  ).toBeVisible();
}

test('sorts, filters, exports, compares, opens, repeats and deletes runs', async ({ app }) => {
  await app.getByRole('link', { name: 'Completion' }).click();
  await chooseModel(app, 'demo-echo');
  await app.getByRole('spinbutton', { name: 'Temperature' }).fill('0.35');
  await app.getByRole('textbox', { name: 'Extra JSON' }).fill('{"top_k": 7}');
  await app.getByRole('textbox', { name: 'Suffix' }).fill('the end');
  await complete(app, 'A heron by the river');
  await app.getByRole('spinbutton', { name: 'Temperature' }).fill('1.5');
  await app.getByRole('textbox', { name: 'Extra JSON' }).fill('');
  await app.getByRole('textbox', { name: 'Suffix' }).fill('');
  await complete(app, 'A prompt that is longer, so that it has more tokens than the other one');
  await app.getByRole('link', { name: 'History' }).click();
  const options = app.getByRole('listbox', { name: 'Runs' }).getByRole('option');
  await expect(options).toHaveText([/longer/, /heron/]);

  for (const order of [
    [/longer/, /heron/],
    [/heron/, /longer/],
  ]) {
    await app.getByRole('button', { name: 'Sort by', exact: true }).click();
    await app.getByRole('menuitem', { name: 'Tokens' }).click();
    await expect(options).toHaveText(order);
  }
  await app.getByRole('combobox', { name: 'Date' }).selectOption('Between dates…');
  await app.getByLabel('To', { exact: true }).fill('2021-05-01');
  await expect(app.getByText('No matching runs')).toBeVisible();
  await app.getByLabel('To', { exact: true }).fill('');
  const connection = app.getByRole('combobox', { name: 'Run connection' });
  await connection.selectOption('Demo');
  await app.getByRole('button', { name: 'Saved filters' }).click();
  await app.getByRole('menuitem', { name: 'Save filter…' }).click();
  await app.getByRole('textbox', { name: 'Name' }).fill('Small ones');
  await app.keyboard.press('Enter');
  await connection.selectOption('All connections');
  await app.getByRole('button', { name: 'Saved filters' }).click();
  await app.getByRole('menuitem', { name: 'Small ones' }).click();
  await expect(connection).toHaveValue('demo');
  await expect(options).toHaveText([/heron/, /longer/]);

  await app.getByRole('checkbox', { name: 'Select all loaded runs' }).click();
  await expect(app.getByText('2 selected')).toBeVisible();
  await expectNothing(app, 'history: selected runs');
  await app.setViewportSize(LOW);
  await expectNothingCut(app, 'history: selected runs, at 960');
  await app.setViewportSize(USUAL);
  await app.getByRole('button', { name: 'Export selected' }).click();
  const downloading = app.waitForEvent('download');
  await app.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^runs-\d{4}-\d\d-\d\d\.csv$/);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.trim().split('\r\n')).toHaveLength(3);
  expect(csv).toContain('heron');
  await app.getByRole('button', { name: 'Compare', exact: true }).click();
  const differences = app.getByRole('article', { name: 'Run differences' });
  await expect(app.getByRole('button', { name: 'Back to runs' })).toBeFocused();
  await expect(differences.getByRole('region', { name: 'Request differences' })).toContainText(
    'temperature',
  );
  await expectNothing(app, 'history: differences of two runs');
  await app.keyboard.press('Enter');
  await expect(options.last()).toBeFocused();

  await app.getByRole('searchbox', { name: 'Search runs' }).fill('heron');
  await expect(options).toHaveCount(1);
  await options.click();
  const record = app.getByRole('article', { name: 'Run' });
  await expect(record.getByRole('region', { name: 'Recorded request' })).toContainText('0.35');
  await record.getByRole('button', { name: /^Open in / }).click();
  await expect(app.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A heron by the river');
  await expect(app.getByRole('textbox', { name: 'Suffix' })).toHaveValue('the end');
  await expect(app.getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('0.35');
  await expect(app.getByRole('textbox', { name: 'Extra JSON' })).toHaveValue(/"top_k": 7/);
  await expect(app.getByRole('region', { name: 'Result' })).toContainText('heron');

  await app.getByRole('link', { name: 'History' }).click();
  await record.getByRole('button', { name: 'Run again' }).click();
  // Deleting a run in progress must ask first.
  await expect(options.filter({ hasText: 'Succeeded' })).toHaveCount(2);
  await options.first().focus();
  await app.keyboard.press('ControlOrMeta+a');
  await app.keyboard.press('Delete');
  await expect(app.getByText('2 runs deleted')).toBeVisible();
  await app.getByRole('main').getByRole('button', { name: 'Undo' }).click();
  await expect(options).toHaveCount(2);
  await expect(record.getByRole('region', { name: 'Recorded request' })).toContainText('0.35');
});

test('marks a run that got something other than it asked for, and finds it', async ({ app }) => {
  await app.getByRole('link', { name: 'Completion' }).click();
  await app.getByRole('spinbutton', { name: 'Max tokens' }).fill('3');
  const mismatches = app.getByRole('list', { name: 'Not as asked' });
  await chooseModel(app, 'demo-obeys');
  await complete(app, 'A heron by the river');
  await expect(mismatches).toBeHidden();
  await chooseModel(app, 'demo-ignores');
  await complete(app, 'A lighthouse at dusk');
  await expect(mismatches).toHaveText(/max.tokens/i);

  await app.getByRole('link', { name: 'History' }).click();
  const options = app.getByRole('listbox', { name: 'Runs' }).getByRole('option');
  await expect(options).toHaveText([/lighthouse/, /heron/]);
  await app.getByRole('combobox', { name: 'Status' }).selectOption('Not as asked');
  await expect(options).toHaveText([/lighthouse/]);
  await options.first().click();
  await expect(mismatches).toHaveText(/max.tokens/i);
});
