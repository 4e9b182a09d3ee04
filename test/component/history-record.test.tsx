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

it('offers to follow a task again and shows the new run', async () => {
  layDown(video({ status: 'failed', error: expired }), { prompt: 'A boat' });
  const screen = await history();
  const record = screen.getByRole('article', { name: 'Run' });
  await expect.element(record.getByRole('alert')).toMatchTextContent(/Follow the task again\./);
  await record.getByRole('button', { name: 'Follow again' }).click();
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

it.each<[string, Partial<RunSummary>]>([
  ['that was downloaded', { status: 'succeeded' }],
  [
    'that failed at the gateway',
    { status: 'failed', phase: { name: 'following', task: { ...task, status: 'failed' } } },
  ],
  ['without a task', { status: 'unknown', phase: { name: 'working', task: null } }],
])('offers no “Follow again” for a video %s', async (_, more) => {
  layDown(video(more), { prompt: 'A boat' });
  const screen = await history();
  await expect.element(screen.getByRole('button', { name: 'Run again' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Follow again' }).elements()).toEqual([]);
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
