import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { App } from '../../renderer/app/app.tsx';
import { ConnectOverlay } from '../../renderer/app/connect-overlay.tsx';
import { useShortcutKeys } from '../../renderer/app/shell-commands.ts';
import { CompletionPanel } from '../../renderer/features/completion/completion-panel.tsx';
import { closeConnectDialog } from '../../renderer/lib/connections.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { PanelFrame, type PanelFrameProps } from '../../renderer/run/frame/panel-frame.tsx';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { dismissPastedNotice } from '../../renderer/run/paste/pasted-notice.ts';
import type { Connection } from '../../shared/connection.ts';
import { type Conversation, defaultConversationOptions } from '../../shared/conversation.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import type { RunView } from '../../shared/run-view.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';
import { makeMessage } from './chat-fake-main.ts';
import { demoModels } from './params-fixtures.tsx';
import { demo, main } from './shell-fake-main.ts';
import { resetShell, resetShellWithModels } from './shell-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import './shell-fake-main.ts';

describe('the app', () => {
  beforeEach(async () => {
    await resetShell();
    location.hash = '#/image';
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name });

  async function openApp() {
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    const prompt = screen.getByRole('textbox', { name: 'Prompt', exact: true });
    return { screen, panel: screen.getByRole('main'), prompt };
  }

  it('skips to the panel, and focuses it after a shortcut or a closed dialog', async () => {
    const { screen, panel, prompt } = await openApp();
    const skip = screen.getByRole('navigation', { name: 'Skip links' });
    await expect.element(prompt).toBeVisible();
    screen.getByRole('link', { name: 'Chat', exact: true }).element().focus();
    await userEvent.tab({ shift: true });
    const toPanel = skip.getByRole('button', { name: 'Skip to panel' });
    await expect.element(toPanel).toHaveFocus();
    await userEvent.tab();
    await expect.element(skip.getByRole('button', { name: 'Skip to composer' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(prompt).toHaveFocus();
    toPanel.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(panel).toHaveFocus();

    await userEvent.keyboard('{Control>}k{/Control}');
    const palette = screen.getByRole('dialog', { name: 'Command palette' });
    await expect.poll(() => palette.element().contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('{Escape}');
    await expect.element(palette).not.toBeInTheDocument();
    await expect.element(panel).toHaveFocus();

    // The shortcut removes the focused field.
    prompt.element().focus();
    await userEvent.keyboard('{Control>}5{/Control}');
    await expect.element(heading('Rerank')).toBeVisible();
    await expect.element(panel).toHaveFocus();
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

  it('applies the dark theme at once, and saves it for the next start', async () => {
    const screen = await render(<App />);
    await screen.getByRole('link', { name: 'Settings', exact: true }).click();
    await screen.getByRole('link', { name: 'General' }).click();
    await screen.getByRole('radio', { name: 'Dark' }).click();
    await vi.waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
    expect(localStorage.getItem('gatehouse:appearance')).toContain('"theme":"dark"');
    expect(main.settings.theme).toBe('dark');
  });

  it('asks for a new URL if the connection stays lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    const field = screen.getByRole('textbox', { name: 'New URL' });
    useLinkState.setState('lost', true);
    await expect.element(screen.getByText(/Your text is kept\./)).toBeVisible();
    vi.advanceTimersByTime(4000);
    await expect.element(field).not.toBeInTheDocument();
    vi.advanceTimersByTime(2000);
    await expect.element(field).toBeVisible();
    await field.fill('http://127.0.0.1:4100/');
    await screen.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.element(screen.getByText(/Paste the whole URL/)).toBeVisible();
    useLinkState.setState('open', true);
    await expect.element(field).not.toBeInTheDocument();
  });
});

describe('a panel’s frame', () => {
  function Frame(props: Partial<PanelFrameProps>) {
    useShortcutKeys();
    return (
      <PanelFrame title="Chat" sidebar={<p>Temperature</p>} {...props}>
        <textarea aria-label="Message" />
      </PanelFrame>
    );
  }

  beforeEach(async () => {
    await page.viewport(1360, 860);
    useLayout.setState({ sidebarOpen: true });
  });

  it('shows one Run button, which becomes Stop in place', async () => {
    const screen = await render(<Frame onRun={vi.fn()} />);
    const run = screen.getByRole('button', { name: 'Run', exact: true }).element();
    const place = run.getBoundingClientRect();
    await screen.rerender(<Frame onRun={vi.fn()} onStop={vi.fn()} running />);
    const stop = screen.getByRole('button', { name: 'Stop', exact: true }).element();
    expect(stop).toBe(run);
    expect(stop.getBoundingClientRect().left).toBe(place.left);
    expect(stop.getBoundingClientRect().width).toBe(place.width);
    expect(screen.getByRole('button', { name: 'Run', exact: true }).elements()).toHaveLength(0);
  });

  it('runs on Mod+Enter from a text box, and stops on Escape', async () => {
    const onRun = vi.fn();
    const onStop = vi.fn();
    const screen = await render(<Frame onRun={onRun} onStop={onStop} />);
    await screen.getByRole('textbox', { name: 'Message' }).click();
    await userEvent.keyboard('{Escape}{Control>}{Enter}{/Control}');
    expect(onRun).toHaveBeenCalledOnce();
    expect(onStop).not.toHaveBeenCalled();
    await screen.rerender(<Frame onRun={onRun} onStop={onStop} running />);
    await userEvent.keyboard('{Control>}{Enter}{/Control}{Escape}');
    expect(onRun).toHaveBeenCalledOnce();
    expect(onStop).toHaveBeenCalledOnce();
  });

  it('doesn’t run while blocked, and shows the reason', async () => {
    const onRun = vi.fn();
    const screen = await render(
      <Frame onRun={onRun} runBlocked={{ reason: 'Enter a message first.', field: null }} />,
    );
    const run = screen.getByRole('button', { name: 'Run', exact: true });
    await expect.element(run).toHaveAttribute('aria-description', 'Enter a message first.');
    run.element().focus();
    await userEvent.keyboard('{Enter}{Control>}{Enter}{/Control}');
    expect(onRun).not.toHaveBeenCalled();
  });

  it('explains why it doesn’t run during a run, and keeps focus', async () => {
    const onRun = vi.fn();
    const screen = await render(<Frame onRun={onRun} onStop={vi.fn()} running />);
    const message = screen.getByRole('textbox', { name: 'Message' });
    await message.click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    const why = 'Wait for this run to finish, or stop it.';
    await expect.element(screen.getByRole('alert')).toMatchTextContent(why);
    await expect.element(message).toHaveFocus();
    expect(onRun).not.toHaveBeenCalled();
    await screen.rerender(<Frame onRun={onRun} onStop={vi.fn()} />);
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  });

  it('hides Stop while the connection is lost, and explains why it doesn’t run', async () => {
    onTestFinished(() => useLinkState.setState('open', true));
    const onRun = vi.fn();
    const onStop = vi.fn();
    const screen = await render(<Frame onRun={onRun} onStop={onStop} running />);
    await expect.element(screen.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    useLinkState.setState('lost', true);
    const run = screen.getByRole('button', { name: 'Run', exact: true });
    await expect.element(run).toHaveAttribute('aria-disabled', 'true');
    await screen.getByRole('textbox', { name: 'Message' }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}{Escape}');
    await expect
      .element(screen.getByRole('alert'))
      .toMatchTextContent(/^Lost connection to Gatehouse/);
    expect(onRun).not.toHaveBeenCalled();
    expect(onStop).not.toHaveBeenCalled();
    useLinkState.setState('open', true);
    await expect.element(screen.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  });

  it('clears the previous panel’s rejection', async () => {
    const blocked = { reason: 'Choose a model first.', field: null };
    const screen = await render(<Frame key="chat" onRun={vi.fn()} runBlocked={blocked} />);
    await screen.getByRole('textbox', { name: 'Message' }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByRole('alert')).toMatchTextContent(blocked.reason);
    await screen.rerender(<Frame key="image" onRun={vi.fn()} runBlocked={blocked} />);
    await expect.element(screen.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
    await screen.getByRole('textbox', { name: 'Message' }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByRole('alert')).toMatchTextContent(blocked.reason);
  });

  it('shows parameters beside a wide panel, and in a drawer over a narrow one', async () => {
    const screen = await render(<Frame />);
    const parameters = screen.getByRole('complementary', { name: 'Parameters' });
    await expect.element(parameters).toBeVisible();
    expect(parameters.element().getBoundingClientRect().width).toBe(300);

    await page.viewport(960, 600);
    await vi.waitFor(() => expect(parameters.elements()).toHaveLength(0));
    await screen.getByRole('button', { name: 'Parameters' }).click();
    await expect.element(parameters).toBeVisible();
    const message = screen.getByRole('textbox', { name: 'Message' }).element();
    expect(message.parentElement?.getBoundingClientRect().width).toBeGreaterThan(900);
  });

  it('closes a narrow panel’s drawer on Escape or a click beside it', async () => {
    const onStop = vi.fn();
    await page.viewport(960, 600);
    const screen = await render(<Frame running onRun={vi.fn()} onStop={onStop} />);
    const button = screen.getByRole('button', { name: 'Parameters' });
    const parameters = screen.getByRole('complementary', { name: 'Parameters' });

    await button.click();
    await expect.element(parameters).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await vi.waitFor(() => expect(parameters.elements()).toHaveLength(0));
    expect(onStop).not.toHaveBeenCalled();
    await expect.element(button).toHaveFocus();

    await button.click();
    await expect.element(parameters).toBeVisible();
    const { top } = parameters.element().getBoundingClientRect();
    await userEvent.click(document.body, { position: { x: 200, y: top + 4 } });
    await vi.waitFor(() => expect(parameters.elements()).toHaveLength(0));
    await expect.element(button).toHaveFocus();
  });

  it('ignores a held key that was first pressed elsewhere', async () => {
    const onRun = vi.fn();
    const screen = await render(<Frame onRun={onRun} />);
    const run = screen.getByRole('button', { name: 'Run', exact: true }).element();
    const message = screen.getByRole('textbox', { name: 'Message' }).element();
    // The key goes down in the text box, and its repeats go to the focused button.
    message.addEventListener('keydown', () => setTimeout(() => run.focus()));
    message.focus();
    await userEvent.keyboard('{Enter>4/}');
    message.focus();
    await userEvent.keyboard('{ >4/}');
    expect(document.activeElement).toBe(run);
    expect(onRun).not.toHaveBeenCalled();
    await userEvent.keyboard('{Enter}');
    expect(onRun).toHaveBeenCalledOnce();
    await userEvent.keyboard(' ');
    expect(onRun).toHaveBeenCalledTimes(2);
  });
});

describe('the palette', () => {
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
    ...{ id: 'rivers', title: 'About rivers', titled: false, createdAt: 0, updatedAt: 0 },
    ...{ messageCount: 2, lastRunStatus: 'succeeded', match: null, turns: [], systemMessage: '' },
    ...{ pinned: false, archived: false, folder: null, options: defaultConversationOptions },
    ...{
      activeLeafId: 'answer',
      complete: true,
      revision: 'epoch:0',
      messages: [question, answer],
    },
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

  it('runs, stops and retries, and opens recent runs unless their comparison is blind', async () => {
    panelForms.completion.change({ input: { prompt: 'Once' } });
    const { screen, options, search, take } = await open('#/completion');
    await take('run', 'Run');
    await expect.poll(() => main.started).toMatchObject([{ request: { prompt: 'Once' } }]);
    await expect.element(screen.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    await take('stop', 'Stop');
    await expect.poll(() => main.cancelled).toEqual(['started-1']);
    await take('rivers', 'About rivers');
    await expect.element(screen.getByRole('article', { name: 'assistant' })).toBeVisible();
    await take('retry', 'Retry last answer');
    const retried = { conversationId: 'rivers', parentId: 'question', message: null };
    await expect.poll(() => main.sent).toMatchObject([retried]);

    const status = 'succeeded';
    const hidden = { comparisonId: 'birds', cell: 0 };
    main.runs = [
      runView('completion', { id: 'heron', preview: 'A heron', status }),
      runView('speech', { id: 'other', preview: 'Something else', status }),
      runView('completion', { id: 'hidden', preview: 'A hidden heron', status, ...hidden }),
    ];
    main.blind = ['birds'];
    main.recorded = { prompt: 'A heron by the river', temperature: 0.25 };
    await queryClient.invalidateQueries();
    await search('heron');
    await expect.element(options.filter({ hasText: /^A heron/ })).toBeVisible();
    expect(options.filter({ hasText: /hidden/ }).elements()).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await expect.element(heading('Completion')).toBeVisible();
    const prompt = screen.getByRole('textbox', { name: 'Prompt' });
    await expect.element(prompt).toHaveValue('A heron by the river');
    const temperature = screen.getByRole('spinbutton', { name: 'Temperature' });
    await expect.element(temperature).toHaveValue('0.25');
  });
});

describe('a pasted command', () => {
  const key = 'sk-pasted-0123456789';
  const body = {
    model: 'rank-1',
    query: 'Rivers',
    documents: ['Sea', 'Hill'],
    top_n: 1,
    unusual: 2,
  };
  const curl = (origin: string) => `curl ${origin}/v1/rerank \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`;

  beforeEach(async () => {
    await resetShellWithModels();
    dismissPastedNotice();
    location.hash = '#/speech';
  });

  function paste(target: Element, text: string): void {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const init = { bubbles: true, cancelable: true, clipboardData };
    target.dispatchEvent(new ClipboardEvent('paste', init));
  }

  async function pasteIntoPalette(text: string) {
    const screen = await render(<App />);
    await expect.element(screen.getByRole('combobox', { name: 'Model' })).toBeVisible();
    await userEvent.keyboard('{Control>}k{/Control}');
    const command = screen.getByRole('combobox', { name: 'Command' });
    await expect.element(command).toHaveFocus();
    paste(command.element(), text);
    const options = screen.getByRole('listbox', { name: 'Commands' });
    return { screen, options };
  }

  it('opens a curl command from the palette without its key, and offers Undo', async () => {
    main.connections = [
      demo,
      { ...demo, id: 'own', kind: 'custom', baseUrl: 'https://a.example/v1' },
    ];
    const form = panelForms.rerank;
    await form.load();
    form.change({ input: { query: 'Mine', documents: 'My document' } });
    const { screen, options } = await pasteIntoPalette(curl('https://a.example'));
    await expect
      .element(options.getByRole('option'))
      .toHaveTextContent('Open pasted request in RerankPOST a.example');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('textbox', { name: 'Query' })).toHaveValue('Rivers');
    const { input, parameters, extraBody, models } = form.state.getState().values;
    expect(input.documents).toBe('Sea\nHill');
    expect({ parameters, models }).toMatchObject({
      ...{ parameters: { top_n: 1 }, models: { own: 'rank-1' } },
    });
    expect(JSON.parse(extraBody)).toEqual({ unusual: 2 });
    expect(main.settings.selectedConnectionId).toBe('own');
    const notice = screen.getByText(/^Pasted a rerank request/);
    await expect
      .element(notice)
      .toHaveTextContent('Pasted a rerank request. The Authorization header was left out.');
    expect(JSON.stringify({ ...localStorage, values: form.state.getState().values })).not.toContain(
      key,
    );

    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByRole('textbox', { name: 'Query' })).toHaveValue('Mine');
  });
});

describe('a rejected key', () => {
  const connection = { id: 'mine', name: 'Mine' };
  const mine: Connection = {
    ...{ ...demo, ...connection, kind: 'custom' },
    key: { lastFour: '6789', protection: 'session' },
  };

  beforeEach(async () => {
    await resetShellWithModels();
    closeConnectDialog();
  });

  function Page({ children }: { children: ReactNode }) {
    return (
      <QueryClientProvider client={queryClient}>
        {children}
        <ConnectOverlay />
      </QueryClientProvider>
    );
  }

  async function openFailed(error: AppError, changed: Partial<Connection> = {}) {
    main.connections = [demo, { ...mine, ...changed }];
    main.runs = [runView('completion', { id: 'run-1', status: 'failed', error, finishedAt: 1 })];
    main.recorded = { prompt: 'Once', model: 'demo-story' };
    panelForms.completion.change({ runId: 'run-1', input: { prompt: 'Once' } });
    location.hash = '#/completion';
    const screen = await render(
      <Page>
        <CompletionPanel />
      </Page>,
    );
    const alert = screen.getByRole('region', { name: 'Result' }).getByRole('alert');
    await expect.element(alert).toBeVisible();
    return { screen, alert, dialog: screen.getByRole('dialog', { name: 'Edit Mine' }) };
  }

  const rejected = (connection: { id: string; name: string }) =>
    appError('unauthorized', 'The gateway rejected the API key.', 'Check it.', { connection });
  it('opens the connection at its key field if the key was rejected', async () => {
    const { alert, dialog } = await openFailed(rejected(connection));
    await alert.getByRole('button', { name: 'Edit Mine' }).click();
    await expect.element(dialog.getByLabelText('API key')).toHaveFocus();
    await dialog.getByLabelText('API key').fill('sk-right-0123456789');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(main.keys).toMatchObject([{ id: 'mine', key: 'sk-right-0123456789' }]);
    await expect.element(alert.getByRole('button', { name: 'Edit Mine' })).toHaveFocus();
  });
});
