import { ORPCError } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addMessage } from '../../renderer/features/chat/chat-actions.ts';
import { selectConversation, useChat } from '../../renderer/features/chat/chat-store.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { variantForm } from '../../renderer/run/compare/variant-form.ts';
import { getVariants, removeVariant, setComparing } from '../../renderer/run/compare/variants.ts';
import { conversationForm } from '../../renderer/run/form/panel-forms.ts';
import { usePastedNotice } from '../../renderer/run/paste/pasted-notice.ts';
import { showRequestAs } from '../../renderer/run/views/request-views.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import { appError } from '../../shared/errors.ts';
import { conversationFormId } from '../../shared/form-fields.ts';
import {
  compared,
  conversations,
  faults,
  moveRun,
  queuedIn,
  savedTools,
  sent,
  settleAnswer,
  toolSets,
  turnRequests,
} from './chat-fake-main.ts';
import {
  choice,
  lastRunId,
  openChat,
  openReadyChat,
  resetChat,
  showExchange,
  weather,
} from './chat-fixtures.tsx';
import { storedFields } from './fake-forms.ts';
import { recordNotes } from './notes.ts';

beforeEach(() => resetChat({ listOpen: false }));

it('creates a conversation with the first message, with reasoning collapsed above the answer', async () => {
  const { button, message, answer, screen } = await openChat();
  await screen.getByRole('textbox', { name: 'System message' }).fill('Be brief.');
  await message.fill('Hello **there**');
  await button('Run').click();
  const user = screen.getByRole('article', { name: 'user' });
  await expect.element(user).toMatchTextContent(/Hello \*\*there\*\*/);
  const reasoning = 'Let me see';
  moveRun(lastRunId(), choice('', { reasoning }));
  await expect.element(answer.getByText(reasoning)).toBeVisible();
  moveRun(lastRunId(), choice('Some **bo', { reasoning }));
  await expect.element(answer).toMatchTextContent(/Some bo/);
  await expect.element(answer.getByText(reasoning)).not.toBeInTheDocument();
  await answer.getByText(/Reasoning/).click();
  await expect.element(answer.getByText(reasoning)).toBeVisible();
  moveRun(lastRunId(), choice('Some **bold** words'), { status: 'succeeded' });
  await expect.element(answer.getByText('bold', { exact: true })).toBeVisible();
  await expect.element(button('Run')).toBeVisible();
  await expect.element(message).toHaveValue('');
  expect([...conversations.values()][0]).toMatchObject({ systemMessage: 'Be brief.' });
  expect(sent[0]).toMatchObject({ request: { model: 'demo-echo' }, parentId: null });
});

it('keeps the message if sending fails, and asks before exceeding a daily cap', async () => {
  const { button, message, screen } = await openChat();
  faults.send = new Error('boom');
  await message.fill('precious text');
  await button('Run').click();
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Something went wrong/);
  await expect.element(message).toHaveValue('precious text');
  await expect.element(message).toHaveFocus();
  const words = 'Demo has used $1.00 of today’s $1.00 cap (estimated).';
  const error = appError('beyond-cap', words, 'Nothing was sent.');
  faults.send = new ORPCError('APP_ERROR', { defined: true, data: error });
  const question = screen.getByRole('alert').filter({ hasText: words });
  await button('Run').click();
  await question.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await button('Run').click();
  await expect.element(question).toBeVisible();
  await message.fill('another text');
  await expect.element(question).not.toBeInTheDocument();
  await button('Run').click();
  await expect.element(question).toBeVisible();
  expect(conversations.size).toBe(0);
  faults.send = null;
  await question.getByRole('button', { name: 'Run anyway' }).click();
  await expect.element(button('Stop')).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(message).toHaveValue('');
  expect(sent).toMatchObject([{ overCap: true, message: { content: 'another text' } }]);
});

it('rejects a second message while one is being sent', async () => {
  await openChat();
  const notes = recordNotes();
  useChat.setState({ sending: true });
  expect(await addMessage(null, { role: 'user', content: 'twice' })).toBe(false);
  expect(notes).toMatchObject([{ text: 'Sending…' }]);
});

