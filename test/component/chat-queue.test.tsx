import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { conversationForm } from '../../renderer/run/form/panel-forms.ts';
import { appError } from '../../shared/errors.ts';
import { conversationFormId } from '../../shared/form-fields.ts';
import { changeQueue, conversations, queuedIn, sent } from './chat-fake-main.ts';
import { lastRunId, openReadyChat, resetChat } from './chat-fixtures.tsx';
import { storedFields } from './fake-forms.ts';

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
  await changeQueue(id, { [entry[0]]: { ...entry[1], afterRunId: null, problem } });
  await expect.element(queue.getByRole('alert')).toMatchTextContent(/would exceed the daily cap/);
  await changeQueue(id, { [entry[0]]: { ...entry[1], afterRunId: null } });
  await button('Send now').click();
  await expect.poll(() => sent[1]?.message?.content).toBe('second');
  await expect.element(queue).not.toBeInTheDocument();
  expect(queuedIn(id)).toEqual({});
});
