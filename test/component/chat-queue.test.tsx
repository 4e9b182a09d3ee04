import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { conversationForm } from '../../renderer/run/form/panel-forms.ts';
import { appError } from '../../shared/errors.ts';
import { conversationFormId } from '../../shared/form-fields.ts';
import { changeQueue, conversations, moveRun, queuedIn, sent } from './chat-fake-main.ts';
import { choice, lastRunId, openReadyChat, resetChat } from './chat-fixtures.tsx';
import { storedFields } from './fake-forms.ts';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

/** A conversation with an answer that streams. */
async function openStreaming() {
  const chat = await openReadyChat();
  await chat.message.fill('first');
  await userEvent.keyboard('{Enter}');
  await expect.element(chat.button('Stop')).toBeVisible();
  const [id = ''] = conversations.keys();
  const queue = chat.screen.getByRole('region', { name: 'Queued messages' });
  return { ...chat, id, queue, items: queue.getByRole('listitem') };
}

it('queues messages with Enter and the Queue button while an answer streams', async () => {
  const { button, message, id, queue, items } = await openStreaming();
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
});

it('changes a queued message and removes it, with Undo', async () => {
  const { screen, button, message, id, items } = await openStreaming();
  await message.fill('second');
  await userEvent.keyboard('{Enter}');
  await button('Edit queued message').click();
  const editor = screen.getByRole('textbox', { name: 'Edit queued message' });
  await expect.element(editor).toHaveFocus();
  await userEvent.keyboard(' try{Control>}{Enter}{/Control}');
  await expect.element(items.getByText('second try')).toBeVisible();
  await expect.element(button('Edit queued message')).toHaveFocus();
  await expect.poll(() => Object.values(queuedIn(id))[0]?.message.content).toBe('second try');
  await button('Edit queued message').click();
  await userEvent.keyboard(' more{Escape}');
  await expect.element(items.getByText('second try')).toBeVisible();
  await button('Remove queued message').click();
  await expect.element(items).not.toBeInTheDocument();
  await expect.poll(() => queuedIn(id)).toEqual({});
  await button('Undo').click();
  await expect.element(items.getByText('second try')).toBeVisible();
});

it('keeps the queue and an unsaved change to it after a reload', async () => {
  const { screen, button, message, id } = await openStreaming();
  await message.fill('second');
  await userEvent.keyboard('{Enter}');
  await button('Edit queued message').click();
  await userEvent.keyboard(' try');
  const formId = conversationFormId(id);
  await expect
    .poll(() => Object.values(storedFields(formId)))
    .toContainEqual({ text: 'second try' });
  await screen.unmount();
  conversationForm(id).forget();
  const reopened = await openReadyChat();
  const editor = reopened.screen.getByRole('textbox', { name: 'Edit queued message' });
  await expect.element(editor).toHaveValue('second try');
  await reopened.screen.getByRole('button', { name: 'Save', exact: true }).click();
  const kept = reopened.screen.getByRole('region', { name: 'Queued messages' });
  await expect.element(kept.getByRole('listitem').getByText('second try')).toBeVisible();
});

it('keeps the message after Stop, to send by hand', async () => {
  const { button, message, id, queue, items } = await openStreaming();
  await message.fill('second');
  await userEvent.keyboard('{Enter}');
  await expect.element(items.getByText('second')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(queue.getByText('Not sent yet')).toBeVisible();
  expect(sent).toHaveLength(1);
  await button('Send now').click();
  await expect.poll(() => sent[1]?.message?.content).toBe('second');
  await expect.element(queue).not.toBeInTheDocument();
  expect(queuedIn(id)).toEqual({});
});

it('shows why a queued message was not sent', async () => {
  const { message, id, queue, items } = await openStreaming();
  await message.fill('second');
  await userEvent.keyboard('{Enter}');
  await expect.element(items.getByText('second')).toBeVisible();
  const problem = appError('beyond-cap', 'This would exceed the daily cap.', 'Raise the cap.');
  const [entry] = Object.entries(queuedIn(id));
  if (entry === undefined) throw new Error('Nothing is queued.');
  await changeQueue(id, { [entry[0]]: { ...entry[1], afterRunId: null, problem } });
  moveRun(lastRunId(), choice('Done.'), { status: 'succeeded' });
  await expect
    .element(queue.getByRole('alert').getByText('This would exceed the daily cap.'))
    .toBeVisible();
});
