import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { appError } from '../../shared/errors.ts';
import { changeQueue, queuedIn, sent } from './chat-fake-conversations.ts';
import { conversations } from './chat-fake-state.ts';
import { openReadyChat, resetChat } from './chat-fixtures.tsx';

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

it('changes a queued message and removes it, with Undo', async () => {
  const { screen, button, message, id, items } = await openStreaming();
  await message.fill('second');
  await userEvent.keyboard('{Enter}');
  await button('Edit queued message').click();
  const editor = screen.getByRole('textbox', { name: 'Edit queued message' });
  await expect.element(editor).toHaveFocus();
  await editor.fill('second try');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(items.getByText('second try')).toBeVisible();
  await expect.element(button('Edit queued message')).toHaveFocus();
  await expect.poll(() => Object.values(queuedIn(id))[0]?.message.content).toBe('second try');
  await button('Edit queued message').click();
  await editor.fill('second try more');
  await userEvent.keyboard('{Escape}');
  await expect.element(items.getByText('second try', { exact: true })).toBeVisible();
  await button('Remove queued message').click();
  await expect.element(items).not.toBeInTheDocument();
  await expect.poll(() => queuedIn(id)).toEqual({});
  await button('Undo').click();
  await expect.element(items.getByText('second try')).toBeVisible();
});

it('explains why a queued message wasn’t sent, and keeps it after Stop for sending by hand', async () => {
  const { button, message, id, queue, items } = await openStreaming();
  await message.fill('second');
  await userEvent.keyboard('{Enter}');
  await expect.element(items.getByText('second')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(queue.getByText('Not sent yet')).toBeVisible();
  expect(sent).toHaveLength(1);
  const [entry = expect.fail()] = Object.entries(queuedIn(id));
  const problem = appError('beyond-cap', 'This would exceed the daily cap.', 'Raise the cap.');
  await changeQueue(id, { [entry[0]]: { ...entry[1], problem } });
  await expect.element(queue.getByRole('alert')).toMatchTextContent(/would exceed the daily cap/);
  await changeQueue(id, { [entry[0]]: entry[1] });
  await button('Send now').click();
  await expect.poll(() => sent[1]?.message?.content).toBe('second');
  await expect.element(queue).not.toBeInTheDocument();
  expect(queuedIn(id)).toEqual({});
});
