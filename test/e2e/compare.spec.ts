import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing, expectNothingInDialog } from './fixtures/axe.ts';
import { checkComparison } from './fixtures/compared.ts';

test.describe.configure({ timeout: 300_000 });
test.use({ demoSpeed: 20 });

async function open(app: Page, panel: string): Promise<void> {
  await app.getByRole('link', { name: panel, exact: true }).click();
  await expect(app.getByRole('combobox', { name: 'Model' })).not.toHaveValue('');
  await app.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(app.getByRole('button', { name: 'Add variant' })).toBeVisible();
  // The second variant's model list is open; the tests fill the variants from lists.
  const editor = app.getByRole('dialog', { name: 'Edit variant' });
  await expect(editor.getByRole('combobox', { name: 'Model' })).toBeFocused();
  await app.keyboard.press('Escape');
  await app.keyboard.press('Escape');
  await expect(editor).toBeHidden();
}

/** Two lists; each value of the first is combined with each value of the second. */
async function fill(app: Page, lists: readonly (readonly [field: string, values: string])[]) {
  await app.getByRole('button', { name: 'From a list…' }).click();
  const dialog = app.getByRole('dialog', { name: 'Create variants from a list' });
  await dialog.getByRole('combobox', { name: 'Models' }).selectOption('Panel’s model');
  for (const [at, [field, values]] of lists.entries()) {
    const title = at === 0 ? 'Field' : 'Second field';
    await dialog.getByRole('combobox', { name: title, exact: true }).selectOption(field);
    await dialog.getByRole('textbox', { name: `Values for ${title.toLowerCase()}` }).fill(values);
  }
  await dialog.getByRole('button', { name: 'Replace variants' }).click();
  await expect(dialog).toBeHidden();
}

const run = (app: Page) => app.getByRole('button', { name: 'Run', exact: true }).click();

