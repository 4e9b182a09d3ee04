import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { cancelBackupWork, useBackup } from '../../renderer/features/settings/backup-store.ts';
import { SettingsPanel } from '../../renderer/features/settings/settings-panel.tsx';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import '../../renderer/ui/base.css';
import { ToastRegion } from '../../renderer/ui/toast-region.tsx';
import '../../renderer/ui/tokens.css';
import { appError } from '../../shared/errors.ts';
import { main, resetMain } from './shell-fake-main.ts';

let saved: string[] = [];

beforeEach(() => {
  queryClient.clear();
  resetMain();
  cancelBackupWork();
  useBackup.setState({ work: null, error: null, saved: null, checked: null });
  useLinkState.setState('open', true);
  saved = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(`${new URL(this.href).pathname} ${this.download}`);
  });
});

async function open() {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  void followChanges(stop.signal);
  location.hash = '#/settings/data';
  return render(
    <QueryClientProvider client={queryClient}>
      <SettingsPanel />
      <ToastRegion />
    </QueryClientProvider>,
  );
}

it('explains what a restore replaces, waits for a restart, and reports why it can’t start', async () => {
  const screen = await open();
  const file = new File(['x'], 'gatehouse.tar');
  const question = screen.getByRole('alertdialog', { name: 'Replace all data with this backup?' });
  const choose = async () => {
    await expect.element(screen.getByRole('button', { name: 'Choose file' })).toBeVisible();
    await userEvent.upload(screen.getByLabelText('Backup to restore'), file);
    await expect.element(question).toBeVisible();
  };
  await choose();
  const made = /Made Nov 28, 2026, 7:45.AM by Gatehouse 0\.1\.0\./;
  await expect.element(question).toMatchTextContent(made);
  await expect.element(question.getByRole('row', { name: 'Runs 1,204 12' })).toBeVisible();
  await expect.element(question.getByRole('row', { name: 'Media files 10 4' })).toBeVisible();
  await question.getByRole('button', { name: 'Replace data' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(main.restored).toEqual(['checked']);
  const note = screen.getByText(/^Restart Gatehouse to restore the backup of Nov 28, 2026/);
  await expect.element(note).toBeVisible();
  await screen.getByRole('button', { name: 'Cancel restore' }).click();
  await expect.poll(() => main.restored).toEqual([]);

  const next = 'Nothing was changed. Stop them or wait for them, then restore.';
  main.restoreProblem = appError('invalid-request', '2 requests are in progress.', next);
  await choose();
  await question.getByRole('button', { name: 'Replace data' }).click();
  const alert = question.getByRole('alert');
  await expect.element(alert).toMatchTextContent(/2 requests are in progress\./);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
});

it('states how many old runs will be deleted before the user turns it on', async () => {
  main.oldRuns = 1204;
  const screen = await open();
  const choice = screen.getByRole('combobox', { name: 'Delete old runs' });
  await choice.selectOptions('After 30 days');
  const question = screen.getByRole('alertdialog', { name: 'Delete runs older than 30 days?' });
  const words = /1,204 runs will be deleted now, and others once they are older\./;
  await expect.element(question).toMatchTextContent(words);
  expect(main.settings.keepRunsDays).toBeNull();
  await question.getByRole('button', { name: 'Delete old runs' }).click();
  await expect.poll(() => main.settings.keepRunsDays).toBe(30);

  await choice.selectOptions('After 7 days');
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect.element(choice).toHaveDisplayValue('After 30 days');
  // Keeping more runs needs no confirmation.
  await choice.selectOptions('Never');
  await expect.poll(() => main.settings.keepRunsDays).toBeNull();
});
