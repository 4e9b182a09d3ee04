import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { SettingsPanel } from '../../renderer/features/settings/settings-panel.tsx';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import { demo, main, resetMain } from './shell-fake-main.ts';

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

it('deletes the key on request or with a new URL, and asks before deleting all', async () => {
  main.connections = [
    ...main.connections,
    {
      ...demo,
      id: 'made',
      kind: 'custom',
      name: 'Staging',
      baseUrl: 'https://gateway.example.com',
      key: { lastFour: 'abcd', protection: 'session' },
    },
  ];
  const screen = await open('connections');
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  await button('Edit Staging').click();
  const warning = screen.getByText(
    'The saved key is deleted, because it belongs to another address. Enter the key for this one.',
  );
  const address = screen.getByRole('textbox', { name: 'Base URL' });
  await address.fill('https://gateway.example.com/v2');
  await expect.element(button('Replace key')).toBeVisible();
  await expect.element(warning).not.toBeInTheDocument();
  await address.fill('https://other.example.com');
  await expect.element(warning).toBeVisible();
  await expect.element(address).toHaveFocus();
  await screen.getByLabelText('API key').fill(`${secret}-2`);
  await button('Save').click();
  await expect.poll(() => main.keys.at(-1)?.key).toBe(`${secret}-2`);

  await button('Edit Staging').click();
  await button('Remove key').click();
  expect(main.connections.at(-1)?.key).not.toBeNull();
  await button('Save').click();
  const row = screen.getByRole('listitem', { name: 'Staging' });
  await expect.element(row).toMatchTextContent(/No key/);

  expect(button('Delete Demo').elements()).toHaveLength(0);
  const held = ['Voices', 'Speeds', 'Models', 'Prompts', 'Formats'].map((title, index) => ({
    title,
    requests: index + 1,
  }));
  main.activity = { made: { running: 1, waiting: 12, held } };
  await button('Delete Staging').click();
  const question = screen.getByRole('alertdialog', { name: 'Delete Staging?' });
  for (const consequence of [
    /1 running request will continue\./,
    /12 waiting comparison requests won’t be sent\./,
    /15 unsent requests in “Voices”, “Speeds”, “Models”, and 2 other comparisons can’t be sent anymore\./,
  ]) {
    await expect.element(question).toMatchTextContent(consequence);
  }
  await button('Delete').click();
  await expect.element(row).not.toBeInTheDocument();
  expect(main.connections.map(({ id }) => id)).toEqual(['demo']);
});

it('asks before discarding changes', async () => {
  const screen = await open('connections');
  await screen.getByRole('button', { name: 'Add connection' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Add connection' });
  const baseUrl = screen.getByRole('textbox', { name: 'Base URL' });
  await baseUrl.fill('https://gateway.example.com');
  await userEvent.keyboard('{Escape}');
  const question = screen.getByRole('alertdialog', { name: 'Discard changes?' });
  await expect.element(question.getByRole('button', { name: 'Keep editing' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(baseUrl).toHaveValue('https://gateway.example.com');
  await screen.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Add connection' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

it('saves a changed timeout and resets it', async () => {
  const screen = await open('timeouts');
  const connect = screen.getByRole('spinbutton', { name: 'Chat: connect, seconds' });
  await expect.element(connect).toHaveValue('30');
  await connect.fill('5');
  const timeouts = { connectSeconds: 5, firstByteSeconds: 900, stallSeconds: 300 };
  await expect.poll(() => main.settings.timeouts.chat).toEqual(timeouts);
  await screen.getByRole('button', { name: 'Reset Chat', exact: true }).click();
  await expect.poll(() => main.settings.timeouts).toEqual({});
  await expect.element(connect).toHaveValue('30');
});

it('turns off sending with Enter, and limits concurrent requests per connection', async () => {
  const screen = await open('general');
  await screen.getByRole('switch', { name: 'Send with Enter' }).click();
  await expect.poll(() => main.settings.enterSends).toBe(false);
  const field = screen.getByRole('spinbutton', { name: 'Concurrent requests: Demo' });
  await field.fill('51');
  await expect.element(screen.getByText('Enter a number from 1 to 50.')).toBeVisible();
  expect(main.settings.requestsAtOnce).toEqual({});
  await field.fill('8');
  await expect.poll(() => Object.values(main.settings.requestsAtOnce)).toEqual([8]);
  await field.fill('');
  await expect.poll(() => main.settings.requestsAtOnce).toEqual({});
});