test('compares two voices at two speeds blind, and shows their figures', async ({ app }) => {
  await open(app, 'Speech');
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('Good morning.');
  await fill(app, [
    ['Voice', 'alloy, echo'],
    ['Speed', '1, 1.5'],
  ]);
  await app
    .getByRole('button', { name: /^Edit / })
    .first()
    .click();
  await expectNothingInDialog(app, 'speech: a variant');
  await app.getByRole('button', { name: 'From a list…' }).click();
  await expectNothingInDialog(app, 'speech: the list of variants');
  await expect(app.getByText('4 requests', { exact: true })).toBeVisible();
  await run(app);

  const comparison = app.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByText('4 of 4 requests done')).toBeVisible();
  await expect(comparison.getByRole('article')).toHaveCount(4);
  await expect(comparison.getByText('voice echo').first()).toBeVisible();
  await checkComparison(app, 'speech');

  await comparison.getByRole('switch', { name: 'Blind' }).click();
  await expect(comparison.getByRole('radiogroup', { name: 'Best' })).toBeVisible();
  await expectNothing(app, 'speech: compared blind');
  // Neither History nor the inspector reveals the names, even when the comparison is not open.
  await app.getByRole('link', { name: 'History', exact: true }).click();
  const record = app.getByRole('article', { name: 'Comparison' });
  await expect(record.getByRole('option', { name: /^Hidden while Blind is on/ })).toHaveCount(4);
  await expect(record).not.toContainText(/demo-|alloy|echo|speed/);
  await record.getByRole('option').first().click();
  await app.keyboard.press('ControlOrMeta+J');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  await expect(inspector.getByText('Hidden while Blind is on').first()).toBeVisible();
  await expect(inspector).not.toContainText('demo-');
  await app.keyboard.press('ControlOrMeta+J');
  await app.getByRole('button', { name: 'Show comparison' }).click();
  await record.getByRole('button', { name: 'Open in Speech' }).click();
  await expect(comparison.getByText('voice echo')).toHaveCount(0);
  await expect(comparison.getByRole('heading', { name: 'A', exact: true })).toBeVisible();
  await comparison
    .getByRole('radiogroup', { name: 'Best' })
    .getByText('B', { exact: true })
    .click();
  await expect(comparison.getByRole('radio', { name: 'B' })).toBeChecked();
  await app.reload();
  await expect(comparison.getByRole('radio', { name: 'B' })).toBeChecked();
  await comparison.getByRole('switch', { name: 'Blind' }).click();
  const picks = comparison.getByRole('list', { name: 'Blind picks' });
  await expect(picks.getByText(/^demo-speech · .+ 1$/)).toHaveCount(1);
  const twice = ['demo-speech · voice echo · speed 1', 'demo-speech · voice echo · speed 1.5'];
  for (const name of twice) {
    await expect(comparison.getByRole('article', { name, exact: true })).toBeVisible();
  }
  await expect(picks.getByText('Tie 0')).toBeVisible();

  await comparison.getByText('Metrics', { exact: true }).click();
  const table = comparison.getByRole('table', { name: 'Metrics' });
  await expect(table.getByRole('row')).toHaveCount(5);
  await expect(table.getByRole('columnheader', { name: 'Format received' })).toBeVisible();
  await expect(
    table.getByRole('cell', { name: 'MP3' }).or(table.getByRole('cell', { name: 'WAV' })),
  ).toHaveCount(4);
  await table.getByRole('button', { name: 'Duration' }).click();
  await expect(table.getByRole('columnheader', { name: 'Duration' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(table.getByRole('row').nth(1)).toContainText('speed 1.5');
  await expectNothing(app, 'speech: figures');
});

test('transcribes two texts by two voices, each against its own text', async ({ app }) => {
  await open(app, 'Speech');
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('The gate opens at dawn.');
  await fill(app, [['Voice', 'alloy, echo']]);
  await app.getByRole('button', { name: 'Texts: 1' }).click();
  await app.getByRole('textbox', { name: 'More texts' }).fill('It closes at dusk.');
  await app.keyboard.press('Escape');
  await expect(app.getByText('4 requests', { exact: true })).toBeVisible();
  await run(app);
  const comparison = app.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByText('4 of 4 requests done')).toBeVisible({ timeout: 60_000 });
  await expect(comparison.getByRole('heading', { name: 'It closes at dusk.' })).toBeVisible();
  await comparison.getByRole('button', { name: 'Transcribe all' }).click();
  await expect(comparison.getByText('WER 0.0%')).toHaveCount(4, { timeout: 60_000 });
});

test('compares two transcriptions of a recording with a reference text', async ({ app }) => {
  await app.getByRole('link', { name: 'Speech', exact: true }).click();
  const said = 'The gate opens at dawn and closes at dusk. Whoever comes is welcome.';
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill(said);
  await run(app);
  const spoken = app.getByRole('region', { name: 'Result' });
  await expect(spoken.getByText('Succeeded')).toBeVisible();
  await spoken.getByRole('button', { name: 'Send to' }).click();
  await app.getByRole('menuitem', { name: 'Send to transcription' }).click();
  await app.getByRole('button', { name: 'Compare', exact: true }).click();

  await app.getByRole('button', { name: 'From a list…' }).click();
  const dialog = app.getByRole('dialog', { name: 'Create variants from a list' });
  await dialog.getByRole('textbox', { name: 'Name contains' }).fill('demo-transcribe');
  await dialog.getByRole('button', { name: 'Replace variants' }).click();
  await run(app);
  const comparison = app.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByText(/^(\d+) of \1 requests done$/)).toBeVisible();
  await comparison.getByRole('textbox', { name: 'Reference text' }).fill(said);
  const aligned = comparison.getByRole('region', { name: 'Aligned transcripts' });
  await expect(aligned.getByText('0.0%').first()).toBeVisible();
  await checkComparison(app, 'transcription');
  // Selecting a word that differs plays only that word.
  const position = comparison.getByRole('slider', { name: /^Position in/ });
  await expect(position).toHaveAttribute('aria-valuenow', '0');
  await aligned
    .getByRole('button', { description: /^Play / })
    .last()
    .press('Enter');
  const seconds = async () => Number(await position.getAttribute('aria-valuenow'));
  await expect.poll(seconds).toBeGreaterThan(0.5);
  await expect(comparison.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  const reference = comparison.getByRole('textbox', { name: 'Reference text' });
  await app.reload();
  await expect(reference).toHaveValue(said);
});

test('compares the rankings of two models, and asks before more than twenty requests', async ({
  app,
}) => {
  await open(app, 'Rerank');
  await app.getByRole('textbox', { name: 'Query' }).fill('when does the gate open');
  await app
    .getByRole('textbox', { name: 'Documents' })
    .fill('The gate opens at dawn.\nBread is baked at night.\nA gate of iron.');
  await app.getByRole('button', { name: 'From a list…' }).click();
  const dialog = app.getByRole('dialog', { name: 'Create variants from a list' });
  await expect(dialog.getByText(/^2 models: demo-rerank/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Replace variants' }).click();
  await run(app);
  const comparison = app.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByText('2 of 2 requests done')).toBeVisible();
  const rankings = comparison.getByRole('region', { name: 'Ranking comparison' });
  await expect(rankings.getByText(/Kendall/).first()).toBeVisible();
  const label = rankings.getByRole('button', { name: /^Label document 1 as 3/ }).first();
  await label.click();
  await expect(label).toHaveAttribute('aria-pressed', 'true');
  const first = rankings.getByRole('row', { name: /^demo-rerank / });
  const last = first.getByRole('cell').last();
  await expect(last).toBeInViewport({ ratio: 1 });
  await expect(first).toContainText('1.000');
  await checkComparison(app, 'rerank');
  // The next comparison of the same query and documents starts with the labels.
  const runs = comparison.getByRole('button', { name: 'More actions' });
  const older = await runs.elementHandle();
  await run(app);
  await expect.poll(async () => older?.isVisible()).toBe(false);
  await expect(comparison.getByText('2 of 2 requests done')).toBeVisible();
  await expect(label).toHaveAttribute('aria-pressed', 'true');
  await app.reload();
  await expect(label).toHaveAttribute('aria-pressed', 'true');

  await app.getByRole('spinbutton', { name: 'Repeats' }).fill('11');
  await expect(app.getByText('22 requests', { exact: true })).toBeVisible();
  await run(app);
  const question = app.getByRole('alertdialog', { name: 'Send 22 requests?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(comparison.getByText('2 of 2 requests done')).toBeVisible();
  await run(app);
  await question.getByRole('button', { name: 'Send 22 requests' }).click();
  await expect(comparison.getByText('22 of 22 requests done')).toBeVisible();
});