it('offers three examples that run', async () => {
  const { button, screen } = await openReadyChat();
  await button('Tell a story').click();
  await expect.poll(() => sent.length).toBe(1);
  selectConversation(null);
  await expect.element(button('Call a tool')).toBeEnabled();
  // The second click must be ignored.
  const call = button('Call a tool').element();
  if (!(call instanceof HTMLElement)) expect.fail();
  call.click();
  call.click();
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]?.request).toMatchObject({ tools: [{ function: { name: 'get_weather' } }] });
  await expect.element(button('Tools 1')).toBeVisible();
  selectConversation(null);
  await expect.element(screen.getByText('Tools 1')).not.toBeInTheDocument();
  await button('Answer in JSON').click();
  await expect.poll(() => sent.length).toBe(3);
  expect(sent[2]?.request).toMatchObject({ response_format: { type: 'json_schema' } });
  expect(sent[2]?.request).not.toHaveProperty('tools');
  expect(savedTools).toHaveLength(1);
});

it('opens the field to fix if the run is blocked', async () => {
  conversationForm(null).change({ extraBody: '{"top_k": ' });
  const { screen } = await openReadyChat();
  useLayout.setState({ sidebarOpen: false });
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const reason = screen.getByRole('alert').filter({ hasText: /^Extra body fields: / });
  await expect.element(reason).toBeVisible();
  await expect.element(screen.getByRole('complementary', { name: 'Parameters' })).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Extra body fields' })).toHaveFocus();
  expect(sent).toEqual([]);
});

describe('the queue', () => {
  beforeEach(() => resetChat({ listOpen: false }));

  /** Opens a conversation with a streaming answer. */
  async function openStreaming() {
    const chat = await openReadyChat();
    await chat.message.fill('first');
    await userEvent.keyboard('{Enter}');
    await expect.element(chat.button('Stop')).toBeVisible();
    const [id = ''] = conversations.keys();
    const queue = chat.screen.getByRole('region', { name: 'Queued messages' });
    return { ...chat, id, queue, items: queue.getByRole('listitem') };
  }

  it('queues messages while an answer streams, and keeps them and an unsaved edit after a reload', async () => {
    const { screen, button, message, id, queue, items } = await openStreaming();
    await expect.element(button('Queue')).not.toBeInTheDocument();
    await message.fill('second');
    await userEvent.keyboard('{Enter}');
    await expect.element(items.getByText('second')).toBeVisible();
    await expect.element(message).toHaveValue('');
    await expect.element(message).toHaveFocus();
    await message.fill('third');
    await button('Queue').click();
    await expect
      .poll(() => items.elements().map((item) => item.textContent))
      .toEqual(['second', 'third']);
    await expect.element(message).toHaveFocus();
    await expect.element(queue.getByText('Sent when the answer ends')).toBeVisible();
    expect(sent).toHaveLength(1);
    expect(Object.values(queuedIn(id))).toMatchObject([
      { afterRunId: lastRunId(), message: { content: 'second' }, request: { model: 'demo-echo' } },
      { message: { content: 'third' } },
    ]);

    await items.nth(0).getByRole('button', { name: 'Edit queued message' }).click();
    await screen.getByRole('textbox', { name: 'Edit queued message' }).fill('second try');
    await expect
      .poll(() => Object.values(storedFields(conversationFormId(id))))
      .toContainEqual({ text: 'second try' });
    await screen.unmount();
    conversationForm(id).forget();
    const reopened = (await openReadyChat()).screen;
    const editor = reopened.getByRole('textbox', { name: 'Edit queued message' });
    await expect.element(editor).toHaveValue('second try');
    await reopened.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(items.getByText('second try')).toBeVisible();
  });
});

