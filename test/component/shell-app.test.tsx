import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

vi.mock('../../renderer/lib/api.ts', () => import('./shell-fake-main.ts'));

import { App } from '../../renderer/app/app.tsx';
import { useLayout } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { panelLabel, panelNames } from '../../renderer/lib/panels.ts';
import { shortcutKeys } from '../../renderer/lib/shortcut.ts';
import { conversationForm, panelForms } from '../../renderer/run/form/panel-forms.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import type { Conversation } from '../../shared/conversation.ts';
import { defaultConversationOptions } from '../../shared/conversation-options.ts';
import { operationDescriptions } from '../../shared/operations/form/describe.ts';
import type { RunView } from '../../shared/run-view.ts';
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

describe('the shell', () => {
  it('lists every panel as a link', async () => {
    const screen = await render(<App />);
    for (const label of panelNames.map(panelLabel)) {
      await expect.element(screen.getByRole('link', { name: label, exact: true })).toBeVisible();
    }
  });

  it('goes to a panel by its link and by its number', async () => {
    const screen = await render(<App />);
    await screen.getByRole('link', { name: 'Video', exact: true }).click();
    await expect.element(heading('Video')).toBeVisible();
    expect(document.title).toBe('Video · Gatehouse');
    await userEvent.keyboard('{Control>}5{/Control}');
    await expect.element(heading('Rerank')).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'Rerank', exact: true }))
      .toHaveAttribute('aria-current', 'page');
  });

  it('keeps the keyboard in the panel where a shortcut takes the focused field away', async () => {
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    expect(document.activeElement).toBe(document.querySelector('main'));
    (document.activeElement as HTMLElement).blur();
    await userEvent.keyboard('{Control>}5{/Control}');
    await expect.element(heading('Rerank')).toBeVisible();
    await expect.element(screen.getByRole('main')).toHaveFocus();
  });

  it('runs a command found in the palette', async () => {
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(screen.getByRole('combobox', { name: 'Command' })).toHaveFocus();
    await userEvent.keyboard('sett{Enter}');
    await expect.element(heading('Settings')).toBeVisible();
    expect(screen.getByRole('dialog').elements()).toHaveLength(0);
  });

  it('offers what was used last first in the palette, and never the shown panel', async () => {
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

  it('offers a preset only where the panel that it changes is shown', async () => {
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

  describe('finds in the palette', () => {
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
      systemMessage: '',
      options: defaultConversationOptions,
      activeLeafId: 'answer',
      complete: true,
      revision: 'epoch:0',
      messages: [question, answer],
    };

    async function open(hash: string) {
      main.descriptions = operationDescriptions();
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

    it('models and connections, put to use where they are shown', async () => {
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

    it('conversations, which are opened', async () => {
      const { screen, take } = await open('#/completion');
      await take('rivers', 'About rivers');
      await expect.element(heading('Chat')).toBeVisible();
      await expect.element(screen.getByRole('log', { name: 'Conversation' })).toBeVisible();
      expect(location.hash).toBe('#/chat/rivers');
    });

    it('a title that is shown already, while main still searches', async () => {
      const { screen } = await open('#/completion');
      await userEvent.keyboard('{Control>}k{/Control}');
      const shown = screen.getByRole('option', { name: 'About rivers' });
      await expect.element(shown).toBeVisible();
      const list = vi.spyOn(api.conversations, 'list').mockReturnValue(new Promise(() => {}));
      onTestFinished(() => list.mockRestore());
      await userEvent.keyboard('rivers');
      await expect.poll(() => list.mock.lastCall?.[0].search).toBe('rivers');
      await expect.element(shown).toBeVisible();
      await userEvent.keyboard('{Enter}');
      await expect.element(screen.getByRole('log', { name: 'Conversation' })).toBeVisible();
    });

    it('what only main finds, after Enter was pressed, and not after other words', async () => {
      const { screen } = await open('#/completion');
      const list = vi.spyOn(api.conversations, 'list');
      onTestFinished(() => list.mockRestore());
      const answers = new Map<string, (found: Conversation[]) => void>();
      list.mockImplementation(
        ({ search }) => new Promise((resolve) => answers.set(search, resolve)),
      );
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

    it('a model of a list that is still fetched, after Enter was pressed', async () => {
      const suggest = vi.spyOn(api.models, 'suggest');
      onTestFinished(() => suggest.mockRestore());
      let answer = () => {};
      suggest.mockReturnValueOnce(
        new Promise((resolve) => {
          answer = () => resolve(demoModels);
        }),
      );
      main.descriptions = operationDescriptions();
      main.models = demoModels;
      location.hash = '#/completion';
      const screen = await render(<App />);
      await expect.poll(() => suggest).toHaveBeenCalled();
      await userEvent.keyboard('{Control>}k{/Control}');
      await expect.element(screen.getByRole('combobox', { name: 'Command' })).toHaveFocus();
      await userEvent.keyboard('demo-echo{Enter}');
      await expect.element(screen.getByText('Searching…')).toBeVisible();
      answer();
      const model = screen.getByRole('combobox', { name: 'Model' });
      await expect.element(model).toHaveValue('demo-echo');
    });

    it('nothing for an Enter that another key has taken back', async () => {
      const { screen } = await open('#/completion');
      const list = vi.spyOn(api.conversations, 'list');
      onTestFinished(() => list.mockRestore());
      const answers = new Map<string, (found: Conversation[]) => void>();
      list.mockImplementation(
        ({ search }) => new Promise((resolve) => answers.set(search, resolve)),
      );
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

    it('tools, which are turned on and off in the conversation', async () => {
      const parameters = { type: 'object', properties: {} };
      const tool = { type: 'function' as const, function: { name: 'get_weather', parameters } };
      main.tools = [{ id: 'weather', tool, createdAt: 0 }];
      const { screen, take } = await open('#/completion');
      await take('weather', 'Turn on get_weather');
      await expect.element(screen.getByRole('button', { name: 'Tools 1' })).toBeVisible();
      await take('weather', 'Turn off get_weather');
      await expect.element(screen.getByRole('button', { name: 'Tools 1' })).not.toBeInTheDocument();
    });

    it('recent runs, which are opened in their panel', async () => {
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

    it('Run, Stop and Retry', async () => {
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

  it('has every shortcut in the sheet, and those of controls in their tooltips', async () => {
    main.descriptions = operationDescriptions();
    main.models = demoModels;
    panelForms.image.change({ input: { prompt: 'A gate' } });
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    await expect
      .element(screen.getByRole('button', { name: 'Run', exact: true }))
      .toHaveAttribute('data-shortcut', 'Mod+Enter');
    screen.getByRole('main').element().focus();
    await userEvent.keyboard('{Shift>}?{/Shift}');
    const sheet = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const label of panelNames.map(panelLabel)) {
      await expect.element(sheet.getByText(label, { exact: true })).toBeVisible();
    }
    const listed = [...sheet.element().querySelectorAll('li')].map(
      ({ textContent }) => textContent,
    );
    await userEvent.keyboard('{Escape}');
    await expect.element(sheet).not.toBeInTheDocument();
    const shortcuts = [...document.querySelectorAll<HTMLElement>('[data-shortcut]')].map(
      ({ dataset }) => dataset.shortcut ?? '',
    );
    // The panels', Run, the parameters, the inspector.
    expect(shortcuts.length).toBeGreaterThanOrEqual(panelNames.length + 3);
    for (const shortcut of shortcuts) {
      const keys = shortcutKeys(shortcut).join('');
      expect(
        listed.some((line) => line.endsWith(keys)),
        shortcut,
      ).toBe(true);
    }
    await screen.getByRole('button', { name: 'Inspector' }).hover();
    await expect
      .poll(() => document.querySelector('[popover]:popover-open')?.textContent)
      .toBe('InspectorCtrlJ');
  });

  it('lists every shortcut with ?, except while something is typed', async () => {
    main.settings = { ...main.settings, enterSends: true };
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    await screen.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Who');
    await userEvent.keyboard('?');
    await expect
      .element(screen.getByRole('textbox', { name: 'Prompt', exact: true }))
      .toHaveValue('Who?');
    screen.getByRole('main').element().focus();
    await userEvent.keyboard('{Shift>}?{/Shift}');
    const sheet = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect.element(sheet.getByText('Send message', { exact: true })).toBeVisible();
    await expect.element(sheet.getByText('Image at 100%', { exact: true })).toBeVisible();
    for (const title of [
      'Run',
      'Open command palette',
      'Toggle inspector',
      'Rename conversation',
    ]) {
      await expect.element(sheet.getByText(title, { exact: true })).toBeVisible();
    }
    await userEvent.keyboard('{Escape}');
    await expect.element(sheet).not.toBeInTheDocument();
    await expect.element(screen.getByRole('main')).toHaveFocus();
  });

  it('skips past the rail to the panel and its text box', async () => {
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    const skip = screen.getByRole('navigation', { name: 'Skip links' });
    await expect.element(skip).toBeInTheDocument();
    await expect
      .element(screen.getByRole('textbox', { name: 'Prompt', exact: true }))
      .toBeVisible();
    screen.getByRole('link', { name: 'Chat', exact: true }).element().focus();
    await userEvent.tab({ shift: true });
    const toPanel = skip.getByRole('button', { name: 'Skip to panel' });
    await expect.element(toPanel).toHaveFocus();
    await userEvent.tab();
    await expect.element(skip.getByRole('button', { name: 'Skip to composer' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect
      .element(screen.getByRole('textbox', { name: 'Prompt', exact: true }))
      .toHaveFocus();
    toPanel.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('main')).toHaveFocus();
  });

  it('announces when a run starts and how it ends', async () => {
    const screen = await render(<App />);
    await expect.element(screen.getByRole('region', { name: 'Notifications' })).toBeInTheDocument();
    const show = (view: RunView) => useLiveRuns.setState({ views: { [view.id]: view } });
    const figures = { model: 'm', usage: null, finishReasons: [], noResult: null };
    show(runView('chat', { status: 'running' }));
    await expect.element(screen.getByText('Run started.')).toBeInTheDocument();
    show(runView('chat', { status: 'succeeded', figures }));
    await expect.element(screen.getByText('Run finished.')).toBeInTheDocument();
    show(runView('chat', { status: 'running' }));
    const noResult = 'The response is empty.';
    show(runView('chat', { status: 'succeeded', figures: { ...figures, noResult } }));
    await expect
      .element(screen.getByText('Run finished with no result. The response is empty.'))
      .toBeInTheDocument();
    useLiveRuns.setState({ views: {} });
  });

  it('skips to what a run brought', async () => {
    main.runs = [runView('completion', { id: 'run-1', status: 'succeeded', finishedAt: 1 })];
    panelForms.completion.change({ runId: 'run-1' });
    location.hash = '#/completion';
    const screen = await render(<App />);
    await expect.element(screen.getByRole('region', { name: 'Result' })).toBeVisible();
    screen.getByRole('link', { name: 'Chat', exact: true }).element().focus();
    await userEvent.tab({ shift: true });
    await expect.element(screen.getByRole('button', { name: 'Skip to panel' })).toHaveFocus();
    await userEvent.tab();
    await userEvent.tab();
    await expect.element(screen.getByRole('button', { name: 'Skip to result' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    const result = screen.getByRole('region', { name: 'Result' }).element();
    await expect.poll(() => result.contains(document.activeElement)).toBe(true);
  });

  it('takes the dark theme at once and for the next start', async () => {
    const screen = await render(<App />);
    await screen.getByRole('link', { name: 'Settings', exact: true }).click();
    await screen.getByRole('link', { name: 'Appearance' }).click();
    await screen.getByRole('radio', { name: 'Dark' }).click();
    await vi.waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
    expect(localStorage.getItem('gatehouse:appearance')).toContain('"theme":"dark"');
    expect(main.settings.theme).toBe('dark');
  });

  it('says quietly that the connection is lost, and leaves the page in place', async () => {
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    useLinkState.setState('lost', true);
    await expect.element(screen.getByText(/Lost connection to Gatehouse/)).toBeVisible();
    await expect.element(heading('Image')).toBeVisible();
  });

  it('asks for a fresh URL where the connection does not come back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    const field = screen.getByRole('textbox', { name: 'New URL' });
    useLinkState.setState('lost', true);
    await expect.element(screen.getByText(/Your text is kept\./)).toBeVisible();
    vi.advanceTimersByTime(4900);
    await expect.element(field).not.toBeInTheDocument();
    vi.advanceTimersByTime(200);
    await expect.element(field).toBeVisible();
    await field.fill('http://127.0.0.1:4100/');
    await screen.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.element(screen.getByText(/Paste the whole URL/)).toBeVisible();
    useLinkState.setState('open', true);
    await expect.element(field).not.toBeInTheDocument();
  });

  it('says where to sign in again when the session is gone', async () => {
    const screen = await render(<App />);
    useLinkState.setState('refused', true);
    await expect
      .element(screen.getByRole('alert'))
      .toMatchTextContent(/Paste the URL printed in the terminal/);
    await expect.element(screen.getByRole('textbox', { name: 'New URL' })).toBeVisible();
  });

  it('shows a notice until it is dismissed', async () => {
    main.notices = [
      {
        id: 'damaged',
        level: 'warning',
        message: 'The ledger was damaged and has been set aside.',
        nextStep: 'Find it in the data folder.',
      },
    ];
    const screen = await render(<App />);
    await expect.element(screen.getByText(/has been set aside/)).toBeVisible();
    await screen.getByRole('button', { name: 'Dismiss' }).click();
    expect(screen.getByText(/has been set aside/).elements()).toHaveLength(0);
  });

  it('resizes the inspector with the keyboard', async () => {
    useLayout.setState({ inspectorOpen: true, inspectorHeight: 300 });
    const screen = await render(<App />);
    const handle = screen.getByRole('separator', { name: 'Inspector height' });
    await expect.element(handle).toHaveAttribute('aria-valuenow', '300');
    handle.element().focus();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(handle).toHaveAttribute('aria-valuenow', '316');
    await userEvent.keyboard('{Home}');
    await expect.element(handle).toHaveAttribute('aria-valuenow', '160');
  });
});
