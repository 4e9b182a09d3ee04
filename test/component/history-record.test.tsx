import { beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';

import { HistoryPanel } from '../../renderer/features/history/history-panel.tsx';
import { useHistory } from '../../renderer/features/history/history-store.ts';
import { appError } from '../../shared/errors.ts';
import type { RunSummary } from '../../shared/run.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels } from './panel-fixtures.tsx';

beforeEach(() => {
  resetPanels();
  useHistory.getState().showRun(null);
});

function history() {
  return render(
    <PanelPage>
      <HistoryPanel />
    </PanelPage>,
  );
}

const expired = appError('forbidden', 'The download link has expired.', 'Follow the task again.');
const task = { id: 't-1', status: 'completed', word: 'completed', progress: null } as const;

function video(more: Partial<RunSummary>) {
  const phase = { name: 'downloading', task } as const;
  return runView('video', { finishedAt: Date.now(), phase, connectionId: 'other', ...more });
}

it('offers to follow a task again only if its video is missing, and shows the new run', async () => {
  layDown(video({ status: 'failed', error: expired }), { prompt: 'A boat' });
  const screen = await history();
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
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
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

it('shows no body if the request had none', async () => {
  const console = runView('console', { status: 'succeeded', finishedAt: Date.now() });
  layDown(console, { method: 'GET', path: '/v1/models', body: null });
  const screen = await history();
  const request = screen.getByRole('region', { name: 'Recorded request' });
  await expect.element(request).toMatchTextContent(/path\/v1\/models/);
  expect(request.getByText('body').elements()).toEqual([]);
  expect(request.getByText('null').elements()).toEqual([]);
});
