import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, chooseModel, sendMessage } from './fixtures/chat-page.ts';

/** Enters a result for the open call, and asks once more. */
async function playTwoRounds(app: Page): Promise<void> {
  const run = app.getByRole('button', { name: 'Run', exact: true });
  for (const sky of ['clear', 'cloudy']) {
    await app.getByRole('textbox', { name: /^Result for get_weather/ }).fill(`{"sky":"${sky}"}`);
    await run.click();
    await expect(answers(app).last()).toContainText(sky);
    if (sky === 'clear') {
      await sendMessage(app, 'And tomorrow?');
      await expect(app.getByRole('list', { name: 'Tool calls' })).toHaveCount(2);
    }
  }
}

test('sends signatures back over two rounds of tools, and explains a refusal', async ({ app }) => {
  await app.getByRole('button', { name: 'Call a tool' }).click();
  const calls = app.getByRole('list', { name: 'Tool calls' });
  await expect(calls).toContainText('get_weather');
  await chooseModel(app, 'demo-signed');
  await answers(app).last().getByRole('button', { name: 'Retry', exact: true }).click();
  await expect(answers(app).last()).toContainText('demo-signed');
  await playTwoRounds(app);

  await app.getByRole('button', { name: 'Show next request' }).click();
  const inspector = app.getByRole('region', { name: 'Inspector', exact: true });
  await expect(inspector).toContainText(/Includes .*provider fields of 2 tool calls/);
  await expect(inspector.getByRole('tree', { name: 'Request' })).toContainText('"demo-signed"');
  await app.getByRole('combobox', { name: 'Provider fields' }).selectOption('Never');
  await expect(inspector).toContainText('Includes no provider fields.');
  await answers(app).last().getByRole('button', { name: 'Retry', exact: true }).click();
  const alert = answers(app).last().getByRole('alert');
  await expect(alert).toContainText('back from its earlier answers');
  const shownRun = inspector.getByRole('option', { selected: true });
  await expect(shownRun).toContainText('Failed');
  await alert.getByRole('button', { name: 'Retry with provider fields' }).click();
  await expect(answers(app).last()).toContainText('cloudy');
});
