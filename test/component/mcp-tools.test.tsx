import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { McpQuestions } from '../../renderer/app/mcp-questions.tsx';
import { TurnCalls } from '../../renderer/features/chat/log/turn-calls.tsx';
import { CallRecordView } from '../../renderer/features/chat/options/call-record.tsx';
import { SettingsPanel } from '../../renderer/features/settings/settings-panel.tsx';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import { type McpServer, noOffers } from '../../shared/mcp.ts';
import type { McpQuestion } from '../../shared/mcp-activity.ts';
import type { McpMessage, McpMessageBody } from '../../shared/mcp-messages.ts';
import { changeMcpActivity, main, resetMain } from './shell-fake-main.ts';

beforeEach(async () => {
  await page.viewport(960, 600);
  queryClient.clear();
  resetMain();
  useLinkState.setState('open', true);
});

async function show(children: React.ReactNode) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  void followChanges(stop.signal);
  return render(<QueryClientProvider client={queryClient}>{children}</QueryClientProvider>);
}

const asker = { id: 'q', serverId: 'mcp', server: 'files', tool: 'move', message: 'Where to?' };
const form: McpQuestion = {
  ...asker,
  mode: 'form',
  schema: {
    type: 'object',
    properties: {
      folder: { type: 'string', title: 'Folder', description: 'Must exist' },
      count: { type: 'integer', title: 'Count', default: 3 },
      force: { type: 'boolean', title: 'Force' },
    },
    required: ['folder'],
  },
};

it('asks a server’s question in a dialog, and sends the form', async () => {
  main.mcpActivity.questions = [form];
  const screen = await show(<McpQuestions />);
  await expect.element(screen.getByText('files (move) asks you for information.')).toBeVisible();
  await screen.getByRole('button', { name: 'Answer' }).click();
  const dialog = screen.getByRole('dialog', { name: 'files asks you' });
  await expect.element(dialog).toMatchTextContent(/Where to\?/);
  await expect.element(dialog).toMatchTextContent(/Required\. Must exist/);
  const send = dialog.getByRole('button', { name: 'Send' });
  await expect.element(send).toHaveAttribute('aria-description', 'Enter Folder.');
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('inbox');
  await dialog.getByRole('switch', { name: 'Force' }).click();
  await send.click();
  await expect
    .poll(() => main.mcpAnswers)
    .toEqual([{ questionId: 'q', content: { folder: 'inbox', count: 3, force: true } }]);
  await expect.element(dialog).not.toBeInTheDocument();
});

it('declines a question from its banner', async () => {
  main.mcpActivity.questions = [form];
  const screen = await show(<McpQuestions />);
  await screen.getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => main.mcpAnswers).toEqual([{ questionId: 'q', content: null }]);
  await expect.element(screen.getByText('asks you')).not.toBeInTheDocument();
});

it('offers no form for a secret', async () => {
  const schema = { type: 'object', properties: { key: { type: 'string', title: 'API key' } } };
  main.mcpActivity.questions = [{ ...form, schema }];
  const screen = await show(<McpQuestions />);
  await screen.getByRole('button', { name: 'Answer' }).click();
  const dialog = screen.getByRole('dialog', { name: 'files asks you' });
  await expect
    .element(dialog.getByRole('alert'))
    .toMatchTextContent(/asks for a secret \(API key\)/);
  await expect.element(dialog.getByRole('textbox')).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => main.mcpAnswers).toEqual([{ questionId: 'q', content: null }]);
});

