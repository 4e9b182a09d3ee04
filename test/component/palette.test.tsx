import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { conversationForm, panelForms } from '../../renderer/run/form/panel-forms.ts';
import { type Conversation, defaultConversationOptions } from '../../shared/conversation.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';
import { makeMessage } from './chat-fake-main.ts';
import { demoModels } from './params-fixtures.tsx';
import { api, demo, main } from './shell-fake-main.ts';
import { resetShell } from './shell-fixtures.ts';

beforeEach(async () => {
  await resetShell();
  location.hash = '#/image';
});

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
  pinned: false,
  archived: false,
  folder: null,
  match: null,
  turns: [],
  systemMessage: '',
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
  /** The first that is found for `typed` is `title`, and is taken. */
  async function take(typed: string, title: string): Promise<void> {
    await userEvent.keyboard('{Control>}k{/Control}');
    const command = screen.getByRole('combobox', { name: 'Command' });
    await expect.element(command).toHaveFocus();
    await command.fill(typed);
    const first = screen.getByRole('listbox', { name: 'Commands' }).getByRole('option').first();
    // Its title; details and shortcuts stand behind it.
    await expect.poll(() => first.query()?.firstElementChild?.textContent).toBe(title);
    await userEvent.keyboard('{Enter}');
    await expect.element(command).not.toBeInTheDocument();
  }
  return { screen, model, take };
}

/** Returns the pending searches; each waits until the test answers it. */
function searchesAnsweredByTest(): Map<string, (found: Conversation[]) => void> {
  const answers = new Map<string, (found: Conversation[]) => void>();
  const list = vi.spyOn(api.conversations, 'list');
  list.mockImplementation(({ search }) => new Promise((resolve) => answers.set(search, resolve)));
  onTestFinished(() => list.mockRestore());
  return answers;
}

describe('the palette', () => {
  it('lists recent commands first, and never the current panel', async () => {
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    const options = screen.getByRole('dialog').getByRole('option');
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(screen.getByRole('option', { name: 'Chat', exact: true })).toBeVisible();
    expect(screen.getByRole('option', { name: 'Image', exact: true }).elements()).toEqual([]);
    await userEvent.keyboard('dark theme{Enter}');
    await vi.waitFor(() => expect(main.settings.theme).toBe('dark'));
    await userEvent.keyboard('{Control>}k{/Control}light{Enter}');
    await vi.waitFor(() => expect(main.settings.theme).toBe('light'));
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(options.first()).toHaveTextContent('Use dark theme');
    await userEvent.keyboard('no such thing');
    await expect.element(screen.getByText('No matching commands')).toBeVisible();
    await userEvent.keyboard('{Escape}');
  });

  it('offers a preset only in the panel that it changes', async () => {
    const settings = { parameters: {}, cleared: {}, typed: {}, wireNames: {}, extraBody: '' };
    main.presets = [{ id: 'p', operation: 'chat', name: 'Short answers', settings }];
    const screen = await render(<App />);
    for (const [panel, count] of [
      ['Settings', 0],
      ['Chat', 1],
    ] as const) {
      await screen.getByRole('link', { name: panel, exact: true }).click();
      await expect.element(heading(panel)).toBeVisible();
      await userEvent.keyboard('{Control>}k{/Control}');
      await expect.element(screen.getByRole('option', { name: 'Use dark theme' })).toBeVisible();
      await screen.getByRole('combobox', { name: 'Command' }).fill('short answers');
      await vi.waitFor(() =>
        expect(screen.getByRole('option', { name: 'Apply Short answers' }).elements()).toHaveLength(
          count,
        ),
      );
      await userEvent.keyboard('{Escape}');
    }
  });
});

