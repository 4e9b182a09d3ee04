import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { conversations, type makeMessage } from './chat-fake-state.ts';
import { openChat, openReadyChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(() => resetChat({ listOpen: false }));

/** Opens the editor of a conversation's only answer. */
async function editAnswer(fields: Parameters<typeof makeMessage>[0] = {}) {
  const { conversation } = showExchange('What time is it?', {
    content: 'Let me look.',
    choiceIndex: null,
    ...fields,
  });
  const chat = await openChat();
  await chat.screen
    .getByRole('article', { name: fields.role ?? 'assistant' })
    .getByRole('button', { name: 'Edit' })
    .click();
  await expect.element(chat.screen.getByRole('textbox', { name: 'Edit message' })).toBeVisible();
  const newest = () => conversations.get(conversation.id)?.messages.at(-1);
  return { ...chat, newest, count: () => conversations.get(conversation.id)?.messages.length };
}

it('adds tool calls and reasoning to an assistant message, and keeps its other fields', async () => {
  const { screen, button, newest, count } = await editAnswer();
  await button('Add reasoning').click();
  const reasoning = screen.getByRole('textbox', { name: 'Reasoning' });
  await expect.element(reasoning).toHaveFocus();
  await reasoning.fill('The clock will tell.');
  await button('Add tool call').click();
  const tool = screen.getByRole('textbox', { name: 'Tool name' });
  await expect.element(tool).toHaveFocus();
  await button('Save').click();
  await expect.element(screen.getByText('Enter a name for each tool call.')).toBeVisible();
  await expect.element(tool).toHaveAttribute('aria-invalid', 'true');
  expect(count()).toBe(2);
  await tool.fill('get_time');
  await screen.getByRole('textbox', { name: 'Tool call ID' }).fill('call_9');
  await screen.getByRole('textbox', { name: 'Arguments' }).fill('{"zone": "UTC"}');
  await screen.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
  await button('Save').click();
  const details = { content: 'Let me look.', name: 'Ada', reasoning: 'The clock will tell.' };
  const called = { name: 'get_time', arguments: '{"zone": "UTC"}' };
  const toolCalls = [{ id: 'call_9', type: 'function', function: called }];
  await expect.poll(newest).toMatchObject({ role: 'assistant', run: null, ...details, toolCalls });
  await expect.element(screen.getByRole('list', { name: 'Tool calls' })).toBeVisible();
  await expect.element(screen.getByRole('form', { name: 'Tool results' })).toBeVisible();
});

it('keeps the details of an edited answer unless they are removed', async () => {
  const call = (id: string) => ({
    id,
    type: 'function' as const,
    function: { name: 'f', arguments: '{}' },
  });
  const kept = { reasoning: 'Hm.', name: 'Ada' };
  const { answer, button, newest } = await editAnswer({
    ...kept,
    toolCalls: [call('1'), call('2')],
  });
  await button('Remove tool call 1').click();
  await button('Save').click();
  await expect.poll(newest).toMatchObject({ ...kept, toolCalls: [call('2')] });
  await expect.element(answer.getByText('Ada')).toBeVisible();
});

it('adds an assistant message with only tool calls from the composer', async () => {
  showExchange('What time is it?', { content: 'Let me look.' });
  const { screen, button, add } = await openReadyChat();
  await add('Role and name…');
  await screen.getByRole('combobox', { name: 'Role' }).selectOptions('assistant');
  await userEvent.keyboard('{Escape}');
  await button('Add tool call').click();
  const why = 'Enter a name for each tool call.';
  await expect.element(button('Send')).toHaveAccessibleDescription(why);
  await screen.getByRole('textbox', { name: 'Tool name' }).fill('get_time');
  await add('Add message only');
  const toolCalls = [{ function: { name: 'get_time' } }];
  await expect
    .poll(() => [...conversations.values()][0]?.messages.at(-1))
    .toMatchObject({ role: 'assistant', content: '', toolCalls });
  await expect.element(button('Add tool call')).not.toBeInTheDocument();
});

it('edits the name and call ID of a tool message', async () => {
  const tool = { role: 'tool' as const, content: '12:00', toolCallId: 'call_1', run: null };
  const { screen, button, newest } = await editAnswer(tool);
  await screen.getByRole('textbox', { name: 'Tool call ID' }).fill('call_2');
  await screen.getByRole('textbox', { name: 'Name', exact: true }).fill('get_time');
  await button('Save').click();
  await expect.poll(newest).toMatchObject({ ...tool, toolCallId: 'call_2', name: 'get_time' });
});
