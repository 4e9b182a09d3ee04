import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';

import { ConnectOverlay } from '../../renderer/app/connect-overlay.tsx';
import { CompletionPanel } from '../../renderer/features/completion/completion-panel.tsx';
import { VideoPanel } from '../../renderer/features/video/video-panel.tsx';
import { closeConnectDialog } from '../../renderer/lib/connections.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import type { Connection } from '../../shared/connection.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import { runView } from '../fixtures/run-view.ts';
import { demo, main } from './shell-fake-main.ts';
import { resetShellWithModels } from './shell-fixtures.ts';

const connection = { id: 'mine', name: 'Mine' };
const mine: Connection = {
  ...demo,
  ...connection,
  kind: 'custom',
  key: { lastFour: '6789', protection: 'session' },
};

beforeEach(async () => {
  await resetShellWithModels();
  closeConnectDialog();
});

function Page({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <ConnectOverlay />
    </QueryClientProvider>
  );
}

async function openFailed(error: AppError, changed: Partial<Connection> = {}) {
  main.connections = [demo, { ...mine, ...changed }];
  main.runs = [runView('completion', { id: 'run-1', status: 'failed', error, finishedAt: 1 })];
  main.recorded = { prompt: 'Once', model: 'demo-story' };
  panelForms.completion.change({ runId: 'run-1', input: { prompt: 'Once' } });
  location.hash = '#/completion';
  const screen = await render(
    <Page>
      <CompletionPanel />
    </Page>,
  );
  const alert = screen.getByRole('region', { name: 'Result' }).getByRole('alert');
  await expect.element(alert).toBeVisible();
  return { screen, alert, dialog: screen.getByRole('dialog', { name: 'Edit Mine' }) };
}

const rejected = (connection: { id: string; name: string }) =>
  appError('unauthorized', 'The gateway rejected the API key.', 'Check it.', { connection });
const words = 'The key was kept for the session only. Enter it again.';
const needed = appError('key-needed', words, '', { connection, missing: 'key' });

it('opens the connection at its key field if a video task couldn’t be followed', async () => {
  main.connections = [demo, mine];
  main.startError = rejected(connection);
  location.hash = '#/video';
  const screen = await render(
    <Page>
      <VideoPanel />
    </Page>,
  );
  await screen.getByRole('textbox', { name: 'Follow a task by ID' }).fill('task-1');
  await screen.getByRole('button', { name: 'Follow', exact: true }).click();
  await screen.getByRole('alert').getByRole('button', { name: 'Edit Mine' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Edit Mine' });
  await expect.element(dialog.getByLabelText('API key')).toHaveFocus();
});

it.each([
  ['the connection can’t be edited', rejected({ id: 'demo', name: 'Demo' })],
  ['the key was entered elsewhere', needed],
])('offers only Retry if %s', async (_, error) => {
  const { alert } = await openFailed(error);
  await expect.element(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
  expect(alert.getByRole('button', { name: 'Edit Demo' }).elements()).toHaveLength(0);
  expect(alert.getByLabelText('Key of Mine').elements()).toHaveLength(0);
});

it('opens Advanced if secret values are missing', async () => {
  const gone = 'The secret values are gone.';
  const error = appError('key-needed', gone, '', { connection, missing: 'values' });
  const { alert, dialog } = await openFailed(error, { lost: { key: false, values: true } });
  await alert.getByRole('button', { name: 'Edit Mine' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Add header' })).toBeVisible();
});