describe('columns', () => {
  beforeEach(() => resetChat({ listOpen: false }));

  /** Opens a new conversation with two columns; the second has another model and temperature. */
  async function openColumns() {
    const chat = await openReadyChat();
    const form = conversationForm(null);
    setComparing(form, true);
    const [, second] = getVariants(form.state.getState().values.variants);
    variantForm(form, second?.id ?? '').change({
      connectionId: 'demo',
      models: { demo: 'demo-other' },
      parameters: { temperature: 0.2 },
    });
    await expect.element(chat.screen.getByRole('group', { name: 'demo-other' })).toBeVisible();
    const send = async (text: string) => {
      const turns = compared.length;
      await chat.message.fill(text);
      await chat.button('Run').click();
      await expect.poll(() => compared.length).toBe(turns + 1);
    };
    const exchange = async (text: string) => {
      await send(text);
      settleAnswer(runOf('demo-echo'), { content: 'One' });
      settleAnswer(runOf('demo-other'), { content: 'Two' });
    };
    const column = (name: string) =>
      chat.screen.getByRole('region', { name: 'Comparison' }).getByRole('group', { name });
    return { ...chat, send, exchange, column };
  }

  const messages = () => [...conversations.values()].flatMap((one) => one.messages);
  const answersOf = (model: string) => messages().filter(({ run }) => run?.model === model);
  const runOf = (model: string) => answersOf(model).at(-1)?.run?.id ?? '';

  it('sends each message to every column, after that column’s last answer', async () => {
    const { send, column } = await openColumns();
    await send('Hello');
    expect(compared[0]).toMatchObject({
      comparisonId: null,
      variants: [{ request: { model: 'demo-echo' } }, { request: { model: 'demo-other' } }],
      message: { role: 'user', content: 'Hello' },
    });
    expect(new Set(Object.values(compared[0]?.parents ?? {}))).toEqual(new Set([null]));
    moveRun(runOf('demo-echo'), choice('From the first'));
    moveRun(runOf('demo-other'), choice('From the other'));
    await expect.element(column('demo-echo').getByText('From the first')).toBeVisible();
    await expect.element(column('demo-other').getByText('From the other')).toBeVisible();
    settleAnswer(runOf('demo-echo'), { content: 'From the first' });
    settleAnswer(runOf('demo-other'), { content: 'From the other' });

    const form = conversationForm(useChat.getState().selectedId);
    const [one, two] = compared[0]?.variants ?? [];
    removeVariant(form, two?.id ?? '');
    await expect.element(column('demo-other').getByText('Removed')).toBeVisible();
    column('demo-other')
      .getByRole('button', { name: 'Restore demo-other · temperature 0.2' })
      .element()
      .focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(column('demo-other').getByText('Removed')).not.toBeInTheDocument();
    await send('And now?');
    expect(compared[1]?.variants).toMatchObject([
      { id: one?.id, request: one?.request },
      { id: two?.id, connectionId: two?.connectionId, request: two?.request },
    ]);
    expect(compared[1]?.parents).toEqual({
      [one?.id ?? '']: answersOf('demo-echo')[0]?.id,
      [two?.id ?? '']: answersOf('demo-other')[0]?.id,
    });
    expect(compared[1]?.comparisonId).not.toBeNull();
    await expect.element(column('demo-other').getByText('And now?')).toBeVisible();
  });

  it('shows failed and stopped answers apart from tools, and hides names if blind', async () => {
    useChat.setState({ listOpen: true });
    const { send, screen, button } = await openColumns();
    await send('Hello');
    const message = 'The model demo-other does not exist.';
    const error = appError('not-found', message, 'Choose another.');
    moveRun(runOf('demo-echo'), choice('Half'), { status: 'cancelled' });
    moveRun(runOf('demo-other'), {}, { status: 'failed', error });
    const comparison = screen.getByRole('region', { name: 'Comparison' });
    await expect.element(comparison.getByText(message)).toBeVisible();
    await expect.element(comparison.getByText('Stopped. Partial answer kept.')).toBeVisible();
    await expect.element(button('Retry failed')).toBeVisible();

    const summary = screen.getByText('2 of 2 requests done · 1 failed · 1 stopped');
    const boxOf = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect();
    onTestFinished(() => page.viewport(1360, 860));
    for (const [width, rows] of [
      [1920, 1],
      [1360, 1],
      [960, 2],
    ] as const) {
      await page.viewport(width, 860);
      await expect.element(summary).toBeVisible();
      const { right, bottom } = boxOf(summary.element());
      const tools = boxOf(screen.getByRole('button', { name: 'Diff' }).element().parentElement);
      expect(tools.left > right || tools.top >= bottom).toBe(true);
      expect(tools.right).toBeGreaterThan(boxOf(comparison.element()).right - 40);
      if (rows === 1) expect(tools.top).toBeLessThan(bottom);
    }

    await page.viewport(1360, 860);
    await comparison.getByRole('switch', { name: 'Blind' }).click();
    await expect.element(comparison.getByRole('group', { name: 'A', exact: true })).toBeVisible();
    await expect.element(comparison.getByText('This request failed.')).toBeVisible();
    await expect.element(comparison.getByText('Stopped. Partial answer kept.')).toBeVisible();
    expect(comparison.element().textContent).not.toMatch(/demo-|\d ms|\d s\b/);
  });
});

