import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { startComparing } from './fixtures/compared.ts';

test.use({ demoSpeed: 20 });

async function openPrices(app: Page): Promise<void> {
  await app.getByRole('link', { name: 'Settings' }).click();
  await app.getByRole('link', { name: 'Prices' }).click();
}

interface NewPrice {
  model: string;
  field: 'Speech' | 'Output';
  /** Per million characters of speech, or output tokens. */
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

test('setting a price shows the estimated cost of earlier runs, and Undo reverts it', async ({
  app,
}) => {
  await app.getByRole('link', { name: 'Speech' }).click();
  await app.getByRole('textbox', { name: 'Text', exact: true }).fill('Blue river');
  await app.getByRole('button', { name: 'Run' }).click();
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^Total /)).toBeVisible();
  await expect(result.getByText('Est. cost')).toHaveCount(0);

  await addPrice(app, { model: 'demo-speech', field: 'Speech', dollars: '15' });
  await expect(app.getByRole('row', { name: /demo-speech/ })).toContainText('$15.00');

  await app.getByRole('link', { name: 'Speech' }).click();
  // 10 characters × $15 / 1M.
  await expect(result.getByText('Est. cost $0.00015')).toBeVisible();
  await app.getByRole('link', { name: 'History' }).click();
  await expect(app.getByText('Est. cost $0.00015 (1 priced run)')).toBeVisible();

  await openPrices(app);
  await app.getByRole('button', { name: 'Delete price for demo-speech' }).click();
  await expect(app.getByText('No prices yet')).toBeVisible();
  await app.getByRole('button', { name: 'Undo' }).click();
  await expect(app.getByRole('row', { name: /demo-speech/ })).toBeVisible();
});

test('a daily cap asks before a run exceeds it, shows the cost, and lets the user continue', async ({
  app,
}) => {
  // 10 characters: $0.15.
  await addPrice(app, { model: 'demo-speech', field: 'Speech', dollars: '15000' });
  await app.getByRole('button', { name: 'Demo: Set daily cap' }).click();
  const cap = app.getByRole('dialog', { name: 'Daily cap for Demo' });
  await cap.getByRole('spinbutton', { name: 'Daily cap' }).fill('0.20');
  await expectNothing(app, 'a daily cap');
  await cap.getByRole('button', { name: 'Save' }).click();
  await expect(app.getByText('Est. $0.00 of $0.20 today')).toBeVisible();
  await expectNothing(app, 'the price table');

  await app.getByRole('link', { name: 'Speech' }).click();
  const text = app.getByRole('textbox', { name: 'Text', exact: true });
  const run = app.getByRole('button', { name: 'Run', exact: true });
  const question = app.getByRole('alert').filter({ hasText: 'cap (estimated)' });
  await text.fill('Blue river');
  await run.click();
  const result = app.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Est. cost $0.15')).toBeVisible();

  await run.click();
  await expect(question).toContainText(
    'Demo has used $0.15 of today’s $0.20 cap (estimated). This request would add about $0.15.',
  );
  await expectNothing(app, 'a question about a daily cap');
  // The question was about another text.
  await text.fill('Blue water');
  await expect(question).toBeHidden();
  await run.click();
  await question.getByRole('button', { name: 'Run anyway' }).click();
  await expect(question).toBeHidden();
  await expect(result.getByText('Est. cost $0.15')).toBeVisible();
  await app.getByRole('link', { name: 'History' }).click();
  await expect(app.getByText('Est. cost $0.30 (2 priced runs)')).toBeVisible();
  await app.getByRole('button', { name: 'Run again' }).click();
  await expect(question).toContainText('$0.30 of today’s $0.20 cap');
  await question.getByRole('button', { name: 'Run anyway' }).click();
  await expect(app.getByText('Est. cost $0.45 (3 priced runs)')).toBeVisible();
  await expect(question).toBeHidden();

  await openPrices(app);
  await expect(app.getByText('Est. $0.45 of $0.20 today')).toBeVisible();
  await addPrice(app, { model: 'demo-story', field: 'Output', dollars: '10' });

  await app.getByRole('link', { name: 'Chat', exact: true }).click();
  const message = app.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('Hello');
  await run.click();
  await expect(question).toContainText('The cost of this request can’t be estimated in advance.');
  await expect(app.getByRole('article')).toHaveCount(0);
  await question.getByRole('button', { name: 'Run anyway' }).click();
  await expect(app.getByRole('article', { name: 'assistant' })).toBeVisible();
  await expect(question).toBeHidden();
  await expect(message).toHaveValue('');
});

test('a daily cap pauses the rest of a comparison when it is reached', async ({ app }) => {
  await addPrice(app, { model: 'demo-story', field: 'Output', dollars: '1000000' });
  await app.getByRole('button', { name: 'Demo: Set daily cap' }).click();
  const cap = app.getByRole('dialog', { name: 'Daily cap for Demo' });
  await cap.getByRole('spinbutton', { name: 'Daily cap' }).fill('0.35');
  await cap.getByRole('button', { name: 'Save' }).click();
  await expect(cap).toBeHidden();

  await app.getByRole('link', { name: 'Completion', exact: true }).click();
  const model = app.getByRole('combobox', { name: 'Model' });
  await expect(model).not.toHaveValue('');
  await startComparing(app, await model.inputValue());
  await app.keyboard.press('Escape');
  await app.getByRole('textbox', { name: 'Prompt' }).fill('Once upon a time');
  await app.getByRole('spinbutton', { name: 'Repeats' }).fill('4');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  // Requests sent at the same time pass; then the first one has cost more than the cap.
  const comparison = app.getByRole('region', { name: 'Comparison' });
  const notice = comparison.getByRole('status').filter({ hasText: 'waiting.' });
  await expect(notice).toHaveText(
    /^(\d+) requests waiting\. .* of today’s \$0\.35 cap \(estimated\)\. These \1 requests would add about /,
  );
  await expectNothing(app, 'a comparison behind a daily cap');
  await expect(comparison.getByText('Not sent yet').first()).toBeVisible();
  await notice.getByRole('button', { name: 'Run anyway' }).click();
  await expect(comparison.getByText('8 of 8 requests done')).toBeVisible();
  await expect(notice).toBeHidden();
  await comparison.getByText('Metrics', { exact: true }).click();
  const table = comparison.getByRole('table', { name: 'Metrics' });
  await expect(table.getByRole('button', { name: 'Est. cost' })).toBeVisible();
});
