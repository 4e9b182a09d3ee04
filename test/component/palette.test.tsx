import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { App } from '../../renderer/app/app.tsx';
import { ConnectOverlay } from '../../renderer/app/connect-overlay.tsx';
import { CompletionPanel } from '../../renderer/features/completion/completion-panel.tsx';
import { closeConnectDialog } from '../../renderer/lib/connections.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { usePastedNotices } from '../../renderer/run/form/pasted-notice.ts';
import type { Connection } from '../../shared/connection.ts';
import { type Conversation, defaultConversationOptions } from '../../shared/conversation.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import { getParamValues } from '../../shared/param.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';
import { makeMessage } from './chat-fake-state.ts';
import { demoModels } from './params-fixtures.tsx';
import { demo, main } from './shell-fake-main.ts';
import { resetShell, resetShellWithModels } from './shell-fixtures.ts';

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
    usePastedNotices.setState({ notices: {}, question: null });
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
    const { input, params, extraBody, models } = form.state.getState().values;
    expect(input.documents).toBe('Sea\nHill');
    expect(getParamValues(params)).toEqual({ top_n: 1 });
    expect(models).toMatchObject({ own: 'rank-1' });
    expect(JSON.parse(extraBody)).toEqual({ unusual: 2 });
    expect(main.settings.selectedConnectionId).toBe('own');
    const notice = screen.getByText(/^Pasted a rerank request/);
    await expect
      .element(notice)
      .toHaveTextContent(
        'Pasted a rerank request (Rerank format) for a.example. The Authorization header was left out.',
      );
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
    ...demo,
    ...connection,
    kind: 'custom',
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
  const words = 'The key was kept for the session only. Enter it again.';
  const needed = appError('key-needed', words, '', { connection, missing: 'key' });

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

  it('asks for a lost session key in the error, and runs again', async () => {
    const { alert } = await openFailed(needed, { key: null, lost: { key: true, values: false } });
    await expect.element(alert).toMatchTextContent(new RegExp(words));
    expect(alert.getByRole('button', { name: 'Retry' }).elements()).toHaveLength(0);
    const key = alert.getByLabelText('Key of Mine');
    await expect.element(key).toHaveAttribute('type', 'password');
    await key.fill('sk-again-0123456789');
    await alert.getByRole('combobox', { name: 'Store key' }).selectOptions('file');
    await alert.getByRole('button', { name: 'Save and run again' }).click();
    await expect
      .poll(() => main.keys)
      .toMatchObject([{ id: 'mine', key: 'sk-again-0123456789', keeping: 'file' }]);
    await expect.poll(() => main.started.length).toBe(1);
  });
});