describe('media', () => {
  beforeEach(() => resetChat({ listOpen: false }));

  it('sends image URLs with detail, and files by ID with their name, without text', async () => {
    const { screen, button } = await openChat();
    await button('Add from URL or ID').click();
    await screen.getByRole('menuitem', { name: 'Image URL…' }).click();
    await screen.getByRole('textbox', { name: 'Image URL' }).fill('https://example.com/a.png');
    await userEvent.keyboard('{Enter}');
    await screen.getByRole('combobox', { name: 'Detail' }).selectOptions('low');
    await button('Add from URL or ID').click();
    await screen.getByRole('menuitem', { name: 'File ID…' }).click();
    await screen.getByRole('textbox', { name: 'File ID' }).fill('file-1');
    await screen.getByRole('textbox', { name: 'File name' }).fill('paper.pdf');
    await userEvent.keyboard('{Enter}');
    const file = screen.getByRole('group', { name: 'File ID file-1 · paper.pdf' });
    await expect.element(file).toBeVisible();
    await button('Run').click();
    await expect
      .poll(() => sent[0]?.message?.content)
      .toEqual([
        { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
        { type: 'file', file: { file_id: 'file-1', filename: 'paper.pdf' } },
      ]);
    await expect.element(button('Load image from example.com')).toBeVisible();
    const user = screen.getByRole('article', { name: 'user' });
    await expect.element(user).toMatchTextContent(/file-1 · paper\.pdf/);
  });
});

describe('a pasted request', () => {
  const newer = {
    type: 'function',
    function: { name: 'get_time', parameters: { type: 'object' } },
  };
  const body = {
    model: 'demo-echo',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'First' },
      { role: 'user', content: 'Two' },
    ],
    temperature: 0.5,
    unusual: 1,
  };
  const curl = (sent: object) =>
    `curl https://a.example/v1/chat/completions -H 'api-key: 0123456789' -d '${JSON.stringify(sent)}'`;

  beforeEach(() => resetChat({ listOpen: false }));

  afterEach(() => showRequestAs('chat', 'form'));

  function pasteInto(target: Element, text: string, { composed = false } = {}): boolean {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const init = { bubbles: true, cancelable: true, composed, clipboardData };
    const event = new ClipboardEvent('paste', init);
    target.dispatchEvent(event);
    return event.defaultPrevented;
  }

  async function openAndPaste(text: string) {
    const chat = await openReadyChat();
    pasteInto(chat.message.element(), text);
    return chat;
  }

  it('offers to open a pasted request, and fills a conversation from it', async () => {
    savedTools.push(weather);
    const { screen, button, message } = await openAndPaste(
      curl({ ...body, tools: [weather.tool, newer], tool_choice: 'auto' }),
    );
    const what = 'You pasted a request to a.example. The api-key header will be left out.';
    await expect.element(screen.getByText(what)).toBeVisible();
    await expect.element(button('Open in Chat')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(message).toHaveValue('Two');
    const [conversation] = [...conversations.values()];
    expect(conversation).toMatchObject({
      systemMessage: 'Be brief.',
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'First' },
      ],
      options: { toolChoice: 'auto', responseFormat: null },
    });
    expect(savedTools.map(({ tool }) => tool.function.name)).toEqual(['get_weather', 'get_time']);
    expect(conversation?.options.toolIds).toEqual(savedTools.map(({ id }) => id));
    const { values } = conversationForm(conversation?.id ?? '').state.getState();
    expect(values.parameters).toEqual({ temperature: 0.5 });
    expect(values.models).toEqual({ demo: 'demo-echo' });
    expect(JSON.parse(values.extraBody)).toEqual({ unusual: 1 });
    // Only the request's own parameters are sent.
    expect(values.cleared).toMatchObject({ stream: true });
    expect(usePastedNotice.getState().notice?.message).toBe(
      'Pasted a chat request (Chat completions format). The api-key header was left out.',
    );
  });
});