it('shows the whole address before it opens a server’s page', async () => {
  const url = 'https://login.example/step?id=1';
  main.mcpActivity.questions = [{ ...asker, mode: 'url', url }];
  const opening = vi.spyOn(window, 'open').mockReturnValue(null);
  onTestFinished(() => opening.mockRestore());
  const screen = await show(<McpQuestions />);
  await screen.getByRole('button', { name: 'Look at it' }).click();
  const dialog = screen.getByRole('dialog', { name: 'files asks you to open a page' });
  await expect.element(dialog).toMatchTextContent(/login\.example\/step\?id=1/);
  await dialog.getByRole('button', { name: 'Open page' }).click();
  expect(opening).toHaveBeenCalledWith(url, '_blank', 'noopener');
  await expect.poll(() => main.mcpAnswers).toEqual([{ questionId: 'q', content: {} }]);
});

const server: McpServer = {
  id: 'mcp',
  name: 'files',
  enabled: true,
  status: 'ready',
  error: null,
  transport: { type: 'http', url: 'https://mcp.example/mcp', headers: [] },
  offers: {
    ...noOffers,
    tools: [
      {
        name: 'find',
        title: null,
        description: 'Finds files',
        inputSchema: {
          type: 'object',
          properties: { name: { type: 'string' }, most: { type: 'integer', maximum: 9 } },
          required: ['name'],
        },
        outputSchema: { type: 'object', properties: { count: { type: 'integer' } } },
        annotations: { readOnly: true, destructive: null },
        problem: null,
      },
    ],
    repeated: ['tools'],
  },
  protection: null,
  missing: [],
  signedIn: false,
  approvals: {},
};

const message = (fields: Partial<McpMessage & McpMessageBody>): McpMessage & McpMessageBody => ({
  number: 1,
  at: 1_700_000_000_000,
  direction: 'sent',
  kind: 'request',
  method: 'initialize',
  id: 0,
  callId: null,
  sizeBytes: 40,
  status: 200,
  preview: '{}',
  body: '{"method":"initialize"}',
  isCut: false,
  headers: [['mcp-session-id', 'one']],
  ...fields,
});

async function openServer() {
  main.mcpServers = [server];
  location.hash = '#/settings/mcp';
  const screen = await show(<SettingsPanel />);
  return { screen, row: screen.getByRole('listitem', { name: 'files' }) };
}

it('calls a tool by hand, from a form or JSON, and marks a result that doesn’t fit', async () => {
  const { row } = await openServer();
  await expect.element(row).toMatchTextContent(/The server repeats a page of its tools/);
  await row.getByText('Tools', { exact: true }).click();
  await row.getByText('Try', { exact: true }).click();
  const call = row.getByRole('button', { name: 'Call tool' });
  await expect.element(call).toHaveAttribute('aria-description', 'Enter name.');
  await row.getByRole('textbox', { name: 'name' }).fill('a.txt');
  await row.getByRole('spinbutton', { name: 'most' }).fill('12');
  await expect.element(call).toHaveAttribute('aria-disabled', 'true');
  await row.getByRole('spinbutton', { name: 'most' }).fill('2');
  const misfit = 'count: it isn’t a number.';
  const ended = Promise.withResolvers<Awaited<typeof main.mcpResult>>();
  main.mcpResult = ended.promise;
  await call.click();
  await expect.element(row.getByText('find is running…')).toBeVisible();
  ended.resolve({ content: '{"count":"two"}', isError: false, misfit, durationMs: 12 });
  const result = row.getByRole('region', { name: 'Result of find' });
  await expect
    .element(result)
    .toMatchTextContent(/Doesn’t fit the output schema\. count: it isn’t a number\./);
  await expect.element(result).toMatchTextContent(/"two"/);

  await row.getByRole('radio', { name: 'JSON' }).click();
  const json = row.getByRole('textbox', { name: 'Arguments of find as JSON' });
  await expect.element(json).toHaveValue('{\n  "name": "a.txt",\n  "most": 2\n}');
  await json.fill('{"name":');
  await expect.element(call).toHaveAttribute('aria-disabled', 'true');
  await json.fill('{"name": "b.txt", "extra": true}');
  await call.click();
  await expect
    .poll(() => main.mcpTried)
    .toEqual([
      { name: 'find', args: { name: 'a.txt', most: 2 } },
      { name: 'find', args: { name: 'b.txt', extra: true } },
    ]);
});

