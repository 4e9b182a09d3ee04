import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { SettingsPanel } from '../../renderer/features/settings/settings-panel.tsx';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import { appError } from '../../shared/errors.ts';
import { noOffers } from '../../shared/mcp.ts';
import { changeMcp, main, resetMain } from './shell-fake-main.ts';

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

it('asks for an imported file’s inputs, and keeps saved values unless the user changes them', async () => {
  const screen = await open();
  await screen.getByRole('button', { name: 'Import mcp.json' }).click();
  const configuration = screen.getByRole('textbox', { name: 'Configuration' });
  await configuration.fill('{\n  // Mine\n  "servers": {\n');
  await expect.element(screen.getByText(/^Line 4, column 1/)).toBeVisible();
  const file = {
    inputs: [
      { id: 'key', description: 'API key', password: true },
      { id: 'dir', description: 'Folder', default: '/tmp' },
    ],
    servers: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is VS Code's syntax.
      files: { command: 'npx', args: ['${input:dir}'], env: { KEY: '${input:key}' } },
    },
  };
  await configuration.fill(JSON.stringify(file));
  const found = screen.getByRole('list', { name: 'Servers to add' });
  await expect.element(found).toMatchTextContent(/npx .*with KEY/);
  const add = screen.getByRole('button', { name: 'Add 1 server' });
  await expect.element(add).toHaveAttribute('aria-disabled', 'true');
  await screen.getByLabelText('API key', { exact: true }).fill(secret);
  await add.click();
  await screen.getByRole('button', { name: 'Edit files' }).click();
  await screen.getByRole('textbox', { name: 'Arguments' }).fill('--quiet');
  await screen.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => main.mcpSaved)
    .toMatchObject([
      { transport: { args: ['/tmp'], env: [{ name: 'KEY', value: secret }] } },
      { id: 'mcp', transport: { args: ['--quiet'], env: [{ name: 'KEY', value: null }] } },
    ]);
});

it('opens the sign-in page, and signs out', async () => {
  main.mcpServers = [
    {
      id: 'mcp',
      name: 'remote',
      enabled: true,
      status: 'sign-in',
      error: null,
      transport: { type: 'http', url: 'https://mcp.example/mcp', headers: [] },
      offers: noOffers,
      protection: null,
      missing: [],
      signedIn: false,
      approvals: {},
    },
  ];
  const tab = { opener: window, location: { href: '' }, close: vi.fn() };
  const opening = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  onTestFinished(() => opening.mockRestore());
  const screen = await open();
  const row = screen.getByRole('listitem', { name: 'remote' });
  await row.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(row.getByText('Continue in your browser')).toBeVisible();
  expect(tab).toMatchObject({ opener: null, location: { href: 'https://mcp.example/authorize' } });
  changeMcp({ status: 'ready', signedIn: true });
  await row.getByRole('button', { name: 'Sign out' }).click();
  await expect.element(row.getByText('Not connected')).toBeVisible();

  // An empty tab would only confuse the user.
  changeMcp({ status: 'sign-in' });
  main.mcpSignInError = appError('unreachable', 'Couldn’t start signing in.', 'Check its URL.');
  await row.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(row.getByRole('alert')).toMatchTextContent(/Couldn’t start signing in/);
  expect(tab.close).toHaveBeenCalledOnce();
});

it('splits a command line that is pasted, or saved by Enter', async () => {
  const screen = await open();
  await screen.getByRole('button', { name: 'Add server' }).click();
  const command = screen.getByRole('textbox', { name: 'Command' });
  const args = screen.getByRole('textbox', { name: 'Arguments' });
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', 'npx -y @scope/files');
  const init = { bubbles: true, cancelable: true, clipboardData };
  command.element().dispatchEvent(new ClipboardEvent('paste', init));
  await expect.element(command).toHaveValue('npx');
  await expect.element(args).toHaveValue('-y\n@scope/files');
  await args.fill('');
  await command.fill('uvx tool');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => main.mcpSaved)
    .toMatchObject([{ transport: { command: 'uvx', args: ['tool'] } }]);
});
