import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { startBrowserHostProcess } from './fixtures/browser-host-process.ts';
import { openAddress } from './fixtures/chat-page.ts';
import { chooseModels } from './fixtures/check-page.ts';
import { result } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.describe.configure({ timeout: 180_000 });
// At this pace, a probe is still running when it is stopped.
test.use({ demoSpeed: 10, holdsFocus: false });

test('probes two models as a matrix, stops, and resumes after a restart', async ({
  app,
  home,
  host,
  environment,
}) => {
  await openPanel(app, 'Check');
  await chooseModels(app, ['demo-obeys', 'demo-ignores']);
  await app.keyboard.press('ControlOrMeta+Enter');
  const question = app.getByRole('alertdialog', { name: 'Probe Demo?' });
  await expect(question).toContainText(/\d+ requests · about [\d,]+ input tokens/);
  await expectNothing(app, 'check: the question before a probe');
  await question.getByRole('button', { name: 'Start' }).click();
  await expect(result(app).getByText('Honored', { exact: true }).first()).toBeVisible();
  await app.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(app.getByRole('button', { name: 'Resume' })).toBeVisible();
  await expect(result(app)).toContainText(/\d+ of \d+ requests/);
  await host.stop();

  const restarted = await startBrowserHostProcess({ home, environment });
  try {
    await openAddress(app, restarted.address);
    await openPanel(app, 'Check');
    const saved = app.getByRole('region', { name: 'Saved checks' });
    await saved.getByRole('button', { name: /^demo-obeys, demo-ignores/ }).click();
    await app.getByRole('button', { name: 'Resume' }).click();
    await expect(result(app).getByText('Done', { exact: true }).first()).toBeVisible();
    const seed = (model: string) => app.getByRole('button', { name: `Seed twice, ${model}` });
    await expect(seed('demo-obeys')).toContainText('Honored');
    await expect(seed('demo-ignores')).toContainText('Ignored');
    await seed('demo-ignores').click();
    await expectNothing(app, 'check: a probe with an open verdict');
    await app.getByRole('button', { name: 'Inspect', exact: true }).click();
    await expect(app.getByRole('region', { name: 'Inspector' })).toContainText('demo-ignores');

    const table = await exportAs(app, 'CSV');
    expect(table.split('\n').filter((line) => line.includes('Seed twice'))).toHaveLength(2);
    const { body } = JSON.parse(await exportAs(app, 'JSON'));
    expect(body.verdicts.length).toBeGreaterThan(60);
  } finally {
    await restarted.stop();
  }
});

test('loads a model in three stages by keyboard, and exports the metrics', async ({ app }) => {
  await openPanel(app, 'Check');
  await app.getByRole('tab', { name: 'Probe' }).focus();
  await app.keyboard.press('ArrowRight');
  await expect(app.getByRole('tab', { name: 'Load' })).toBeFocused();
  await chooseModels(app, ['demo-story-fast']);
  const stages = app.getByRole('textbox', { name: 'Stages' });
  await stages.fill('1 and 2');
  await expect(app.getByText('Enter up to 50 numbers from 1 to 200.')).toBeVisible();
  await expectNothing(app, 'check: a load that has errors');
  await stages.fill('1 2 4');
  await app.keyboard.press('ControlOrMeta+Enter');
  const question = app.getByRole('alertdialog', { name: 'Load Demo?' });
  await expect(question).toContainText('Load only gateways that you may load.');
  await app.keyboard.press('Tab');
  await expect(question.getByRole('button', { name: 'Start' })).toBeFocused();
  await app.keyboard.press('Enter');
  await expect(result(app).getByText('Done', { exact: true }).first()).toBeVisible();
  const rows = result(app).getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(3)).toContainText(/^420/);
  await expect(result(app).getByRole('img', { name: /^First token/ })).toBeVisible();
  await expectNothing(app, 'check: the result of a load');
  expect(await exportAs(app, 'Markdown')).toContain('demo-story-fast');
});

async function exportAs(app: Page, format: string): Promise<string> {
  await result(app).getByRole('button', { name: 'More actions' }).click();
  const downloading = app.waitForEvent('download');
  await app.getByRole('menuitem', { name: `Export as ${format}` }).click();
  return readFileSync(await (await downloading).path(), 'utf8');
}
