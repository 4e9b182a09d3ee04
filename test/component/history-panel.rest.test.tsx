import { beforeEach, expect, it } from 'vitest';

import { clearFilters, useHistory } from '../../renderer/features/history/history-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { useUndo } from '../../renderer/lib/undo.ts';
import { useLiveComparisons } from '../../renderer/run/compare/live-comparisons.ts';
import { appError } from '../../shared/errors.ts';
import type { RunSummary } from '../../shared/run.ts';
import { runView } from '../fixtures/run-view.ts';
import { openHistory, storeComparison } from './history-fixtures.tsx';
import { main } from './panel-fake-main.ts';
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

it('hides a run’s variant in a blind comparison', async () => {
  storeComparison('heron', 'otter');
  main.blind = ['birds'];
  const { screen, button } = await openHistory();
  const record = screen.getByRole('article', { name: 'Comparison' });
  const request = record.getByRole('option', { name: /Hidden while Blind is on.*Birds.*Repeat 1/ });
  await expect.element(request.nth(1)).toBeVisible();
  await expect.element(record).not.toMatchTextContent(/demo-story|Demo|temperature|otter run/);
  await request.first().click();
  await expect.element(screen.getByText('Hidden while Blind is on')).toBeVisible();
  expect(screen.getByRole('article', { name: 'Run' }).elements()).toEqual([]);
  await button('Show comparison').click();
  await expect.element(record).toBeVisible();
  main.blind = [];
  await queryClient.invalidateQueries();
  await expect.element(record.getByRole('option', { name: /demo-story/ }).first()).toBeVisible();
});

it('returns to the comparison after its run is deleted', async () => {
  storeComparison('heron', 'otter');
  const { screen, button } = await openHistory();
  const record = screen.getByRole('article', { name: 'Comparison' });
  await record.getByRole('option', { name: /temperature 0 Succeeded/ }).click();
  await button('Delete').click();
  await expect.element(record).toBeVisible();
  await expect.element(screen.getByText('Run deleted')).toBeVisible();
  expect(useHistory.getState()).toMatchObject({ shownId: 'birds', shows: 'comparison' });
});

it('links a run to its source and its continuations', async () => {
  const more = { preview: 'The spoken run', status: 'succeeded', createdAt: 20 } as const;
  layDown(runView('speech', { ...more, id: 'spoken', sourceRunId: 'third' }));
  layDown(runView('transcription', { ...more, id: 'lost', preview: 'Lost', sourceRunId: 'gone' }));
  const { screen, row, button } = await openHistory();
  await row('third').click();
  await expect.element(screen.getByText('Continued in')).toBeVisible();
  await button('Speech: The spoken run').click();
  await expect.element(screen.getByText('Started from')).toBeVisible();
  await button('Completion: The third run').click();
  await expect.element(row('third')).toHaveAttribute('aria-selected', 'true');
  await screen.getByRole('option', { name: /Lost/ }).click();
  await expect.element(screen.getByText('A deleted run')).toBeVisible();
});

const expired = appError('forbidden', 'The download link has expired.', 'Follow the task again.');
const task = { id: 't-1', status: 'completed', word: 'completed', progress: null } as const;

function video(more: Partial<RunSummary>) {
  const phase = { name: 'downloading', task } as const;
  return runView('video', { finishedAt: Date.now(), phase, connectionId: 'other', ...more });
}

it('offers to follow a task again only if its video is missing, and opens the new run', async () => {
  layDown(video({ status: 'failed', error: expired }), { prompt: 'A boat' });
  useHistory.getState().showRun('run-1');
  const { screen } = await openHistory();
  const record = screen.getByRole('article', { name: 'Run' });
  const again = record.getByRole('button', { name: 'Follow again' });
  for (const [name, more] of [
    ['downloaded', { status: 'succeeded' }],
    [
      'failed',
      { status: 'failed', phase: { name: 'following', task: { ...task, status: 'failed' } } },
    ],
    ['without a task', { status: 'unknown', phase: { name: 'working', task: null } }],
  ] satisfies [string, Partial<RunSummary>][]) {
    layDown(video({ ...more, id: name }), { prompt: 'A boat' });
    useHistory.getState().showRun(name);
    await expect.element(again).not.toBeInTheDocument();
    await expect.element(record.getByRole('button', { name: 'Run again' })).toBeVisible();
  }
  useHistory.getState().showRun('run-1');
  await expect.element(record.getByRole('alert')).toMatchTextContent(/Follow the task again\./);
  await again.click();
  await expect.poll(() => main.started.length).toBe(1);
  expect(main.started[0]).toEqual({
    connectionId: 'other',
    operation: 'video',
    request: { prompt: 'A boat' },
    extraBody: {},
    wireNames: {},
    follow: 't-1',
  });
  await expect.poll(() => useHistory.getState().shownId).toBe('started');
});

it('shows no body for a request without one', async () => {
  const console = runView('console', { status: 'succeeded', finishedAt: Date.now() });
  layDown(console, { method: 'GET', path: '/v1/models', body: null });
  useHistory.getState().showRun('run-1');
  const { screen } = await openHistory();
  const request = screen.getByRole('region', { name: 'Recorded request' });
  await expect.element(request).toMatchTextContent(/path\/v1\/models/);
  expect(request.getByText('body').elements()).toEqual([]);
  expect(request.getByText('null').elements()).toEqual([]);
});

it('replaces a saved filter, and restores the earlier one with Undo', async () => {
  const { screen, button } = await openHistory();
  const menuItem = (name: string) => screen.getByRole('menuitem', { name });
  const getSearches = () => main.filters.map(({ filter }) => filter.search);
  async function saveFilter(search: string) {
    useHistory.getState().narrow({ search });
    await button('Saved filters').click();
    await menuItem('Save filter…').click();
    await screen.getByRole('textbox', { name: 'Name' }).fill(' Mine ');
  }
  await saveFilter('second');
  await button('Save').click();
  await expect.poll(getSearches).toEqual(['second']);
  await queryClient.invalidateQueries();

  await saveFilter('third');
  await expect
    .element(screen.getByText('A filter with this name exists. It will be replaced.'))
    .toBeVisible();
  await button('Replace').click();
  await expect.poll(getSearches).toEqual(['third']);
  await button('Undo').click();
  await expect.poll(getSearches).toEqual(['second']);

  useHistory.getState().narrow({ search: 'second' });
  await queryClient.invalidateQueries();
  await button('Saved filters: Mine').click();
  await menuItem('Delete “Mine”').click();
  await expect.poll(getSearches).toEqual([]);
  await expect.element(screen.getByText('“Mine” deleted')).toBeVisible();
});
