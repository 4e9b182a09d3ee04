import { ORPCError } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { addMessage } from '../../renderer/features/chat/conversation/chat-actions.ts';
import {
  selectConversation,
  useChat,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { usePastedNotices } from '../../renderer/run/form/pasted-notice.ts';
import { showRequestAs } from '../../renderer/run/form/request-views.ts';
import { appError } from '../../shared/errors.ts';
import { getConversationFormId } from '../../shared/form-fields.ts';
import { getParamValues } from '../../shared/param.ts';
import { faults, queuedIn, sent } from './chat-fake-conversations.ts';
import { moveRun } from './chat-fake-runs.ts';
import { savedTools } from './chat-fake-saved.ts';
import { conversations } from './chat-fake-state.ts';
import {
  choice,
  lastRunId,
  openChat,
  openReadyChat,
  resetChat,
  weather,
} from './chat-fixtures.tsx';
import { storedFields } from './fake-forms.ts';
import { recordNotes } from './notes.ts';

beforeEach(() => resetChat({ listOpen: false }));

it('creates a conversation with the first message, with reasoning collapsed above the answer', async () => {
  const { button, message, answer, screen } = await openChat();
  await screen.getByRole('textbox', { name: 'System message' }).fill('Be brief.');
  await message.fill('Hello **there**');
  await button('Send').click();
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
  await expect.element(button('Send')).toBeVisible();
  await expect.element(message).toHaveValue('');
  expect([...conversations.values()][0]).toMatchObject({ systemMessage: 'Be brief.' });
  expect(sent[0]).toMatchObject({ request: { model: 'demo-echo' }, parentId: null });
});

it('keeps the message if sending fails, and asks before exceeding a daily cap', async () => {
  const { button, message, screen } = await openChat();
  faults.send = new Error('boom');
  await message.fill('precious text');
  await button('Send').click();
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Something went wrong/);
  await expect.element(message).toHaveValue('precious text');
  await expect.element(message).toHaveFocus();
  const words = 'Demo has used $1.00 of today’s $1.00 cap (estimated).';
  const error = appError('beyond-cap', words, 'Nothing was sent.');
  faults.send = new ORPCError('APP_ERROR', { defined: true, data: error });
  const question = screen.getByRole('alert').filter({ hasText: words });
  await button('Send').click();
  await question.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await button('Send').click();
  await expect.element(question).toBeVisible();
  await message.fill('another text');
  await expect.element(question).not.toBeInTheDocument();
  await button('Send').click();
  await expect.element(question).toBeVisible();
  expect(conversations.size).toBe(0);
  faults.send = null;
  await question.getByRole('button', { name: 'Send anyway' }).click();
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
  await button('Tell a story').click();
  await expect.poll(() => sent.length).toBe(3);
  expect(sent[2]?.request).not.toHaveProperty('tools');
  expect(savedTools).toHaveLength(1);
});

it('opens the field to fix if the run is blocked', async () => {
  getConversationForm(null).change({ extraBody: '{"top_k": ' });
  const { screen } = await openReadyChat();
  useLayout.setState({ sidebarOpen: false });
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const reason = screen.getByRole('alert').filter({ hasText: /^Extra JSON: / });
  await expect.element(reason).toBeVisible();
  await expect.element(screen.getByRole('complementary', { name: 'Parameters' })).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Extra JSON' })).toHaveFocus();
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
      { turnId: lastRunId(), message: { content: 'second' }, request: { model: 'demo-echo' } },
      { message: { content: 'third' } },
    ]);

    await items.nth(0).getByRole('button', { name: 'Edit queued message' }).click();
    await screen.getByRole('textbox', { name: 'Edit queued message' }).fill('second try');
    await expect
      .poll(() => Object.values(storedFields(getConversationFormId(id))))
      .toContainEqual({ text: 'second try' });
    await screen.unmount();
    getConversationForm(id).forget();
    const reopened = (await openReadyChat()).screen;
    const editor = reopened.getByRole('textbox', { name: 'Edit queued message' });
    await expect.element(editor).toHaveValue('second try');
    await reopened.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(items.getByText('second try')).toBeVisible();
  });
});

describe('media', () => {
  beforeEach(() => resetChat({ listOpen: false }));

  it('sends image URLs with detail, and files by ID with their name, without text', async () => {
    const { screen, button, add } = await openChat();
    await add('Image URL…');
    await screen.getByRole('textbox', { name: 'Image URL' }).fill('https://example.com/a.png');
    await userEvent.keyboard('{Enter}');
    await screen.getByRole('combobox', { name: 'Detail' }).selectOptions('low');
    await add('File ID…');
    await screen.getByRole('textbox', { name: 'File ID' }).fill('file-1');
    await screen.getByRole('textbox', { name: 'File name' }).fill('paper.pdf');
    await userEvent.keyboard('{Enter}');
    const file = screen.getByRole('group', { name: 'File ID file-1 · paper.pdf' });
    await expect.element(file).toBeVisible();
    await button('Send').click();
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
    const { values } = getConversationForm(conversation?.id ?? '').state.getState();
    expect(getParamValues(values.params)).toEqual({ temperature: 0.5 });
    expect(values.models).toEqual({ demo: 'demo-echo' });
    expect(JSON.parse(values.extraBody)).toEqual({ unusual: 1 });
    // Only the request's own parameters are sent.
    expect(values.params.stream).toEqual({ off: true });
    const form = getConversationForm(conversation?.id ?? '');
    expect(usePastedNotices.getState().notices[form.id]?.message).toBe(
      'Pasted a chat request (Chat completions format). The api-key header was left out.',
    );
  });
});
