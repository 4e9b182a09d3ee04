import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing, expectNothingInDialog } from './fixtures/axe.ts';
import { checkComparison } from './fixtures/compared.ts';

test.describe.configure({ timeout: 300_000 });
test.use({ demoSpeed: 20 });

async function startComparing(app: Page, panel: string): Promise<void> {
  await app.getByRole('link', { name: panel, exact: true }).click();
  await expect(app.getByRole('combobox', { name: 'Model' })).not.toHaveValue('');
  await app.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(app.getByRole('button', { name: 'Add variant' })).toBeVisible();
  // The second variant's picker opens by itself, but these tests create variants from lists.
  const editor = app.getByRole('dialog', { name: 'Edit variant' });
  await expect(editor.getByRole('combobox', { name: 'Model' })).toBeFocused();
  await app.keyboard.press('Escape');
  await app.keyboard.press('Escape');
  await expect(editor).toBeHidden();
}

const run = (app: Page) => app.getByRole('button', { name: 'Run', exact: true }).click();
const comparison = (app: Page) => app.getByRole('region', { name: 'Comparison' });

async function openList(app: Page): Promise<Locator> {
  await app.getByRole('button', { name: 'From a list…' }).click();
  return app.getByRole('dialog', { name: 'Create variants from a list' });
}

