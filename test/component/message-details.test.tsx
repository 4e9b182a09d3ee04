import { beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { conversations, type makeMessage, sent } from './chat-fake-main.ts';
import { openChat, openReadyChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(() => resetChat({ listOpen: false }));

const call = { id: 'call_1', type: 'function' as const, function: { name: 'f', arguments: '{}' } };

/** A conversation with one answer, whose editor is open. */
async function editAnswer(fields: Parameters<typeof makeMessage>[0] = {}) {
  const { conversation } = showExchange('What time is it?', {
    ...{ content: 'Let me look.', choiceIndex: null, ...fields },
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

describe('a handwritten assistant message', () => {
  it('has tool calls and reasoning', async () => {
    const { screen, button, newest } = await editAnswer();
    await button('Add reasoning').click();
    await expect.element(screen.getByRole('textbox', { name: 'Reasoning' })).toHaveFocus();
    await userEvent.keyboard('The clock will tell.');
    await button('Add tool call').click();
    const first = screen.getByRole('group', { name: 'Tool call 1' });
    await expect.element(first.getByRole('textbox', { name: 'Tool name' })).toHaveFocus();
    await userEvent.keyboard('get_time');
    await first.getByRole('textbox', { name: 'Tool call ID' }).fill('call_9');
    await first.getByRole('textbox', { name: 'Arguments' }).fill('{"zone": "UTC"}');
    await screen.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada');
    await button('Save').click();
    await expect.poll(newest).toMatchObject({
      role: 'assistant',
      content: 'Let me look.',
      name: 'Ada',
      reasoning: 'The clock will tell.',
      toolCalls: [
        {
          id: 'call_9',
          type: 'function',
          function: { name: 'get_time', arguments: '{"zone": "UTC"}' },
        },
      ],
      run: null,
    });
    await expect.element(screen.getByRole('list', { name: 'Tool calls' })).toBeVisible();
    await expect.element(screen.getByRole('form', { name: 'Tool results' })).toBeVisible();
  });

  it('keeps details of an edited answer unless they are removed', async () => {
    const { button, newest } = await editAnswer({
      reasoning: 'Hm.',
      name: 'Ada',
      toolCalls: [call, { ...call, id: 'call_2' }],
    });
    await button('Remove tool call 1').click();
    await button('Save').click();
    await expect
      .poll(newest)
      .toMatchObject({ reasoning: 'Hm.', name: 'Ada', toolCalls: [{ ...call, id: 'call_2' }] });
  });

  it('is not saved while a tool call has no name', async () => {
    const { screen, button, count } = await editAnswer();
    await button('Add tool call').click();
    await button('Save').click();
    await expect.element(screen.getByText('Enter a name for each tool call.')).toBeVisible();
    await expect
      .element(screen.getByRole('textbox', { name: 'Tool name' }))
      .toHaveAttribute('aria-invalid', 'true');
    expect(count()).toBe(2);
  });

  it('is added from the composer with only tool calls', async () => {
    const { screen, button, message } = await openReadyChat();
    await message.fill('What time is it?');
    await button('More options').click();
    await button('Add message only').click();
    await button('More options').click();
    await screen.getByRole('combobox', { name: 'Role' }).selectOptions('assistant');
    await userEvent.keyboard('{Escape}');
    await button('Add tool call').click();
    await expect
      .element(button('Run'))
      .toHaveAccessibleDescription('Enter a name for each tool call.');
    await screen.getByRole('textbox', { name: 'Tool name' }).fill('get_time');
    await button('More options').click();
    await button('Add message only').click();
    const [conversation] = [...conversations.values()];
    await expect
      .poll(() => conversations.get(conversation?.id ?? '')?.messages.at(-1))
      .toMatchObject({
        role: 'assistant',
        content: '',
        toolCalls: [{ function: { name: 'get_time' } }],
      });
    await expect.element(button('Add tool call')).not.toBeInTheDocument();
  });
});

describe('a tool message', () => {
  it('has an editable name and call ID', async () => {
    const { screen, button, newest } = await editAnswer({
      role: 'tool',
      content: '12:00',
      toolCallId: 'call_1',
      run: null,
    });
    await screen.getByRole('textbox', { name: 'Tool call ID' }).fill('call_2');
    await screen.getByRole('textbox', { name: 'Name', exact: true }).fill('get_time');
    await button('Save').click();
    await expect
      .poll(newest)
      .toMatchObject({ role: 'tool', content: '12:00', toolCallId: 'call_2', name: 'get_time' });
  });
});

it('shows the name of a file added by ID', async () => {
  const { screen, button, message } = await openReadyChat();
  await message.fill('Read it');
  await button('Add from URL or ID').click();
  await screen.getByRole('menuitem', { name: 'File ID…' }).click();
  await screen.getByRole('textbox', { name: 'File ID' }).fill('file-1');
  await screen.getByRole('textbox', { name: 'File name' }).fill('paper.pdf');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(screen.getByRole('group', { name: 'File ID file-1 · paper.pdf' }))
    .toBeVisible();
  await button('Run').click();
  await expect
    .poll(() => sent[0]?.message?.content)
    .toEqual([
      { type: 'text', text: 'Read it' },
      { type: 'file', file: { file_id: 'file-1', filename: 'paper.pdf' } },
    ]);
  await expect
    .element(screen.getByRole('article', { name: 'user' }))
    .toMatchTextContent(/file-1 · paper\.pdf/);
});
