import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { useLiveComparisons } from '../../renderer/run/compare/live-comparisons.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import type { Comparison } from '../../shared/comparison.ts';
import { type ComparisonNotes, noNotes } from '../../shared/comparison-notes.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels } from './panel-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  location.hash = '#/rerank';
  resetPanels();
});

const warnings = [
  'A result refers to a document that wasn’t sent.',
  'Two results refer to the same document.',
];

/** Two documents ranked by a good model and by an odd one. */
async function openRankings(notes: Partial<ComparisonNotes> = {}) {
  const variant = (id: string) => ({
    ...{ id, name: id, connectionId: 'demo', request: { model: id } },
    ...{ extraBody: {}, wireNames: {}, differences: [] },
  });
  const documents = ['A gate', 'A door'];
  const comparison: Comparison = {
    ...{ id: 'ranked', title: 'Gates', operation: 'rerank', createdAt: 0, repeats: 1 },
    ...{ conversationId: null, sourceComparisonId: null },
    rows: [
      {
        ...{ id: 'input', label: 'Gates', sourceRunId: null, variants: [] },
        request: { query: 'gate', documents },
      },
    ],
    variants: [variant('good'), variant('odd')],
  };
  const result = (index: number, relevanceScore: number, problem = null as 'repeated' | null) => ({
    ...{ index, relevanceScore, document: null, problem },
  });
  const run = (id: string) => ({
    ...{ id, operation: 'rerank' as const, status: 'succeeded' as const },
  });
  layDown(
    runView('rerank', { ...run('good'), state: { results: [result(0, 0.9), result(1, 0.1)] } }),
  );
  layDown(
    runView('rerank', {
      ...run('odd'),
      state: {
        results: [
          { ...result(999, 0.99), problem: 'out-of-range' },
          result(0, 0.8),
          result(0, 0.7, 'repeated'),
          result(1, 0.2),
        ],
        warnings,
      },
    }),
  );
  main.plans.set('ranked', comparison);
  const cells = comparison.variants.map(({ id }, place) => ({
    ...{ place, rowId: 'input', variantId: id, repeat: 0, messageId: null },
    ...{ state: 'sent' as const, attempts: 1, run: runSummary(run(id)), problem: null },
  }));
  const ranked = {
    ...{ comparison, notes: { ...noNotes, ...notes }, cells, heldBy: null, sending: [] },
  };
  useLiveComparisons.setState({ views: { ranked } });
  const screen = await render(
    <PanelPage>
      <RerankPanel />
    </PanelPage>,
  );
  panelForms.rerank.change({ comparing: true, comparisonId: 'ranked' });
  return screen;
}

it('lists the warnings of a response in its cell', async () => {
  const screen = await openRankings();
  const cell = (name: string) => screen.getByRole('article', { name, exact: true });
  const listed = cell('odd').getByRole('list', { name: 'Warnings' });
  await expect.element(listed).toBeVisible();
  for (const warning of warnings) await expect.element(listed.getByText(warning)).toBeVisible();
  expect(cell('good').getByRole('list', { name: 'Warnings' }).elements()).toEqual([]);
});

it('only counts warnings while names are hidden', async () => {
  const screen = await openRankings({
    blind: { isHidden: true, order: ['good', 'odd'], picks: {} },
  });
  const listed = screen.getByRole('list', { name: 'Warnings' });
  await expect.element(listed.getByText('2 warnings. Turn off Blind to see.')).toBeVisible();
  expect(listed.getByText('Two results').elements()).toEqual([]);
});
