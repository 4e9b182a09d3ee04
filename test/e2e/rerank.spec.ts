import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';

test.use({ demoSpeed: 20 });

test('ranks documents from lines, rows and a file, and shows how far each moved', async ({
  app,
}) => {
  await app.getByRole('link', { name: 'Rerank' }).click();
  await app.getByRole('textbox', { name: 'Query' }).fill('sourdough starter');
  const documents = app.getByRole('textbox', { name: 'Documents' });
  await documents.fill('The bridge opens at seven.\nFeed the sourdough starter every day.');

  await app.getByRole('radio', { name: 'Rows' }).check();
  await app.getByRole('button', { name: 'Add document' }).click();
  await app.getByRole('textbox', { name: 'Document 3' }).fill('A starter motor turns the engine.');
  await app.getByLabel('Document files').setInputFiles({
    name: 'more.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('id,text\n1,"Salt, pepper and\nsourdough bread"\n'),
  });
  await expect(app.getByText('4 documents')).toBeVisible();

  await app.getByRole('textbox', { name: 'Query' }).press('Enter');
  const result = app.getByRole('region', { name: 'Result' });
  const items = result.getByRole('listitem');
  await expect(items).toHaveCount(4);
  await expect(items.first()).toContainText('Feed the sourdough starter every day.');
  await expect(items.first()).toContainText('up 1');
  await expect(items.first()).toContainText(/Score \d\.\d{4}/);
  await expect(items.first()).toContainText('Document 2');
  await expect(items.first().getByText('Document 2')).toHaveAttribute(
    'data-tooltip',
    /^index 1 in the API/,
  );
  await expect(result).toContainText('bm25');
  await expect(result).toContainText(/rerank-/);

  await result.getByRole('radio', { name: 'Table' }).check();
  await expect(result.getByRole('table', { name: 'Ranking' }).getByRole('row')).toHaveCount(5);
  await result.getByRole('radio', { name: 'JSON' }).check();
  await expect(result.getByRole('region', { name: 'Response', exact: true })).toContainText(
    'relevance_score',
  );

  await result.getByRole('button', { name: 'Export' }).click();
  const download = app.waitForEvent('download');
  await app.getByRole('menuitem', { name: 'Export as CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/-\d{6}\.csv$/);

  await app.reload();
  await expect(app.getByRole('textbox', { name: 'Query' })).toHaveValue('sourdough starter');
  await expect(result.getByRole('region', { name: 'Response', exact: true })).toContainText(
    'relevance_score',
  );
});
