import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { UpdatesCard } from '../../renderer/features/settings/about-section.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import type { UpdateState } from '../../shared/contract/updates.ts';
import { appError } from '../../shared/errors.ts';
import { main, resetMain } from './shell-fake-main.ts';

beforeEach(() => {
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

it('explains why Gatehouse can’t update itself', async () => {
  const screen = await show({ state: 'unavailable', reason: 'This is a development run.' });
  await expect.element(screen.getByRole('status')).toHaveTextContent('This is a development run.');
  expect(screen.getByRole('button').elements()).toEqual([]);
  expect(screen.getByRole('textbox').elements()).toEqual([]);
});

it('saves a feed URL on Enter, rejects an unsafe one, and clears it', async () => {
  const screen = await show({ state: 'off' });
  const field = screen.getByRole('textbox', { name: 'Update feed URL' });
  await field.fill('http://updates.example.com');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveAccessibleDescription(/Use https:\/\//);
  await expect.element(field).toHaveValue('http://updates.example.com');
  expect(main.settings.updateFeedUrl).toBeNull();

  await field.fill('https://updates.example.com ');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => main.settings.updateFeedUrl).toBe('https://updates.example.com');
  await field.fill('');
  await userEvent.tab();
  await expect.poll(() => main.settings.updateFeedUrl).toBeNull();
});

const error = appError('unexpected', 'Gatehouse couldn’t check for updates.', 'Try again.');
const version = '2.0.0';
const restarts = 'Gatehouse 2.0.0 is downloaded. Installing it restarts Gatehouse.';

it.each<[UpdateState, string, string, string]>([
  [{ state: 'unchecked' }, 'Not checked yet.', 'Check for updates', 'check'],
  [{ state: 'available', version }, 'Gatehouse 2.0.0 is available.', 'Download', 'download'],
  [{ state: 'downloaded', version }, restarts, 'Restart and install', 'install'],
  [{ state: 'failed', version: null, error }, 'The check failed.', 'Check for updates', 'check'],
  [{ state: 'failed', version, error }, 'The update failed.', 'Download again', 'download'],
])('offers the single next step of %o', async (update, words, label, step) => {
  const screen = await show(update);
  await expect.element(screen.getByRole('status')).toHaveTextContent(words);
  await screen.getByRole('button', { name: label }).click();
  await expect.poll(() => main.updateSteps).toEqual([step]);
  if (update.state !== 'failed') return;
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Try again\./);
});

it('shows download progress', async () => {
  const bytes = { receivedBytes: 25_000_000, totalBytes: 100_000_000 };
  const screen = await show({ state: 'downloading', version, ...bytes });
  await expect.element(screen.getByText('25.0 MB of 100.0 MB')).toBeVisible();
  await screen.getByRole('button', { name: 'Download' }).click({ force: true });
  expect(main.updateSteps).toEqual([]);
});

it.each([
  ['warns', { lastFour: 'WXYZ', protection: 'environment' } as const, 1],
  ['does not warn', null, 0],
])('%s that the restart loses a key if the environment has %o', async (_, key, count) => {
  main.connections = main.connections.map((connection) => ({ ...connection, key }));
  const screen = await show({ state: 'downloaded', version });
  await expect.element(screen.getByRole('status')).toBeVisible();
  const warning = screen.getByText(/GATEHOUSE_API_KEY is lost on restart\./);
  await expect.poll(() => warning.elements()).toHaveLength(count);
});
