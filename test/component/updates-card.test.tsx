import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { UpdatesCard } from '../../renderer/features/settings/about-section.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import type { UpdateState } from '../../shared/contract/updates.ts';
import { appError } from '../../shared/errors.ts';
import { main, resetMain } from './shell-fake-main.ts';

beforeEach(async () => {
  await page.viewport(1360, 860);
  queryClient.clear();
  resetMain();
});

function show(update: UpdateState) {
  main.update = update;
  return render(
    <QueryClientProvider client={queryClient}>
      <UpdatesCard />
    </QueryClientProvider>,
  );
}

it('shows why Gatehouse cannot update itself', async () => {
  const screen = await show({ state: 'unavailable', reason: 'This is a development run.' });
  await expect.element(screen.getByRole('status')).toHaveTextContent('This is a development run.');
  expect(screen.getByRole('button').elements()).toEqual([]);
  expect(screen.getByRole('textbox').elements()).toEqual([]);
});

it('saves a feed URL on Enter, rejects an unsafe one and clears it', async () => {
  const screen = await show({ state: 'off' });
  const field = screen.getByRole('textbox', { name: 'Update feed URL' });
  await field.fill('http://updates.example.com');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveAccessibleDescription(/Use https:\/\//);
  await expect.element(field).toHaveValue('http://updates.example.com');
  expect(main.settings.updateFeedUrl).toBeNull();

  await field.fill('https://updates.example.com ');
  await userEvent.keyboard('{Enter}');
  await vi.waitFor(() => expect(main.settings.updateFeedUrl).toBe('https://updates.example.com'));
  await field.fill('');
  await userEvent.tab();
  await vi.waitFor(() => expect(main.settings.updateFeedUrl).toBeNull());
});

const error = appError('unexpected', 'Gatehouse couldn’t check for updates.', 'Try again.');

it.each<[UpdateState, string, string, string]>([
  [{ state: 'unchecked' }, 'Not checked yet.', 'Check for updates', 'check'],
  [
    { state: 'available', version: '2.0.0' },
    'Gatehouse 2.0.0 is available.',
    'Download',
    'download',
  ],
  [
    { state: 'downloaded', version: '2.0.0' },
    'Gatehouse 2.0.0 is downloaded. Installing it restarts Gatehouse.',
    'Restart and install',
    'install',
  ],
  [{ state: 'failed', version: null, error }, 'The check failed.', 'Check for updates', 'check'],
  [
    { state: 'failed', version: '2.0.0', error },
    'The update failed.',
    'Download again',
    'download',
  ],
])('%o offers its one next step', async (update, words, label, step) => {
  const screen = await show(update);
  await expect.element(screen.getByRole('status')).toHaveTextContent(words);
  await screen.getByRole('button', { name: label }).click();
  await vi.waitFor(() => expect(main.updateSteps).toEqual([step]));
  if (update.state === 'failed') {
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/Try again\./);
  }
});

it('shows download progress', async () => {
  const screen = await show({
    state: 'downloading',
    version: '2.0.0',
    receivedBytes: 25_000_000,
    totalBytes: 100_000_000,
  });
  await expect.element(screen.getByText('25.0 MB of 100.0 MB')).toBeVisible();
  await screen.getByRole('button', { name: 'Download' }).click({ force: true });
  expect(main.updateSteps).toEqual([]);
});

it('warns that the restart loses a key from the environment', async () => {
  const downloaded: UpdateState = { state: 'downloaded', version: '2.0.0' };
  const without = await show(downloaded);
  await expect.element(without.getByRole('status')).toBeVisible();
  expect(without.container.textContent).not.toContain('GATEHOUSE_API_KEY');
  await without.unmount();

  queryClient.clear();
  main.connections = main.connections.map((connection) => ({
    ...connection,
    key: { lastFour: 'WXYZ', protection: 'environment' },
  }));
  const screen = await show(downloaded);
  await expect.element(screen.getByText(/GATEHOUSE_API_KEY is lost on restart\./)).toBeVisible();
});
