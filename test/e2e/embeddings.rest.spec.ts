import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
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

test('embeds 200 texts, and shows their similarities, neighbors and map', async ({ app }) => {
  await openPanel(app, 'Embeddings');
  await app.getByRole('textbox', { name: 'Inputs', exact: true }).fill(texts.join('\n'));
  await app.getByRole('spinbutton', { name: 'Batch size' }).fill('64');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result(app).getByText('200 vectors, 384 dimensions')).toBeVisible();

  const show = (name: string) => result(app).getByRole('radio', { name, exact: true }).check();
  await show('Similarity');
  await expect(result(app).getByRole('img', { name: /^Similarities of 200 inputs/ })).toBeVisible();
  await expectNothing(app, 'embeddings: heat map');
  await show('Table');
  const table = result(app).getByRole('table', { name: 'Similarities' });
  await expect(table).toHaveAttribute('aria-rowcount', '201');
  await expectNothing(app, 'embeddings: table');
  await table.getByRole('button', { name: 'Sort by similarity to input 1', exact: true }).click();
  await expect(table.getByRole('row').nth(1)).toContainText('1 · Sentence 1 is about boats');

  await show('List');
  await result(app).getByRole('button', { name: 'Neighbors of input 3', exact: true }).click();
  const neighbors = result(app).getByRole('list', { name: 'Neighbors' });
  await expect(neighbors.getByRole('listitem').first()).toContainText('rain from the north');
  await result(app).getByRole('textbox', { name: 'Or a query' }).fill('a bicycle in red');
  await app.keyboard.press('Enter');
  await expect(neighbors.getByRole('listitem').first()).toContainText('a red bicycle');
  await expectNothing(app, 'embeddings: neighbors');

  await show('Map');
  const map = result(app).getByRole('img', { name: /^Map of 200 inputs/ });
  await map.focus();
  await app.keyboard.press('ArrowRight');
  await expect(result(app).getByText(/^1 · Sentence 1 /)).toBeVisible();
  await expectNothing(app, 'embeddings: map');
  await show('UMAP');
  await expect(result(app).getByText('Near points are similar')).toBeVisible();
});
