/** Opens History with three runs, and with comparisons. */
import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { HistoryPanel } from '../../renderer/features/history/history-panel.tsx';
import {
  type LiveComparison,
  useLiveComparisons,
} from '../../renderer/run/compare/live-comparisons.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { layDown, PanelPage } from './panel-fixtures.tsx';

export async function openHistory() {
  const screen = await render(
    <PanelPage>
      <HistoryPanel />
    </PanelPage>,
  );
  const row = (id: string) => screen.getByRole('option', { name: new RegExp(`The ${id} run`) });
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  await expect.element(row('third')).toBeVisible();
  return { screen, row, button };
}

/** Stores these runs as one comparison, newest first. */
export function storeComparison(...cells: string[]): void {
  for (const [index, id] of cells.toReversed().entries()) {
    const of = { comparisonId: 'birds', cell: index, createdAt: 10 + index };
    layDown(runView('completion', { ...of, id, preview: `The ${id} run`, status: 'succeeded' }));
  }
  const variants = [0, 0.2].map((temperature) => ({
    id: `${temperature}`,
    name: '',
    connectionId: 'demo',
    extraBody: {},
    wireNames: {},
    request: { model: 'demo-story', temperature },
    differences: [`temperature ${temperature}`],
  }));
  const row = { id: 'input', label: 'Birds', request: {}, sourceRunId: null, variants: [] };
  const birds: LiveComparison = {
    comparison: {
      id: 'birds',
      title: 'Birds of the river',
      operation: 'completion',
      createdAt: 10,
      conversationId: null,
      sourceComparisonId: null,
      variants,
      rows: [row],
      repeats: 2,
    },
    notes: { blind: null, labels: {}, references: {}, choices: {} },
    cells: cells.map((_id, place) => ({
      place,
      rowId: 'input',
      variantId: variants[place]?.id ?? '',
      repeat: 0,
      messageId: null,
      state: 'sent',
      attempts: 1,
      run: null,
      problem: null,
    })),
    heldBy: null,
    sending: [],
  };
  useLiveComparisons.setState({ views: { birds } });
  main.plans.set('birds', birds.comparison);
  main.comparisons = [
    {
      id: 'birds',
      title: 'Birds of the river',
      createdAt: 10,
      conversationId: null,
      requests: 3,
      unsent: 0,
      running: 0,
      succeeded: cells.length,
      failed: 1,
      stopped: 0,
    },
  ];
}