describe('the palette finds', () => {
  it('finds models and connections, and selects them', async () => {
    const { screen, model, take } = await open('#/chat');
    const connection = screen.getByRole('combobox', { name: 'Connection' });
    await expect.element(connection).toHaveValue('demo');
    await take('use demo-echo', 'Use demo-echo');
    await expect.element(model).toHaveValue('demo-echo');
    await take('use other', 'Use Other');
    await expect.element(connection).toHaveValue('other');
    expect(main.settings.selectedConnectionId).toBe('other');
    // A conversation has its own, whatever is in use elsewhere.
    conversationForm('rivers').change({ connectionId: 'other' });
    await take('rivers', 'About rivers');
    await take('use demo', 'Use Demo');
    await expect.element(connection).toHaveValue('demo');
    await expect
      .poll(() => conversationForm('rivers').state.getState().values.connectionId)
      .toBe('demo');
  });

  it('opens a late search result if Enter was pressed, unless the text changed', async () => {
    const { screen } = await open('#/completion');
    const answers = searchesAnsweredByTest();
    await userEvent.keyboard('{Control>}k{/Control}');
    const command = screen.getByRole('combobox', { name: 'Command' });
    await expect.element(command).toHaveFocus();
    await userEvent.keyboard('estuary{Enter}');
    await expect.element(screen.getByText('Searching…')).toBeVisible();
    await expect.poll(() => [...answers.keys()]).toContain('estuary');
    await command.fill('delta');
    await expect.poll(() => [...answers.keys()]).toContain('delta');
    answers.get('delta')?.([rivers]);
    await expect.element(screen.getByRole('option', { name: 'About rivers' })).toBeVisible();
    await command.fill('estuary');
    await expect.element(screen.getByText('Searching…')).toBeVisible();
    await userEvent.keyboard('{Enter}');
    answers.get('estuary')?.([rivers]);
    await expect.element(command).not.toBeInTheDocument();
    await expect.element(screen.getByRole('log', { name: 'Conversation' })).toBeVisible();
  });

  it('opens nothing if another key followed Enter', async () => {
    const { screen } = await open('#/completion');
    const answers = searchesAnsweredByTest();
    await userEvent.keyboard('{Control>}k{/Control}');
    const command = screen.getByRole('combobox', { name: 'Command' });
    await expect.element(command).toHaveFocus();
    await userEvent.keyboard('estuary{Enter}{ArrowDown}');
    await expect.poll(() => [...answers.keys()]).toContain('estuary');
    answers.get('estuary')?.([rivers]);
    await expect.element(screen.getByRole('option', { name: 'About rivers' })).toBeVisible();
    await expect.element(command).toHaveFocus();
    await userEvent.keyboard('{Escape}');
  });

  it('turns tools on and off in the conversation', async () => {
    const parameters = { type: 'object', properties: {} };
    const tool = { type: 'function' as const, function: { name: 'get_weather', parameters } };
    main.tools = [{ id: 'weather', tool, answer: { by: 'you' }, createdAt: 0 }];
    const { screen, take } = await open('#/completion');
    await take('weather', 'Turn on get_weather');
    await expect.element(screen.getByRole('button', { name: 'Tools 1' })).toBeVisible();
    await take('weather', 'Turn off get_weather');
    await expect.element(screen.getByRole('button', { name: 'Tools 1' })).not.toBeInTheDocument();
  });

  it('opens recent runs in their panel', async () => {
    main.runs = [
      runView('completion', { id: 'heron', preview: 'A heron', status: 'succeeded' }),
      runView('speech', { id: 'other', preview: 'Something else', status: 'succeeded' }),
    ];
    main.recorded = { prompt: 'A heron by the river', temperature: 0.25 };
    const { screen, take } = await open('#/chat');
    await take('heron', 'A heron');
    await expect.element(heading('Completion')).toBeVisible();
    await expect
      .element(screen.getByRole('textbox', { name: 'Prompt' }))
      .toHaveValue('A heron by the river');
    await expect
      .element(screen.getByRole('spinbutton', { name: 'Temperature' }))
      .toHaveValue('0.25');
  });

  it('finds no run of a blind comparison', async () => {
    const blind = { status: 'succeeded', comparisonId: 'birds', cell: 0 } as const;
    main.runs = [
      runView('completion', { id: 'heron', preview: 'A heron', status: 'succeeded' }),
      runView('completion', { id: 'hidden', preview: 'A hidden heron', ...blind }),
    ];
    main.blind = ['birds'];
    const { screen } = await open('#/chat');
    await userEvent.keyboard('{Control>}k{/Control}');
    await screen.getByRole('combobox', { name: 'Command' }).fill('heron');
    const found = screen.getByRole('listbox', { name: 'Commands' });
    await expect.element(found.getByRole('option', { name: /^A heron/ })).toBeVisible();
    expect(found.getByRole('option', { name: /hidden/ }).elements()).toEqual([]);
  });

  it('runs, stops and retries', async () => {
    panelForms.completion.change({ input: { prompt: 'Once' } });
    const { screen, take } = await open('#/completion');
    await take('run', 'Run');
    await expect.poll(() => main.started).toMatchObject([{ request: { prompt: 'Once' } }]);
    await expect.element(screen.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    await take('stop', 'Stop');
    await expect.poll(() => main.cancelled).toEqual(['started-1']);
    await take('rivers', 'About rivers');
    await expect.element(screen.getByRole('article', { name: 'assistant' })).toBeVisible();
    await take('retry', 'Retry last answer');
    await expect
      .poll(() => main.sent)
      .toMatchObject([{ conversationId: 'rivers', parentId: 'question', message: null }]);
  });
});

it('opens over a popover and returns focus to it', async () => {
  await open('#/chat');
  await page.getByRole('main').getByRole('button', { name: 'Microphone settings' }).click();
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
