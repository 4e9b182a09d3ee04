import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { selectConversation } from '../../renderer/features/chat/conversation/chat-store.ts';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { showRequestAs } from '../../renderer/run/form/request-views.ts';
import { sent } from './chat-fake-conversations.ts';
import { savedTools } from './chat-fake-saved.ts';
import { addConversation, conversations } from './chat-fake-state.ts';
import { openReadyChat, resetChat, weather } from './chat-fixtures.tsx';

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

it('keeps pasted tools as extra body fields if a saved tool of the same name differs', async () => {
  savedTools.push(weather);
  const other = { type: 'function', function: { name: 'get_weather', description: 'Other' } };
  const { button, message } = await openAndPaste(
    curl({ ...body, tools: [other], tool_choice: 'auto' }),
  );
  await expect.element(button('Open in Chat')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(message).toHaveValue('Two');
  const [conversation] = [...conversations.values()];
  expect(savedTools).toEqual([weather]);
  expect(conversation?.options).toMatchObject({ toolIds: [], toolChoice: null });
  const { extraBody } = getConversationForm(conversation?.id ?? '').state.getState().values;
  expect(JSON.parse(extraBody)).toEqual({ unusual: 1, tools: [other], tool_choice: 'auto' });
});

it('sends only the messages in its JSON, and opens several of them', async () => {
  const { screen, button } = await openReadyChat();
  showRequestAs('chat', 'json');
  const json = screen.getByRole('textbox', { name: 'Request body' });
  // Wait for the editor to replace the plain text box.
  await expect.element(json).toHaveClass('cm-content');
  await json.fill(JSON.stringify({ ...body, messages: body.messages.slice(0, 2) }));
  await expect.element(button('Send')).not.toHaveAttribute('aria-disabled');
  await json.fill(JSON.stringify(body));
  await expect.element(screen.getByText(/^Add one message at a time/)).toBeVisible();
  await expect.element(button('Send')).toHaveAttribute('aria-disabled', 'true');
  const view = (name: string) => screen.getByRole('radio', { name, exact: true });
  await view('Form').click();
  await expect.element(view('JSON')).toHaveAccessibleDescription('The JSON has errors.');
  await view('JSON').click();
  await expect.element(json).toHaveClass('cm-content');

  pasteInto(json.element(), JSON.stringify(body), { composed: true });
  await button('Open in Chat').click();
  await vi.waitFor(() => expect(conversations.size).toBe(1));
  expect([...conversations.values()][0]?.messages).toHaveLength(2);
});

it('inserts a pasted request as text on request, and ignores other text', async () => {
  const text = curl(body);
  const { screen, button, message } = await openReadyChat();
  const box = message.element();
  const offer = screen.getByRole('group', { name: 'Pasted request' });
  for (const way of ['{Escape}', 'button']) {
    expect(pasteInto(box, text)).toBe(true);
    await expect.element(button('Open in Chat')).toHaveFocus();
    if (way === 'button') await button('Insert as text').click();
    else await userEvent.keyboard(way);
    await expect.element(message).toHaveValue(text);
    await expect.element(message).toHaveFocus();
    await expect.element(offer).not.toBeInTheDocument();
    // The message box already contains text, so the request is pasted as text.
    expect(pasteInto(box, text)).toBe(false);
    await message.fill('');
  }
  for (const other of ['{"name":"Ada"}', 'How do I use curl?']) {
    expect(pasteInto(box, other)).toBe(false);
  }
  expect(conversations.size).toBe(0);
});

it('explains why a request can’t be read, and inserts or discards it', async () => {
  const text = "curl https://a.example/v1/chat/completions -d '{";
  const { screen, button, message } = await openAndPaste(text);
  const why =
    'This looks like a request, but it can’t be read. The single quote at character 47 isn’t closed.';
  await expect.element(screen.getByText(why)).toBeVisible();
  await expect.element(message).toHaveValue('');
  await expect.element(button('Insert as text')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(message).toHaveValue(text);
  await message.fill('');
  pasteInto(message.element(), text);
  await button('Discard').click();
  await expect.element(message).toHaveFocus();
  await expect.element(message).toHaveValue('');
});

it('inserts an offered request if another is pasted or another conversation opens', async () => {
  const [one, two, three] = ['one', 'two', 'three'].map(
    (name) => `curl https://${name}.example/v1/models`,
  );
  const { screen, button, message } = await openAndPaste(one ?? '');
  // The first request is still being read.
  pasteInto(message.element(), two ?? '');
  await expect.element(message).toHaveValue(one);
  await expect.element(screen.getByText(/^You pasted a request to two\.example/)).toBeVisible();
  await message.fill('');
  pasteInto(message.element(), three ?? '');
  await expect.element(message).toHaveValue(two);
  await expect.element(screen.getByText(/^You pasted a request to three\.example/)).toBeVisible();

  await message.fill('');
  selectConversation(addConversation([]).id);
  await expect.element(button('Insert as text')).not.toBeInTheDocument();
  await expect.element(message).toHaveValue('');
  selectConversation(null);
  await expect.element(message).toHaveValue(three);
});

it('asks before a message for another gateway is sent, and shows that in its conversation only', async () => {
  const { screen, button, message } = await openAndPaste(curl(body));
  await button('Open in Chat').click();
  await expect.element(message).toHaveValue('Two');
  const banner = screen.getByText(/^For a\.example, which isn’t a connection\./);
  await expect.element(banner).toBeVisible();
  const [conversation] = [...conversations.values()];
  expect(conversation?.title).toBe('Two');
  selectConversation(null);
  await expect.element(banner).not.toBeInTheDocument();
  selectConversation(conversation?.id ?? null);
  await expect.element(banner).toBeVisible();
  await expect.element(message).toHaveValue('Two');
  await message.click();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const question = screen.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(sent).toEqual([]);
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await question.getByRole('button', { name: /^Send to/ }).click();
  await expect.poll(() => sent.length).toBe(1);
});