it('lists, filters, opens and exports the messages of a server', async () => {
  main.mcpMessages = [
    message({}),
    message({ number: 2, direction: 'received', kind: 'result', body: '{"result":{"a":1}}' }),
    message({
      number: 3,
      direction: 'received',
      kind: 'other',
      method: null,
      id: null,
      status: 503,
      body: '<h1>Down</h1>',
      isCut: true,
    }),
  ];
  const { screen, row } = await openServer();
  await row.getByRole('button', { name: 'Messages of files' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Messages of files' });
  await expect.element(dialog.getByText('3 messages')).toBeVisible();
  await dialog.getByRole('button', { name: /Received initialize result/ }).click();
  const headers = dialog.getByRole('table', { name: 'Response headers' });
  await expect.element(headers).toMatchTextContent(/mcp-session-idone/);
  await expect.element(dialog.getByRole('button', { name: 'Copy message' })).toBeVisible();
  await dialog.getByRole('searchbox', { name: 'Filter messages' }).fill('Down');
  await expect.element(dialog.getByText('1 message')).toBeVisible();
  await dialog.getByRole('button', { name: /Received Not JSON-RPC/ }).click();
  await expect.element(dialog.getByText(/Only the first 13 characters/)).toBeVisible();

  const saved = vi.spyOn(URL, 'createObjectURL');
  onTestFinished(() => saved.mockRestore());
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect.poll(() => saved.mock.calls.length).toBe(1);
  const file = saved.mock.calls[0]?.[0];
  expect(file instanceof Blob && (await file.text())).toContain('{"method":"initialize"}\n');
});

it('shows the progress and messages of a call that runs in a turn', async () => {
  const call = { serverId: 'mcp', callId: 'call' };
  const running = { ...call, server: 'files', tool: 'find', progress: null, lines: [] };
  main.mcpActivity.calls = [running];
  const calls = [
    {
      place: 0,
      id: 'call_1',
      name: 'find',
      by: 'mcp' as const,
      server: 'files',
      call,
      status: 'running' as const,
      startedAt: null,
    },
  ];
  const turn = { id: 't', answerId: 'a', runId: 'r', calls, problem: null };
  const screen = await show(<TurnCalls conversationId="c" turn={turn} />);
  await expect.element(screen.getByText('find on files is running…')).toBeVisible();
  changeMcpActivity({
    calls: [
      {
        ...running,
        progress: { done: 3, total: 10, message: 'Reading' },
        lines: [{ number: 1, level: 'warning', text: 'slow disk' }],
      },
    ],
  });
  await expect.element(screen.getByText('3 of 10 · Reading')).toBeVisible();
  await expect.element(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '3');
  await expect
    .element(screen.getByRole('list', { name: 'Log messages of find' }))
    .toMatchTextContent(/warning slow disk/);
  changeMcpActivity({ questions: [form] });
  const waiting = screen.getByText('find on files waits for your answer above.');
  await expect.element(waiting).toBeVisible();
});

it('opens the messages of a call from its result', async () => {
  main.mcpMessages = [message({}), message({ number: 2, method: 'tools/call', callId: 'call' })];
  const screen = await show(
    <CallRecordView
      record={{
        by: 'mcp',
        server: 'files',
        call: { serverId: 'mcp', callId: 'call' },
        failed: false,
        misfit: 'It has no structured content.',
        console: [],
        durationMs: 5,
      }}
    />,
  );
  await expect.element(screen.getByText(/doesn’t fit the tool’s output schema/)).toBeVisible();
  await screen.getByRole('button', { name: 'Messages' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Messages of this call of files' });
  await expect.element(dialog.getByRole('button', { name: /Sent tools\/call/ })).toBeVisible();
  await expect.element(dialog.getByText('1 message')).toBeVisible();
});