describe('tool calls', () => {
  beforeEach(() => resetChat({ listOpen: false }));

  const call = (id: string, name: string, args = '{"place":"Oslo"}') => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  });

  function conversationWithCalls() {
    const toolCalls = [call('call_1', 'get_weather'), call('call_2', 'get_time', '{"place": "Os')];
    return showExchange('Weather and time?', { toolCalls }).answers[0];
  }

  it('warns about missing results before sending, then sends all results with their IDs', async () => {
    const earlier = conversationWithCalls();
    const { screen, button, message } = await openChat();
    await expect.element(screen.getByText('Arguments aren’t valid JSON.')).toBeVisible();
    const result = (name: string) => screen.getByRole('textbox', { name: `Result for ${name}` });
    await result('get_weather').fill('cold');
    await button('Run').click();
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/get_time/);
    await expect.element(result('get_time')).toHaveFocus();
    await button('Run with these results').click();
    await expect.element(result('get_time')).toHaveFocus();
    expect(sent).toHaveLength(0);
    await button('Run anyway').click();
    await expect.poll(() => sent.length).toBe(1);
    const weather = { role: 'tool', content: 'cold', toolCallId: 'call_1' };
    expect(sent[0]).toMatchObject({ parentId: earlier?.id, earlier: [], message: weather });

    const answer = conversationWithCalls();
    await result('get_time').fill('12:00');
    await result('get_weather').fill('cold');
    await button('Run with these results').click();
    await expect.poll(() => sent.length).toBe(2);
    const time = { role: 'tool', content: '12:00', toolCallId: 'call_2' };
    expect(sent[1]).toMatchObject({ parentId: answer?.id, earlier: [weather], message: time });
    const form = screen.getByRole('form', { name: 'Tool results' });
    await expect.element(form).not.toBeInTheDocument();
    await expect.element(message).toHaveFocus();
  });

  /** Returns the turn of an answer whose calls run or wait for approval. */
  function turnOf(answer: TreeMessage | undefined) {
    return { answerId: answer?.id ?? '', runId: answer?.run?.id ?? '', problem: null };
  }

  it('asks before an MCP tool call, shows what runs, and can be stopped', async () => {
    const answer = conversationWithCalls();
    const asked = { by: 'mcp', server: 'Weather', status: 'asking' } as const;
    const running = { by: 'script', server: null, status: 'running' } as const;
    [...conversations.values()][0]?.turns.push({
      ...turnOf(answer),
      calls: [
        { place: 0, id: 'call_1', name: 'get_weather', ...asked },
        { place: 1, id: 'call_2', name: 'get_time', ...running },
      ],
    });
    const { screen, button } = await openChat();
    await expect.element(screen.getByText('get_time is running…')).toBeVisible();
    const question = screen.getByRole('group', { name: 'Allow get_weather' });
    await expect.element(question).toMatchTextContent(/on Weather/);
    await question.getByRole('button', { name: 'Always allow' }).click();
    await expect.poll(() => turnRequests).toHaveLength(1);
    expect(turnRequests[0]).toMatchObject({ answerId: answer?.id, place: 0, decision: 'always' });
    await button('Stop').click();
    await expect.poll(() => turnRequests).toHaveLength(2);
  });
});

describe('tool sets', () => {
  beforeEach(() => {
    resetChat({ listOpen: false });
    for (const name of ['get_time', 'get_weather', 'look_up']) {
      const tool = { type: 'function' as const, function: { name, description: `About ${name}.` } };
      savedTools.push({ id: name, tool, answer: { by: 'you' }, createdAt: 0 });
    }
  });

  const getToolIds = () => conversationForm(null).state.getState().values.input.options.toolIds;

  async function openTools() {
    const { screen, button } = await openChat();
    await button('Tools').click();
    const use = (name: string) => screen.getByRole('switch', { name: `Use ${name}` });
    const menuItem = (name: string) => screen.getByRole('menuitem', { name });
    const openMenu = () => button('Tool sets').click();
    return { screen, button, use, menuItem, openMenu };
  }

  it('saves the active tools as a set, and later turns on exactly these', async () => {
    const { screen, button, use, menuItem, openMenu } = await openTools();
    await openMenu();
    await expect.element(menuItem('Save these as a set…')).toHaveAttribute('aria-disabled', 'true');
    await userEvent.keyboard('{Escape}');
    await use('get_time').click();
    await use('get_weather').click();
    await openMenu();
    await menuItem('Save these as a set…').click();
    await screen.getByRole('textbox', { name: 'Name' }).fill('Travel');
    await button('Save').click();
    const tools = [{ name: 'get_time' }, { name: 'get_weather' }];
    await expect.poll(() => toolSets).toMatchObject([{ name: 'Travel', tools, mcpTools: [] }]);
    await expect.element(button('Tool sets')).toHaveFocus();

    await use('get_time').click();
    await use('look_up').click();
    await openMenu();
    await menuItem('Travel (2)').click();
    await expect.poll(getToolIds).toEqual(['get_time', 'get_weather']);
    await expect.element(use('look_up')).not.toBeChecked();
    await button('Undo').click();
    await expect.poll(getToolIds).toEqual(['get_weather', 'look_up']);
  });
});
