import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { type Conversation, defaultConversationOptions } from '../../shared/conversation.ts';
import { runSummary } from '../fixtures/run-view.ts';
import { makeMessage } from './chat-fake-state.ts';
import { demoModels } from './params-fixtures.tsx';
import { api, demo, main } from './shell-fake-main.ts';
import { resetShell } from './shell-fixtures.ts';

beforeEach(resetShell);

const heading = (name: string) => page.getByRole('heading', { level: 1, name });

const question = makeMessage({ id: 'question', content: 'Where do rivers go?' });
const answer = makeMessage({
  id: 'answer',
  parentId: 'question',
  role: 'assistant',
  content: 'To the sea.',
  run: runSummary({ operation: 'chat', model: 'demo-story', status: 'succeeded' }),
  choiceIndex: 0,
});
const rivers: Conversation = {
  id: 'rivers',
  title: 'About rivers',
  titled: false,
  createdAt: 0,
  updatedAt: 0,
  messageCount: 2,
  lastRunStatus: 'succeeded',
  match: null,
  turns: [],
  systemMessage: '',
  pinned: false,
  archived: false,
  folder: null,
  options: defaultConversationOptions,
  activeLeafId: 'answer',
  complete: true,
  revision: 'epoch:0',
  messages: [question, answer],
};

async function open(hash: string) {
  main.models = demoModels;
  main.connections = [demo, { ...demo, id: 'other', kind: 'custom', name: 'Other' }];
  main.conversations = [rivers];
  location.hash = hash;
  const screen = await render(<App />);
  const model = screen.getByRole('combobox', { name: 'Model' });
  await expect.element(model).toHaveValue('demo-story');
  const command = screen.getByRole('combobox', { name: 'Command' });
  const options = screen.getByRole('listbox', { name: 'Commands' }).getByRole('option');
  /** Opens the palette if needed, and types the text. */
  async function search(text: string): Promise<void> {
    if (command.query() === null) await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(command).toHaveFocus();
    await command.fill(text);
  }
  /** Runs the first command found, which must have this title. */
  async function take(text: string, title: string): Promise<void> {
    await search(text);
    await expect.poll(() => options.first().query()?.firstElementChild?.textContent).toBe(title);
    await userEvent.keyboard('{Enter}');
    await expect.element(command).not.toBeInTheDocument();
  }
  return { screen, model, command, options, search, take };
}

/** Returns pending searches, which wait until the test answers them. */
function searchesAnsweredByTest(): Map<string, (found: Conversation[]) => void> {
  const answers = new Map<string, (found: Conversation[]) => void>();
  const list = vi.spyOn(api.conversations, 'list');
  list.mockImplementation(({ search }) => new Promise((resolve) => answers.set(search, resolve)));
  onTestFinished(() => list.mockRestore());
  return answers;
}

it('lists recent commands first, but not the current panel or other panels’ presets', async () => {
  const settings = { params: {}, extraBody: '' };
  main.presets = [{ id: 'p', operation: 'chat', name: 'Short answers', settings }];
  const { screen, options, search, take } = await open('#/completion');
  await search('');
  await expect.element(screen.getByRole('option', { name: 'Chat', exact: true })).toBeVisible();
  expect(screen.getByRole('option', { name: 'Completion', exact: true }).elements()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await take('dark theme', 'Use dark theme');
  await expect.poll(() => main.settings.theme).toBe('dark');
  await take('light', 'Use light theme');
  await expect.poll(() => main.settings.theme).toBe('light');
  await search('');
  await expect.element(options.first()).toHaveTextContent('Use dark theme');
  await search('short answers');
  await expect.element(screen.getByText('No matching commands')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  location.hash = '#/chat';
  await expect.element(heading('Chat')).toBeVisible();
  await search('short answers');
  await expect.element(screen.getByRole('option', { name: 'Apply Short answers' })).toBeVisible();
});

it('selects models and connections, and toggles tools', async () => {
  const tool = { type: 'function' as const, function: { name: 'get_weather', parameters: {} } };
  main.tools = [{ id: 'weather', tool, answer: { by: 'you' } }];
  const { screen, model, take } = await open('#/chat');
  await take('weather', 'Turn on get_weather');
  await expect.element(screen.getByRole('button', { name: 'Tools 1' })).toBeVisible();
  await take('weather', 'Turn off get_weather');
  await expect.element(screen.getByRole('button', { name: 'Tools 1' })).not.toBeInTheDocument();
  const connection = screen.getByRole('combobox', { name: 'Connection' });
  await expect.element(connection).toHaveValue('demo');
  await take('use demo-echo', 'Use demo-echo');
  await expect.element(model).toHaveValue('demo-echo');
  await take('use other', 'Use Other');
  await expect.element(connection).toHaveValue('other');
  expect(main.settings.selectedConnectionId).toBe('other');
  // A conversation keeps its own choice, whatever other panels use.
  const form = getConversationForm('rivers');
  form.change({ connectionId: 'other' });
  await take('rivers', 'About rivers');
  await take('use demo', 'Use Demo');
  await expect.element(connection).toHaveValue('demo');
  await expect.poll(() => form.state.getState().values.connectionId).toBe('demo');
});

it('opens a late search result if Enter was pressed last', async () => {
  const { screen, command, search } = await open('#/completion');
  const answers = searchesAnsweredByTest();
  const found = screen.getByRole('option', { name: 'About rivers' });
  await search('estuary');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('Searching…')).toBeVisible();
  await expect.poll(() => [...answers.keys()]).toContain('estuary');
  await command.fill('delta');
  await expect.poll(() => [...answers.keys()]).toContain('delta');
  answers.get('delta')?.([rivers]);
  await expect.element(found).toBeVisible();

  await command.fill('lagoon');
  await userEvent.keyboard('{Enter}{ArrowDown}');
  await expect.poll(() => [...answers.keys()]).toContain('lagoon');
  answers.get('lagoon')?.([rivers]);
  await expect.element(found).toBeVisible();
  await expect.element(command).toHaveFocus();

  await command.fill('estuary');
  await expect.element(screen.getByText('Searching…')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  answers.get('estuary')?.([rivers]);
  await expect.element(command).not.toBeInTheDocument();
  await expect.element(screen.getByRole('log', { name: 'Conversation' })).toBeVisible();
});

it('opens over a popover, and returns focus to it', async () => {
  await open('#/chat');
  await page.getByRole('main').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Microphone…' }).click();
  const popover = page.getByRole('dialog', { name: 'Microphone settings' });
  const hasFocus = () => popover.element().contains(document.activeElement);
  await expect.poll(hasFocus).toBe(true);
  await userEvent.keyboard('{Control>}k{/Control}');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect.element(palette).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(palette).not.toBeInTheDocument();
  await expect.poll(hasFocus).toBe(true);
});
