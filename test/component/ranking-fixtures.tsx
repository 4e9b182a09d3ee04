/** Opens a comparison of two rankings in the rerank panel. */
import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { useLiveComparisons } from '../../renderer/run/compare/live-comparisons.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import type { Comparison } from '../../shared/comparison.ts';
import { type ComparisonNotes, noNotes } from '../../shared/comparison-notes.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { layDown, PanelPage } from './panel-fixtures.tsx';

export const form = panelForms.rerank;

export const documents = ['The gate opens at dawn.', 'Bread is baked at night.'];

export async function openPanel() {
  return await render(
    <PanelPage width={976}>
      <RerankPanel />
    </PanelPage>,
  );
}

/** Opens two rankings of two documents. The second may be stopped or have warnings. */
export async function openRankings({
  notes = {},
  second = 'succeeded',
  warnings = [],
}: {
  notes?: Partial<ComparisonNotes>;
  second?: 'succeeded' | 'cancelled' | 'unknown';
  warnings?: string[];
} = {}) {
  const variant = (id: string) => ({
    id,
    name: id,
    connectionId: 'demo',
    request: { model: id },
    extraBody: {},
    wireNames: {},
    differences: [],
  });
  const comparison: Comparison = {
    id: 'ranked',
    title: 'Gates',
    operation: 'rerank',
    createdAt: 0,
    repeats: 1,
    conversationId: null,
    sourceComparisonId: null,
    rows: [
      {
        id: 'input',
        label: 'Gates',
        sourceRunId: null,
        variants: [],
        request: { query: 'gate', documents },
      },
    ],
    variants: [variant('first'), variant('second')],
  };
  const statusOf = (id: string) => (id === 'second' ? second : 'succeeded');
  const runOf = (id: string) => ({
    id,
    operation: 'rerank' as const,
    status: statusOf(id),
    createdAt: 1000,
    startedAt: 1000,
    finishedAt: 1046,
  });
  const result = (index: number, relevanceScore: number) => ({
    index,
    relevanceScore,
    document: null,
    problem: null,
  });
  for (const { id } of comparison.variants) {
    const results = statusOf(id) === 'succeeded' ? [result(0, 0.9), result(1, 0.1)] : [];
    const state = { results, warnings: id === 'second' ? warnings : [] };
    layDown(runView('rerank', { ...runOf(id), state }));
  }
  main.plans.set('ranked', comparison);
  const cells = comparison.variants.map(({ id }, place) => ({
    place,
    rowId: 'input',
    variantId: id,
    repeat: 0,
    messageId: null,
    state: 'sent' as const,
    attempts: 1,
    run: runSummary(runOf(id)),
    problem: null,
  }));
  const ranked = {
    comparison,
    notes: { ...noNotes, ...notes },
    cells,
    heldBy: null,
    sending: [],
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

export const boxOf = (locator: { element: () => Element }) =>
  locator.element().getBoundingClientRect();
