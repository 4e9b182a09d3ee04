import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { checkComparison, startComparing } from './fixtures/compared.ts';

test.use({ demoSpeed: 20 });

async function openPrices(app: Page): Promise<void> {
  await app.getByRole('link', { name: 'Settings' }).click();
  await app.getByRole('link', { name: 'Prices' }).click();
}

interface NewPrice {
  model: string;
  field: 'Speech' | 'Output';
  /** The price per million characters of speech or per million output tokens. */
  dollars: string;
}

async function addPrice(app: Page, { model, field, dollars }: NewPrice): Promise<void> {
  await openPrices(app);
  await app.getByRole('button', { name: 'Add price' }).click();
  const dialog = app.getByRole('dialog', { name: 'Add price' });
  await dialog.getByRole('combobox', { name: 'Model' }).fill(model);
  if (field === 'Speech')
    await dialog.getByRole('button', { name: 'Images, video and audio' }).click();
  await dialog.getByRole('spinbutton', { name: field }).fill(dollars);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

/** Fills in the daily cap, and returns the dialog for the test to save. */
async function fillCap(app: Page, dollars: string): Promise<Locator> {
  await app.getByRole('button', { name: 'Demo: Set daily cap' }).click();
  const dialog = app.getByRole('dialog', { name: 'Daily cap for Demo' });
  await dialog.getByRole('spinbutton', { name: 'Daily cap' }).fill(dollars);
  return dialog;
}

test('prices an earlier run, and asks before a run exceeds the daily cap', async ({ app }) => {
  await app.getByRole('link', { name: 'Speech' }).click();
  const run = app.getByRole('button', { name: 'Run', exact: true });
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('Blue river');
  await run.click();
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^Total /)).toBeVisible();
  await expect(result.getByText('Est. cost')).toHaveCount(0);

  // 10 characters cost $0.15.
  await addPrice(app, { model: 'demo-speech', field: 'Speech', dollars: '15000' });
  const cap = await fillCap(app, '0.20');
  await expectNothing(app, 'a daily cap');
  await cap.getByRole('button', { name: 'Save' }).click();
  await expect(cap).toBeHidden();
  await expect(app.getByText('Est. $0.15 of $0.20 today')).toBeVisible();
  await expectNothing(app, 'the price table');
  await app.getByRole('link', { name: 'Speech' }).click();
  await expect(result.getByText('Est. cost $0.15')).toBeVisible();
  await run.click();
  const question = app.getByRole('alert').filter({ hasText: 'cap (estimated)' });
  await expect(question).toContainText(
    'Demo has used $0.15 of today’s $0.20 cap (estimated). This request would add about $0.15.',
  );
  await expectNothing(app, 'a question about a daily cap');
  await question.getByRole('button', { name: 'Run anyway' }).click();
  await expect(question).toBeHidden();
  await app.getByRole('link', { name: 'History' }).click();
  await expect(app.getByText('Est. cost $0.30')).toBeVisible();
  await app.getByRole('button', { name: 'Run again' }).click();
  await expect(question).toContainText('$0.30 of today’s $0.20 cap');

  await openPrices(app);
  await app.getByRole('button', { name: 'Delete price for demo-speech' }).click();
  await expect(app.getByText('No prices yet')).toBeVisible();
  await app.getByRole('button', { name: 'Undo' }).click();
  await expect(app.getByRole('row', { name: /demo-speech/ })).toContainText('$15,000.00');
});

test('pauses a completion comparison at the daily cap, then highlights the shared text', async ({
  app,
}) => {
  // A first answer of one token, which costs $1, lets Gatehouse estimate the comparison.
  await app.getByRole('link', { name: 'Completion', exact: true }).click();
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');
  await app.getByRole('textbox', { name: 'Prompt' }).fill('Once upon a time');
  const limit = app.getByRole('spinbutton', { name: 'Max tokens' });
  await limit.fill('1');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(app.getByRole('region', { name: 'Result' }).getByText(/^Total /)).toBeVisible();
  await limit.fill('');
  await addPrice(app, { model: 'demo-story', field: 'Output', dollars: '1000000' });
  const cap = await fillCap(app, '10');
  await cap.getByRole('button', { name: 'Save' }).click();
  await expect(cap).toBeHidden();
  await app.getByRole('link', { name: 'Completion', exact: true }).click();
  const editor = await startComparing(app, 'demo-story');
  // A token limit would let Gatehouse estimate the whole comparison before sending it.
  await editor.getByRole('textbox', { name: 'Stop sequence' }).fill('.');
  await app.keyboard.press('Escape');
  await app.getByRole('spinbutton', { name: 'Repeats' }).fill('3');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  // Concurrent requests pass the check; once the first one ends, its cost exceeds the cap.
  const comparison = app.getByRole('region', { name: 'Comparison' });
  const notice = comparison.getByRole('status').filter({ hasText: 'waiting.' });
  await expect(notice).toHaveText(
    /^(\d+) requests waiting\. .* of today’s \$10(?:\.00)? cap \(estimated\)\. These \1 requests would add about /,
  );
  await expectNothing(app, 'a comparison behind a daily cap');
  await expect(comparison.getByText('Not sent yet').first()).toBeVisible();
  await notice.getByRole('button', { name: 'Run anyway' }).click();
  await expect(comparison.getByText('6 of 6 requests done')).toBeVisible();
  await expect(notice).toBeHidden();

  const compared = comparison.getByRole('region', { name: 'Continuations compared' });
  const shared = compared.getByText(/^Common prefix: \d+ words\. /);
  await expect(shared).toBeVisible();
  await checkComparison(app, 'completion');
  await compared.getByRole('switch', { name: 'Common prefix' }).press('Space');
  await expect(shared).toBeHidden();
  await compared.getByRole('button', { name: 'Compare two' }).press('Enter');
  const dialog = app.getByRole('dialog', { name: 'Compare two continuations' });
  await expect(dialog.getByText('The texts are identical.')).toBeVisible();
  await dialog
    .getByRole('combobox', { name: 'Second' })
    .selectOption('demo-story · stop ., Repeat 1');
  await expect(dialog.getByText(/^\+0 −\d+ words$/)).toBeVisible();
  await expectNothing(app, 'completion: two continuations');
  await app.keyboard.press('Escape');
  await expect(compared.getByRole('button', { name: 'Compare two' })).toBeFocused();
  await comparison.getByText('Metrics', { exact: true }).click();
  await expect(comparison.getByRole('button', { name: 'Est. cost' })).toBeVisible();
});
