import { ORPCError } from '@orpc/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { cancelBackupWork, useBackup } from '../../renderer/features/settings/backup-store.ts';
import { ConnectionsSection } from '../../renderer/features/settings/connections-section.tsx';
import { PricesSection } from '../../renderer/features/settings/prices-section.tsx';
import { SettingsPanel } from '../../renderer/features/settings/settings-panel.tsx';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { useUndo } from '../../renderer/lib/undo.ts';
import { ToastRegion } from '../../renderer/ui/toast-region.tsx';
import { appError } from '../../shared/errors.ts';
import type { Price, Rates } from '../../shared/prices.ts';
import { goodTest, main, resetMain } from './shell-fake-main.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

describe('settings', () => {
  const secret = 'sk-canary-0123456789abcd';

  beforeEach(() => {
    queryClient.clear();
    resetMain();
    useLinkState.setState('open', true);
  });

  async function open(section: string) {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    void followChanges(stop.signal);
    location.hash = `#/settings/${section}`;
    return render(
      <QueryClientProvider client={queryClient}>
        <SettingsPanel />
      </QueryClientProvider>,
    );
  }

  it('adds and selects a connection, without keeping the key in the page', async () => {
    const screen = await open('connections');
    await screen.getByRole('button', { name: 'Add connection' }).click();
    await expect.element(screen.getByText(/There is no keyring here\./)).toBeVisible();
    await screen.getByRole('textbox', { name: 'Name' }).fill('Staging');
    await screen.getByRole('textbox', { name: 'Base URL' }).fill('https://gateway.example.com');
    await screen.getByLabelText('API key').fill(secret);
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    const row = screen.getByRole('listitem', { name: 'Staging' });
    await expect.element(row).toMatchTextContent(/In use/);
    const stored = /Key ending in abcd, stored for this session only/;
    await expect.element(row).toMatchTextContent(stored);
    expect(main.keys).toEqual([{ id: 'made', key: secret, keeping: 'session' }]);
    expect(main.drafts).toMatchObject([{ id: null, key: secret }]);
    expect(document.documentElement.outerHTML).not.toContain(secret);
    expect(JSON.stringify(queryClient.getMutationCache().getAll())).not.toContain(secret);
    expect(JSON.stringify(localStorage)).not.toContain(secret);
  });

  it('shows an error at its field, then tests the connection and names it after its host', async () => {
    const screen = await open('connections');
    await screen.getByRole('button', { name: 'Add connection' }).click();
    const baseUrl = screen.getByRole('textbox', { name: 'Base URL' });
    await baseUrl.fill('gateway');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(baseUrl).toHaveAccessibleDescription(/Enter a URL\./);
    await expect.element(baseUrl).toHaveValue('gateway');
    await expect.element(baseUrl).toHaveFocus();
    expect(main.connections).toHaveLength(1);
    await baseUrl.fill('https://gateway.example.com/v1');
    await userEvent.keyboard('{Enter}');
    const row = screen.getByRole('listitem', { name: 'gateway.example.com' });
    await expect.element(row.getByRole('status')).toMatchTextContent(/lists 3 models/);
  });
});

