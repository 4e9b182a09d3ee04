import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { HistoryPanel } from '../../renderer/features/history/history-panel.tsx';
import { clearFilters, useHistory } from '../../renderer/features/history/history-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { useUndo } from '../../renderer/lib/undo.ts';
import {
  type LiveComparison,
  useLiveComparisons,
} from '../../renderer/run/compare/live-comparisons.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { runView } from '../fixtures/run-view.ts';
import { recordNotes } from './notes.ts';
import { api, main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels } from './panel-fixtures.tsx';

const newest = ['third', 'second', 'first'];

beforeEach(() => {
  resetPanels();
  useUndo.setState({ offers: [] });
  useHistory.setState({ shownId: null, marked: new Set() });
  useLiveComparisons.setState({ views: {} });
  clearFilters();
  for (const [index, id] of newest.toReversed().entries()) {
    layDown(
      runView('completion', {
        id,
        preview: `The ${id} run`,
        status: 'succeeded',
        createdAt: index,
        finishedAt: index + 1,
      }),
    );
  }
});

/** Holds each run's deletion until the returned function is called with its ID. */
function holdDeletions(): (id: string) => void {
  const held = new Map<string, PromiseWithResolvers<void>>();
  const of = (id: string) => {
    const found = held.get(id) ?? Promise.withResolvers<void>();
    held.set(id, found);
    return found;
  };
  const { remove } = api.runs;
  const removing = vi.spyOn(api.runs, 'remove').mockImplementation(async (input) => {
    await of(input.id).promise;
    return remove(input);
  });
  onTestFinished(() => removing.mockRestore());
  return (id) => of(id).resolve();
}

async function open() {
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

it('deletes a run while another deletion is in progress', async () => {
  const release = holdDeletions();
  const notes = recordNotes();
  const { screen, row } = await open();
  await row('third').click();
  await userEvent.keyboard('{Delete}{Delete}');
  expect(notes).toMatchObject([{ text: 'Deleting…' }]);
  await row('second').click();
  await userEvent.keyboard('{Delete}');
  release('second');
  await expect.element(row('second')).not.toBeInTheDocument();
  await expect.element(row('third')).toBeVisible();
  // The selection stays if the user selected another run in the meantime.
  await row('first').click();
  release('third');
  await expect.element(row('third')).not.toBeInTheDocument();
  await expect.element(screen.getByText('2 runs deleted')).toBeVisible();
  expect(useHistory.getState().shownId).toBe('first');
});

it('focuses Undo after Delete and ignores a quick second press', async () => {
  const notes = recordNotes();
  const { screen, row, button } = await open();
  await row('third').click();
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  await button('Delete').click();
  await expect.element(row('third')).not.toBeInTheDocument();
  await expect.element(button('Undo')).toHaveFocus();
  expect(useHistory.getState().shownId).toBe('second');
  now += 1400;
  await button('Delete').click();
  expect(notes).toMatchObject([{ text: 'This is a different item. Press again to delete it.' }]);
  now += 200;
  await button('Delete').click();
  await expect.element(screen.getByText('2 runs deleted')).toBeVisible();
});

/** Stores these runs as one comparison, newest first. */
function compare(...cells: string[]): void {
  for (const [index, id] of cells.toReversed().entries()) {
    const of = { comparisonId: 'birds', cell: index, createdAt: 10 + index };
    layDown(runView('completion', { ...of, id, preview: `The ${id} run`, status: 'succeeded' }));
  }
  const variants = [0, 0.2].map((temperature) => ({
    ...{ id: `${temperature}`, name: '', connectionId: 'demo', extraBody: {}, wireNames: {} },
    request: { model: 'demo-story', temperature },
    differences: [`temperature ${temperature}`],
  }));
  const row = { id: 'input', label: 'Birds', request: {}, sourceRunId: null, variants: [] };
  const birds: LiveComparison = {
    comparison: {
      ...{ id: 'birds', title: 'Birds of the river', operation: 'completion', createdAt: 10 },
      ...{ conversationId: null, sourceComparisonId: null, variants, rows: [row], repeats: 2 },
    },
    notes: { blind: null, labels: {}, references: {}, choices: {} },
    cells: cells.map((_id, place) => ({
      ...{ place, rowId: 'input', variantId: variants[place]?.id ?? '', repeat: 0 },
      ...{ messageId: null, state: 'sent', attempts: 1, run: null, problem: null },
    })),
    heldBy: null,
    sending: [],
  };
  useLiveComparisons.setState({ views: { birds } });
  main.plans.set('birds', birds.comparison);
  main.comparisons = [
    {
      ...{ id: 'birds', title: 'Birds of the river', createdAt: 10, conversationId: null },
      ...{ requests: 3, unsent: 0, running: 0, succeeded: cells.length, failed: 1, stopped: 0 },
    },
  ];
}

it('lists a comparison as one entry, and opens its runs from it', async () => {
  compare('heron', 'otter');
  const { screen, button } = await open();
  const entry = screen.getByRole('option', { name: /Birds of the river/ });
  await expect.element(entry.getByText('2 succeeded, 1 failed')).toBeVisible();
  const listed = screen.getByRole('listbox', { name: 'Runs' });
  expect(listed.getByRole('option').elements()).toHaveLength(4);
  await entry.click();
  const record = screen.getByRole('article', { name: 'Comparison' });
  await expect.element(record.getByText('Completion comparison')).toBeVisible();
  await expect.element(record.getByText('Failed', { exact: true })).toBeVisible();
  await record.getByRole('option', { name: /temperature 0 Succeeded Repeat 1 · Demo/ }).click();
  await expect.element(screen.getByRole('article', { name: 'Run' })).toBeVisible();
  await expect.element(entry).toHaveAttribute('aria-selected', 'true');
  await button('Comparison: Birds of the river').click();
  await expect.element(record).toBeVisible();
  await button('Open in Completion').click();
  await expect.poll(() => location.hash).toContain('completion');
  const { values } = panelForms.completion.state.getState();
  expect(values).toMatchObject({ comparing: true, comparisonId: 'birds' });
});

it('restores a deleted run with Undo and focuses it, and deletes a comparison with its runs', async () => {
  compare('heron', 'otter');
  const before = main.runs;
  const undoing = vi.spyOn(api.deletions, 'undo').mockImplementation(async () => {
    main.runs = before;
    return { renamed: [], notes: [] };
  });
  onTestFinished(() => undoing.mockRestore());
  const { screen, row, button } = await open();
  await row('second').click();
  await userEvent.keyboard('{Delete}');
  await expect.element(row('second')).not.toBeInTheDocument();
  await button('Undo').click();
  await expect.poll(() => useHistory.getState().shownId).toBe('second');
  await queryClient.invalidateQueries();
  await expect.element(row('second')).toHaveFocus();
  await expect.element(row('second')).toHaveAttribute('aria-selected', 'true');

  const entry = screen.getByRole('option', { name: /Birds of the river/ });
  await entry.click();
  await userEvent.keyboard('{Delete}');
  await expect.element(entry).not.toBeInTheDocument();
  await expect.element(screen.getByText('Comparison deleted')).toBeVisible();
  expect(main.runs.map(({ id }) => id)).not.toContain('heron');
  await expect.element(row('third')).toHaveAttribute('aria-selected', 'true');
});
