import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { result } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

const topics = [
  'boats in the harbor',
  'bread with rye flour',
  'rain from the north',
  'a red bicycle',
];
const texts = Array.from(
  { length: 200 },
  (_, at) => `Sentence ${at + 1} is about ${topics[at % topics.length]}.`,
);

test('embeds 200 texts in batches', async ({ app }) => {
  await openPanel(app, 'Embeddings');
  await app.getByRole('textbox', { name: 'Inputs', exact: true }).fill(texts.join('\n'));
  await app.getByRole('spinbutton', { name: 'Batch size' }).fill('64');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result(app).getByText('200 vectors with 384 dimensions')).toBeVisible();
  await app.screenshot({ path: '/tmp/emb-list.png' });
});
