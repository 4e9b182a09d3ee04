import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { clearFilters, useHistory } from '../../renderer/features/history/history-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { useUndo } from '../../renderer/lib/undo.ts';
import { useShownCheck } from '../../renderer/run/check/listed-check.ts';
import { useLiveComparisons } from '../../renderer/run/compare/live-comparisons.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { openHistory, storeComparison } from './history-fixtures.tsx';
import { recordNotes } from './notes.ts';
import { api, main } from './panel-fake-main.ts';
import { layDown, resetPanels } from './panel-fixtures.tsx';

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

it('deletes a run while another deletion is in progress', async () => {
  const release = holdDeletions();
  const notes = recordNotes();
  const { screen, row } = await openHistory();
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
  const { screen, row, button } = await openHistory();
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

it('lists a comparison as one entry, and opens its runs from it', async () => {
  storeComparison('heron', 'otter');
  const { screen, button } = await openHistory();
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

it('lists a check as one entry, which opens in Check and is deleted as a whole', async () => {
  const run = { comparisonId: 'asked', createdAt: 20, preview: 'Say blue.' } as const;
  layDown(runView('chat', { ...run, id: 'probed', status: 'succeeded' }));
  const target = { connectionId: 'demo', connectionName: 'Demo', comparisonIds: ['asked'] };
  const createdAt = Date.UTC(2026, 0, 2);
  const check = { id: 'check', title: 'one, two', createdAt, models: ['one', 'two'] };
  const operations: OperationName[] = ['console', 'chat'];
  main.checks = [{ ...check, ...target, operations, kind: 'probe', state: 'done' }];
  const { screen, button } = await openHistory();
  const entry = screen.getByRole('option', { name: /Check ?Probe ?one, two/ });
  await entry.click();
  expect(entry.element().querySelector('time')?.dateTime).toBe('2026-01-02T00:00:00.000Z');
  const shown = screen.getByRole('article', { name: 'Check' });
  await expect.element(shown.getByText('Model list, Chat', { exact: true })).toBeVisible();
  await button('Open in Check').click();
  await expect.poll(() => location.hash).toContain('check');
  expect(useShownCheck.getState()).toMatchObject({ kind: 'probe', shown: { probe: 'check' } });
  await button('Delete').click();
  await expect.element(screen.getByText('Check deleted')).toBeVisible();
  await expect.element(entry).not.toBeInTheDocument();
  expect(main.checks).toEqual([]);
});

it('restores a deleted run with Undo and focuses it, and deletes a comparison with its runs', async () => {
  storeComparison('heron', 'otter');
  const before = main.runs;
  const undoing = vi.spyOn(api.deletions, 'undo').mockImplementation(async () => {
    main.runs = before;
    return { renamed: [], notes: [] };
  });
  onTestFinished(() => undoing.mockRestore());
  const { screen, row, button } = await openHistory();
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

it('shows the audio that a transcription refers to', async () => {
  const id = 'r'.repeat(22);
  main.media.set(id, medium({ id, kind: 'audio', type: 'audio/mpeg', name: 'talk.mp3' }));
  layDown(runView('transcription', { id: 'spoken', status: 'succeeded', createdAt: 9 }), {
    file: `media:${id}`,
    model: 'demo-transcribe',
  });
  const { screen } = await openHistory();
  useHistory.getState().showRun('spoken');
  const request = screen.getByRole('region', { name: 'Recorded request' });
  await expect.element(request.getByRole('group', { name: 'talk.mp3' })).toBeVisible();
  expect(request.getByText(`media:${id}`).elements()).toEqual([]);
});

it('shows metrics of all runs that match the filter', async () => {
  main.metrics = {
    runs: 40,
    failures: 4,
    dollars: 0.5,
    pricedRuns: 40,
    totalMs: { p50: 1200, p95: 4000, count: 36 },
    firstOutputMs: { p50: 300, p95: null, count: 9 },
    periods: [{ from: 1, runs: 40, failures: 4 }],
  };
  const { screen } = await openHistory();
  const metrics = screen.getByRole('region', { name: 'Metrics' });
  await expect
    .element(metrics)
    .toMatchTextContent(
      '40 runs4 failed (10%)Est. cost $0.50Total time p50 1.20 s · p95 4.00 sFirst token p50 300 ms',
    );
  await expect.element(metrics.getByRole('img', { name: /Runs over time/ })).toBeVisible();
});