describe('data', () => {
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

  it('shows a backup’s progress, and names the saved file or the reason for a failure', async () => {
    const screen = await open();
    const backUp = screen.getByRole('button', { name: 'Back up' });
    main.backupSteps = [{ stage: 'copying', doneBytes: 1_000_000, totalBytes: 4_000_000 }];
    main.backupEnd = new Promise(() => undefined);
    await backUp.click();
    await expect.element(screen.getByText('Copying… 1.0 MB of 4.0 MB')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(backUp).toHaveFocus();
    expect(screen.getByRole('alert').elements()).toHaveLength(0);
    expect(saved).toEqual([]);

    const data = appError('file', 'No backup was made: the disk is full.', 'Free some space.');
    main.backupEnd = Promise.reject(new ORPCError('APP_ERROR', { data }));
    main.backupEnd.catch(() => undefined);
    await backUp.click();
    const alert = screen.getByRole('alert');
    await expect.element(alert).toMatchTextContent(/No backup was made: the disk is full\./);

    const name = 'gatehouse-2026-11-28-07-45.tar';
    const ready = { stage: 'ready', id: 'one', name, totalBytes: 2_000_000 } as const;
    main.backupSteps = [ready];
    main.backupEnd = Promise.resolve();
    await backUp.click();
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    await expect.element(backUp).toBeVisible();
    expect(screen.getByText(/^Saved as/).elements()).toHaveLength(0);
    saved.length = 0;

    main.backupSteps = [ready, { stage: 'saved' }];
    await backUp.click();
    await expect.element(screen.getByText(`Saved as ${name} (2.0 MB).`)).toBeVisible();
    expect(saved).toEqual([`/media/one/backup ${name}`]);
    await expect.element(backUp).toBeVisible();
  });

  it('names what it deletes, and after a confirmation deletes it with Undo or explains why it can’t', async () => {
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

    main.restoreProblem = appError('invalid-request', '2 requests are in progress.', 'Stop them.');
    await screen.getByRole('button', { name: 'Delete everything' }).click();
    const all = screen.getByRole('alertdialog', { name: 'Delete everything?' });
    const named = /1,204 runs, 8 conversations, 10 files \(12\.3 MB\), and 5 saved items/;
    await expect.element(all).toMatchTextContent(named);
    await all.getByRole('button', { name: 'Delete' }).click();
    const alert = all.getByRole('alert');
    await expect.element(alert).toMatchTextContent(/2 requests are in progress\./);
    expect(main.cleared).toEqual(['runs']);
  });
});

describe('the connection dialog', () => {
  beforeEach(async () => {
    await page.viewport(1360, 860);
    queryClient.clear();
    resetMain();
    useLinkState.setState('open', true);
  });

  async function openSection() {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    void followChanges(stop.signal);
    return render(
      <QueryClientProvider client={queryClient}>
        <ConnectionsSection />
      </QueryClientProvider>,
    );
  }

  async function openDialog() {
    const screen = await openSection();
    await screen.getByRole('button', { name: 'Add connection' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Add connection' });
    const baseUrl = dialog.getByRole('textbox', { name: 'Base URL' });
    const key = dialog.getByLabelText('API key');
    const test = dialog.getByRole('button', { name: 'Test' });
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    return { screen, dialog, baseUrl, key, test, save };
  }

  describe('the test', () => {
    it('shows models, URL, status and time, and saves the new connection once', async () => {
      const { screen, dialog, baseUrl, test, save } = await openDialog();
      main.testDraft = async () => ({ ...goodTest, models: ['a', 'b', 'c', 'd', 'e', 'f'] });
      await baseUrl.fill('https://gateway.example.com');
      await test.click();
      const found = dialog.getByRole('status');
      await expect.element(found).toMatchTextContent(/lists 3 models/);
      await expect.element(found).toMatchTextContent(/a, b, c, d and 2 more/);
      await expect
        .element(found)
        .toMatchTextContent(/GET http:\/\/127\.0\.0\.1:4100\/v1\/models · 200 · /);
      await save.click();
      await expect.element(dialog).not.toBeInTheDocument();
      expect(main.drafts).toHaveLength(1);
      const row = screen.getByRole('listitem', { name: 'gateway.example.com' });
      await expect.element(row).toHaveFocus();
      await expect.element(row).toBeInViewport();
      await expect.element(row).toMatchTextContent(/In use.*New/s);
    });
  });

  it('trims a pasted key, reveals it on request, and moves a login and query to their fields', async () => {
    const { baseUrl, key, dialog, test } = await openDialog();
    await key.fill('export OPENAI_API_KEY="sk-pasted-0123456789"');
    await userEvent.tab();
    await expect.element(key).toHaveValue('sk-pasted-0123456789');
    await expect
      .element(dialog.getByText('Removed “export OPENAI_API_KEY=” and quotes.'))
      .toBeVisible();
    await expect.element(key).toHaveAttribute('type', 'password');
    await dialog.getByRole('button', { name: 'Show key' }).click();
    await expect.element(key).toHaveAttribute('type', 'text');
    await dialog.getByRole('button', { name: 'Hide key' }).click();
    await expect.element(key).toHaveAttribute('type', 'password');

    await key.fill('');
    await baseUrl.fill('https://me:secret@gateway.example.com/v1/chat/completions?api-version=1');
    await userEvent.tab();
    await expect.element(baseUrl).toHaveValue('https://gateway.example.com/v1');
    await expect.element(baseUrl).toHaveAccessibleDescription(/Removed \/chat\/completions\./);
    await expect.element(baseUrl).toHaveAccessibleDescription(/Basic authentication/);
    await expect.element(key).toHaveValue('me:secret');
    await test.click();
    await expect
      .poll(() => main.drafts)
      .toMatchObject([
        {
          key: 'me:secret',
          options: {
            keyHeader: { name: 'Authorization', scheme: 'Basic' },
            query: [{ name: 'api-version', value: '1' }],
          },
        },
      ]);
  });
});

describe('MCP servers', () => {
  const secret = 'token-canary-0123456789';

  beforeEach(async () => {
    await page.viewport(960, 600);
    queryClient.clear();
    resetMain();
    useLinkState.setState('open', true);
  });

  async function open() {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    void followChanges(stop.signal);
    location.hash = '#/settings/mcp';
    return render(
      <QueryClientProvider client={queryClient}>
        <SettingsPanel />
      </QueryClientProvider>,
    );
  }

  it('adds a server by command, and shows with its log why it failed', async () => {
    const screen = await open();
    await screen.getByRole('button', { name: 'Add server' }).click();
    await screen.getByRole('textbox', { name: 'Command' }).fill('npx -y server-files');
    await screen.getByRole('button', { name: 'Add variable' }).click();
    // Arguments behind the command have their own field.
    const args = screen.getByRole('textbox', { name: 'Arguments' });
    await expect.element(args).toHaveValue('-y\nserver-files');
    await screen.getByRole('textbox', { name: 'Name of variable 1' }).fill('TOKEN');
    await screen.getByLabelText('Value of variable 1').fill(secret);
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    const row = screen.getByRole('listitem', { name: 'server-files' });
    await expect.element(row.getByText('Failed')).toBeVisible();
    await expect
      .element(row.getByRole('alert'))
      .toMatchTextContent(/server-files stopped with exit code 1/);
    await row.getByText('Log', { exact: true }).click();
    const log = row.getByRole('region', { name: 'Log of server-files' });
    await expect.element(log).toMatchTextContent(/no such database/);
    expect(main.mcpSaved).toEqual([
      {
        id: null,
        name: 'server-files',
        enabled: true,
        transport: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'server-files'],
          cwd: null,
          env: [{ name: 'TOKEN', value: secret }],
        },
      },
    ]);
    expect(document.documentElement.outerHTML).not.toContain(secret);
  });
});

describe('prices', () => {
  const rates: Rates = {
    inputPerMillionTokens: 0.0375,
    cachedInputPerMillionTokens: null,
    cacheWritePerMillionTokens: null,
    hourCacheWritePerMillionTokens: null,
    outputPerMillionTokens: 15,
    perImage: null,
    perVideoSecond: null,
    perMillionCharacters: null,
    perSoundMinute: null,
  };
  const story: Price = { id: 'story', connectionId: 'demo', model: 'demo-story', rates };

  beforeEach(async () => {
    await page.viewport(960, 600);
    queryClient.clear();
    resetMain();
    useUndo.setState({ offers: [] });
    useLinkState.setState('open', true);
  });

  async function open() {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    void followChanges(stop.signal);
    return render(
      <QueryClientProvider client={queryClient}>
        <PricesSection />
      </QueryClientProvider>,
    );
  }

  it('names the source of each price, shows only used columns, and replaces a price', async () => {
    main.prices = [story];
    main.otherPrices = {
      prices: [
        { connectionId: 'demo', model: 'big', rates, source: { kind: 'gateway', readAt: 0 } },
        { connectionId: 'demo', model: 'old', rates, source: { kind: 'list', date: '2026-09-23' } },
      ],
      total: 2000,
      listDate: '2026-09-23',
    };
    const screen = await open();
    const row = (name: RegExp) => screen.getByRole('row', { name });
    await expect.element(row(/^demo-story/)).toMatchTextContent(/Yours/);
    await expect.element(row(/^big/)).toMatchTextContent(/From the gateway/);
    await expect.element(row(/^old/)).toMatchTextContent(/List price, 2026-09-23/);
    await expect.element(row(/^demo-story/)).toMatchTextContent(/\$0\.0375.*\$15\.00/);
    await expect.element(row(/^Demo/)).toBeVisible();
    const headings = screen.getByRole('columnheader').elements();
    expect(headings.map(({ textContent }) => textContent)).toEqual([
      ...['Model', 'Input per 1M tokens', 'Output per 1M tokens', 'Source', 'Actions'],
    ]);
    await screen.getByRole('button', { name: 'Edit price for big' }).click();
    await expect.element(screen.getByRole('spinbutton', { name: 'Video' })).not.toBeInTheDocument();
    await screen.getByRole('spinbutton', { name: 'Output' }).fill('20');
    await screen.getByRole('button', { name: 'Save' }).click();
    await vi.waitFor(() =>
      expect(main.prices).toMatchObject([
        { model: 'demo-story' },
        { model: 'big', rates: { inputPerMillionTokens: 0.0375, outputPerMillionTokens: 20 } },
      ]),
    );
  });
});
