import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { useLiveComparisons } from '../../renderer/run/compare/live-comparisons.ts';
import { getVariants } from '../../renderer/run/compare/variants.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import type { Comparison } from '../../shared/comparison.ts';
import { type ComparisonNotes, noNotes } from '../../shared/comparison-notes.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels } from './panel-fixtures.tsx';

const form = panelForms.rerank;

beforeEach(async () => {
  await page.viewport(1360, 860);
  location.hash = '#/rerank';
  resetPanels();
});

const documents = ['The gate opens at dawn.', 'Bread is baked at night.'];
const warnings = [
  'A result refers to a document that wasn’t sent.',
  'Two results refer to the same document.',
];

async function openPanel() {
  return await render(
    <PanelPage width={976}>
      <RerankPanel />
    </PanelPage>,
  );
}

/** Opens two rankings of two documents. The second may be stopped or have warnings. */
async function openRankings({
  notes = {},
  second = 'succeeded',
  warnings = [],
}: {
  notes?: Partial<ComparisonNotes>;
  second?: 'succeeded' | 'cancelled';
  warnings?: string[];
} = {}) {
  const variant = (id: string) => ({
    ...{ id, name: id, connectionId: 'demo', request: { model: id } },
    ...{ extraBody: {}, wireNames: {}, differences: [] },
  });
  const comparison: Comparison = {
    ...{ id: 'ranked', title: 'Gates', operation: 'rerank', createdAt: 0, repeats: 1 },
    ...{ conversationId: null, sourceComparisonId: null },
    rows: [
      {
        ...{ id: 'input', label: 'Gates', sourceRunId: null, variants: [] },
        request: { query: 'gate', documents },
      },
    ],
    variants: [variant('first'), variant('second')],
  };
  const statusOf = (id: string) => (id === 'second' ? second : 'succeeded');
  const runOf = (id: string) => ({
    ...{ id, operation: 'rerank' as const, status: statusOf(id) },
    ...{ createdAt: 1000, startedAt: 1000, finishedAt: 1046 },
  });
  const result = (index: number, relevanceScore: number) => ({
    ...{ index, relevanceScore, document: null, problem: null },
  });
  for (const { id } of comparison.variants) {
    const results = statusOf(id) === 'succeeded' ? [result(0, 0.9), result(1, 0.1)] : [];
    const state = { results, warnings: id === 'second' ? warnings : [] };
    layDown(runView('rerank', { ...runOf(id), state }));
  }
  main.plans.set('ranked', comparison);
  const cells = comparison.variants.map(({ id }, place) => ({
    ...{ place, rowId: 'input', variantId: id, repeat: 0, messageId: null },
    ...{ state: 'sent' as const, attempts: 1, run: runSummary(runOf(id)), problem: null },
  }));
  const ranked = {
    ...{ comparison, notes: { ...noNotes, ...notes }, cells, heldBy: null, sending: [] },
  };
  useLiveComparisons.setState({ views: { ranked } });
  const screen = await openPanel();
  form.change({ input: { query: 'gate', documents: documents.join('\n') } });
  form.change({ comparing: true, comparisonId: 'ranked' });
  const results = screen.getByRole('region', { name: 'Comparison' });
  await expect.element(results).toBeVisible();
  const cell = (name: string) => results.getByRole('article', { name, exact: true });
  return { screen, results, cell };
}

const boxOf = (locator: { element: () => Element }) => locator.element().getBoundingClientRect();

describe('two rankings', () => {
  it('lists a response’s warnings in its cell', async () => {
    const { cell } = await openRankings({ warnings });
    const listed = cell('second').getByRole('list', { name: 'Warnings' });
    for (const warning of warnings) await expect.element(listed.getByText(warning)).toBeVisible();
    expect(cell('first').getByRole('list', { name: 'Warnings' }).elements()).toEqual([]);
  });
});

describe('Blind', () => {
  it('hides times and warnings that could reveal a model', async () => {
    const blind = { isHidden: true, order: ['second', 'first'], picks: {} };
    const { results, cell } = await openRankings({ notes: { blind }, warnings });
    await expect.element(cell('A')).toBeVisible();
    expect(results.getByText(/46 ms/).elements()).toEqual([]);
    expect(results.getByText(/^(first|second)$/).elements()).toEqual([]);
    const listed = results.getByRole('list', { name: 'Warnings' });
    await expect.element(listed.getByText('2 warnings. Turn off Blind to see.')).toBeVisible();
    expect(listed.getByText('Two results').elements()).toEqual([]);
    await results.getByText('Metrics', { exact: true }).click();
    await expect
      .element(results.getByText('Metrics appear after the first successful request.'))
      .toBeVisible();
  });
});

it('opens the second variant’s picker, and labels Connection and Model', async () => {
  const screen = await openPanel();
  await screen.getByRole('button', { name: 'Compare', exact: true }).click();
  const editor = screen.getByRole('dialog', { name: 'Edit variant' });
  const model = editor.getByRole('combobox', { name: 'Model' });
  await expect.element(model).toHaveFocus();
  await expect.element(model).toHaveValue('');
  await expect.element(model).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{Escape}');
  for (const label of ['Connection', 'Model']) {
    const shown = editor.getByText(label, { exact: true });
    await expect.element(shown).toBeVisible();
    expect(boxOf(shown).width).toBeGreaterThan(20);
  }
  const [, second] = getVariants(form.state.getState().values.variants);
  expect(second?.models).toEqual({ demo: '' });
});
