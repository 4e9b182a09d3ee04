import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
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

beforeEach(async () => {
  await page.viewport(1360, 860);
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

const file = new File(['x'], 'gatehouse.tar');

describe('a backup', () => {
  it('saves the file once it is ready, and names it', async () => {
    main.backupSteps = [
      { stage: 'copying', doneBytes: 0, totalBytes: 0 },
      { stage: 'ready', id: 'one', name: 'gatehouse-2026-11-28-07-45.tar', totalBytes: 2_000_000 },
    ];
    const screen = await open();
    await screen.getByRole('button', { name: 'Back up' }).click();
    await expect
      .element(screen.getByText('Saved as gatehouse-2026-11-28-07-45.tar (2.0 MB).'))
      .toBeVisible();
    expect(saved).toEqual(['/media/one/backup gatehouse-2026-11-28-07-45.tar']);
    await expect.element(screen.getByRole('button', { name: 'Back up' })).toBeVisible();
  });

  it('shows its progress, and stops on Cancel without an error', async () => {
    main.backupSteps = [{ stage: 'copying', doneBytes: 1_000_000, totalBytes: 4_000_000 }];
    main.backupEnd = new Promise(() => undefined);
    const screen = await open();
    await screen.getByRole('button', { name: 'Back up' }).click();
    await expect.element(screen.getByText('Copying… 1.0 MB of 4.0 MB')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('button', { name: 'Back up' })).toHaveFocus();
    expect(screen.getByRole('alert').elements()).toHaveLength(0);
    expect(saved).toEqual([]);
  });

  it('says why none was made', async () => {
    const error = appError('file', 'No backup was made: the disk is full.', 'Free some space.');
    const { ORPCError } = await import('@orpc/client');
    main.backupEnd = Promise.reject(new ORPCError('APP_ERROR', { data: error }));
    main.backupEnd.catch(() => undefined);
    const screen = await open();
    await screen.getByRole('button', { name: 'Back up' }).click();
    await expect
      .element(screen.getByRole('alert'))
      .toMatchTextContent(/No backup was made: the disk is full\./);
  });
});

describe('a restore', () => {
  async function choose() {
    const screen = await open();
    await expect.element(screen.getByRole('button', { name: 'Choose file' })).toBeVisible();
    await userEvent.upload(screen.getByLabelText('Backup to restore'), file);
    const question = screen.getByRole('alertdialog', {
      name: 'Replace all data with this backup?',
    });
    await expect.element(question).toBeVisible();
    return { screen, question };
  }

  it('says what is replaced by what, and waits for a restart after the confirmation', async () => {
    const { screen, question } = await choose();
    await expect
      .element(question)
      .toMatchTextContent(/Made Nov 28, 2026, 7:45.AM by Gatehouse 0\.1\.0\./);
    await expect.element(question.getByRole('row', { name: 'Runs 1,204 12' })).toBeVisible();
    await expect.element(question.getByRole('row', { name: 'Media files 10 4' })).toBeVisible();
    await question.getByRole('button', { name: 'Replace data' }).click();
    await expect.element(question).not.toBeInTheDocument();
    expect(main.restored).toEqual(['checked']);
    const note = screen.getByText(/^Restart Gatehouse to restore the backup of Nov 28, 2026/);
    await expect.element(note).toBeVisible();
    await screen.getByRole('button', { name: 'Cancel restore' }).click();
    await expect.element(screen.getByRole('button', { name: 'Choose file' })).toBeVisible();
    expect(main.restored).toEqual([]);
  });

  it('shows in the question why it can’t start now', async () => {
    const next = 'Nothing was changed. Stop them or wait for them, then restore.';
    main.restoreProblem = appError('invalid-request', '2 requests are in progress.', next);
    const { question } = await choose();
    await question.getByRole('button', { name: 'Replace data' }).click();
    await expect
      .element(question.getByRole('alert'))
      .toMatchTextContent(/2 requests are in progress\./);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(question).not.toBeInTheDocument();
  });
});

describe('old runs', () => {
  it('says how many will be deleted before it is turned on', async () => {
    main.oldRuns = 1204;
    const screen = await open();
    await screen.getByRole('combobox', { name: 'Delete old runs' }).selectOptions('After 30 days');
    const question = screen.getByRole('alertdialog', { name: 'Delete runs older than 30 days?' });
    await expect
      .element(question)
      .toMatchTextContent(/1,204 runs will be deleted now, and others once they are older\./);
    expect(main.settings.keepRunsDays).toBeNull();
    await question.getByRole('button', { name: 'Delete old runs' }).click();
    await expect.poll(() => main.settings.keepRunsDays).toBe(30);
  });

  it('keeps the earlier choice on Cancel, and asks nothing to keep more', async () => {
    main.settings = { ...main.settings, keepRunsDays: 30 };
    const screen = await open();
    const choice = screen.getByRole('combobox', { name: 'Delete old runs' });
    await expect.element(choice).toHaveDisplayValue('After 30 days');
    await choice.selectOptions('After 7 days');
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.element(choice).toHaveDisplayValue('After 30 days');
    await choice.selectOptions('Never');
    await expect.poll(() => main.settings.keepRunsDays).toBeNull();
  });
});

describe('deleting data', () => {
  it('names counts and sizes, deletes after a confirmation, and offers Undo', async () => {
    const screen = await open();
    await expect.element(screen.getByText('10 files (12.3 MB)', { exact: true })).toBeVisible();
    await screen.getByRole('button', { name: 'Delete runs' }).click();
    const question = screen.getByRole('alertdialog', { name: 'Delete 1,204 runs?' });
    await expect.element(question).toMatchTextContent(/Conversations and media files are kept\./);
    expect(main.cleared).toEqual([]);
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.element(screen.getByText('0 runs', { exact: true })).toBeVisible();
    expect(main.cleared).toEqual(['runs']);
    await expect.element(screen.getByText('1,204 runs deleted')).toBeVisible();
    screen.getByRole('button', { name: 'Undo' }).element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('1,204 runs', { exact: true })).toBeVisible();
    expect(main.undone).toEqual(['deletion of runs']);
  });

  it('names all of it before everything is deleted, and shows there why it can’t be', async () => {
    main.restoreProblem = appError('invalid-request', '2 requests are in progress.', 'Stop them.');
    const screen = await open();
    await screen.getByRole('button', { name: 'Delete everything' }).click();
    const question = screen.getByRole('alertdialog', { name: 'Delete everything?' });
    await expect
      .element(question)
      .toMatchTextContent(/1,204 runs, 8 conversations, 10 files \(12\.3 MB\), and 5 saved items/);
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect
      .element(question.getByRole('alert'))
      .toMatchTextContent(/2 requests are in progress\./);
    expect(main.cleared).toEqual([]);
  });
});