test('compares two voices blind, by metrics and by word error rate', async ({ app }) => {
  await startComparing(app, 'Speech');
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('The gate opens at dawn.');
  await app.getByRole('button', { name: 'Texts: 1' }).click();
  await app.getByRole('textbox', { name: 'More texts' }).fill('It closes at dusk.');
  await app.keyboard.press('Escape');
  const list = await openList(app);
  await list.getByRole('combobox', { name: 'Models' }).selectOption('Panel’s model');
  await list.getByRole('combobox', { name: 'Field', exact: true }).selectOption('Voice');
  await list.getByRole('textbox', { name: 'Values for field' }).fill('alloy, echo');
  await expectNothing(app, 'speech: the list of variants');
  await list.getByRole('button', { name: 'Replace variants' }).click();
  await app
    .getByRole('button', { name: /^Edit / })
    .first()
    .click();
  await expectNothingInDialog(app, 'speech: a variant');
  await expect(app.getByText('4 requests', { exact: true })).toBeVisible();
  await run(app);
  await expect(comparison(app).getByText('4 of 4 requests done')).toBeVisible({ timeout: 60_000 });
  await expect(comparison(app).getByRole('article')).toHaveCount(4);
  await expect(comparison(app).getByText('voice echo').first()).toBeVisible();
  await checkComparison(app, 'speech');

  const blind = comparison(app).getByRole('switch', { name: 'Blind' });
  await blind.click();
  const pick = comparison(app).getByRole('radiogroup', { name: 'Best' }).first();
  await pick.getByText('B', { exact: true }).click();
  await expectNothing(app, 'speech: compared blind');
  // Neither History nor the inspector may reveal the names, even while the comparison is closed.
  await app.getByRole('link', { name: 'History', exact: true }).click();
  const record = app.getByRole('article', { name: 'Comparison' });
  await expect(record.getByRole('option', { name: /^Hidden while Blind is on/ })).toHaveCount(4);
  await expect(record).not.toContainText(/demo-|alloy|echo/);
  await record.getByRole('option').first().click();
  await app.keyboard.press('ControlOrMeta+J');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  await expect(inspector.getByText('Hidden while Blind is on').first()).toBeVisible();
  await expect(inspector).not.toContainText('demo-');
  await app.keyboard.press('ControlOrMeta+J');
  await app.getByRole('button', { name: 'Show comparison' }).click();
  await record.getByRole('button', { name: 'Open in Speech' }).click();
  await expect(pick.getByRole('radio', { name: 'B' })).toBeChecked();
  await expect(comparison(app).getByText('voice echo')).toHaveCount(0);
  await blind.click();
  const picks = comparison(app).getByRole('list', { name: 'Blind picks' });
  await expect(picks.getByText(/^demo-speech.* 1$/)).toHaveCount(1);
  await expect(picks.getByText('Tie 0')).toBeVisible();

  await comparison(app).getByText('Metrics', { exact: true }).click();
  const table = comparison(app).getByRole('table', { name: 'Metrics' });
  await expect(table.getByRole('columnheader', { name: 'Format received' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'Real-time factor' })).toBeVisible();
  await expect(table.getByRole('cell', { name: /LUFS/ }).first()).toBeVisible();
  await table.getByRole('button', { name: 'Duration' }).click();
  await expect(table.getByRole('columnheader', { name: 'Duration' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expectNothing(app, 'speech: figures');
  await comparison(app).getByText('Results', { exact: true }).click();
  await comparison(app).getByRole('button', { name: 'Transcribe all' }).click();
  await expect(comparison(app).getByText('WER 0.0%')).toHaveCount(4, { timeout: 60_000 });
});

test('compares transcripts to a reference text, and rankings to relevance labels', async ({
  app,
}) => {
  const said = 'The gate opens at dawn and closes at dusk. Whoever comes is welcome.';
  await app.getByRole('link', { name: 'Speech', exact: true }).click();
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill(said);
  await run(app);
  const spoken = app.getByRole('region', { name: 'Result' });
  await expect(spoken.getByText('Succeeded')).toBeVisible();
  await spoken.getByRole('button', { name: 'Send to' }).click();
  await app.getByRole('menuitem', { name: 'Send to transcription' }).click();
  await app.getByRole('button', { name: 'Compare', exact: true }).click();
  const models = await openList(app);
  await models.getByRole('textbox', { name: 'Name contains' }).fill('demo-transcribe');
  await models.getByRole('button', { name: 'Replace variants' }).click();
  await run(app);
  await expect(comparison(app).getByText(/^(\d+) of \1 requests done$/)).toBeVisible();
  await comparison(app).getByRole('textbox', { name: 'Reference text' }).fill(said);
  const aligned = comparison(app).getByRole('region', { name: 'Aligned transcripts' });
  await expect(aligned.getByText('0.0%').first()).toBeVisible();
  await checkComparison(app, 'transcription');
  // Selecting a word that differs must play only that word.
  const position = comparison(app).getByRole('slider', { name: /^Position in/ });
  await expect(position).toHaveAttribute('aria-valuenow', '0');
  await aligned
    .getByRole('button', { description: /^Play / })
    .last()
    .press('Enter');
  await expect
    .poll(async () => Number(await position.getAttribute('aria-valuenow')))
    .toBeGreaterThan(0.5);
  await expect(comparison(app).getByRole('button', { name: 'Play', exact: true })).toBeVisible();

  await startComparing(app, 'Rerank');
  await app.getByRole('textbox', { name: 'Query' }).fill('when does the gate open');
  await app
    .getByRole('textbox', { name: 'Documents' })
    .fill('The gate opens at dawn.\nBread is baked at night.\nA gate of iron.');
  const rerankers = await openList(app);
  await expect(rerankers.getByRole('checkbox', { name: 'All 2' })).toBeChecked();
  await rerankers.getByRole('button', { name: 'Replace variants' }).click();
  await run(app);
  const rankings = comparison(app).getByRole('region', { name: 'Ranking comparison' });
  await expect(rankings.getByText(/Kendall/).first()).toBeVisible();
  const label = rankings.getByRole('button', { name: /^Label document 1 as 3/ }).first();
  await label.click();
  const first = rankings.getByRole('row', { name: /^demo-rerank / });
  await expect(first.getByRole('cell').last()).toBeInViewport({ ratio: 1 });
  await expect(first).toContainText('1.000');
  await checkComparison(app, 'rerank');
  await app.reload();
  await expect(label).toHaveAttribute('aria-pressed', 'true');

  await app.getByRole('spinbutton', { name: 'Repeats' }).fill('11');
  await run(app);
  const question = app.getByRole('alertdialog', { name: 'Send 22 requests?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(comparison(app).getByText('2 of 2 requests done')).toBeVisible();
});
