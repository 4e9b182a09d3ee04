import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { removeConversation } from '../../renderer/features/chat/conversation/chat-actions.ts';
import {
  selectConversation,
  useChat,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { recordedFor } from '../fixtures/recorded-time.ts';
import { sent } from './chat-fake-conversations.ts';
import { addConversation } from './chat-fake-state.ts';
import { openReadyChat, resetChat } from './chat-fixtures.tsx';
import { pictureFile } from './media-fixtures.ts';
import { recordToasts } from './notes.ts';

beforeEach(() => {
  resetChat({ listOpen: false });
  toasts = recordToasts();
});

let toasts: unknown[];

/** Holds uploads until the returned function is called. */
function holdUploads(): () => void {
  const held = Promise.withResolvers<void>();
  const original = window.fetch.bind(window);
  const fetching = vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    if (init?.method === 'PUT') await held.promise;
    return original(url, init);
  });
  onTestFinished(() => fetching.mockRestore());
  return () => {
    fetching.mockRestore();
    held.resolve();
  };
}

const partsOf = (id: string) => getConversationForm(id).state.getState().values.input.parts;

/** Adds two conversations and opens the first. */
async function openFirst() {
  const [first, second] = [addConversation([], { title: 'Birds' }), addConversation([])];
  selectConversation(first.id);
  return { ...(await openReadyChat()), first, second };
}

it('attaches a recording to the conversation where it started', async () => {
  const { button, message, screen, first, second } = await openFirst();
  await button('Record').click();
  await expect.element(button('Pause')).toBeVisible();
  await message.fill('Not yet');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(screen.getByText('Wait for attachments to finish uploading.')).toBeVisible();
  selectConversation(second.id);
  await expect.element(button('Pause')).not.toBeInTheDocument();
  await message.fill('Hello');
  await button('Send').click();
  await expect.poll(() => sent).toMatchObject([{ conversationId: second.id }]);
  await button('Recording for “Birds”').click();
  expect(useChat.getState().selectedId).toBe(first.id);
  await expect.element(screen.getByText(recordedFor(1))).toBeVisible();
  selectConversation(second.id);
  await button('Stop recording').click();
  await expect.poll(() => partsOf(first.id)).toMatchObject([{ type: 'input_audio' }]);
  expect(partsOf(second.id)).toEqual([]);
  const words = 'Recording attached to your message in “Birds”.';
  expect(toasts.at(-1)).toMatchObject({ message: words });
});

it('attaches an upload to the conversation where it started, or to the library', async () => {
  const { button, message, screen, first, second } = await openFirst();
  const owl = await pictureFile(20, 20, 'owl.png');
  const release = holdUploads();
  await userEvent.upload(screen.getByLabelText('Attach files'), owl);
  const bar = screen.getByRole('progressbar', { name: 'Uploading owl.png' });
  await expect.element(bar).toBeVisible();
  selectConversation(second.id);
  await expect.element(bar).not.toBeInTheDocument();
  await message.fill('Hello');
  await button('Send').click();
  await expect.poll(() => sent).toMatchObject([{ conversationId: second.id }]);
  release();
  await expect.poll(() => partsOf(first.id)).toMatchObject([{ type: 'image_url' }]);
  expect(partsOf(second.id)).toEqual([]);
  expect(toasts.at(-1)).toMatchObject({ message: 'owl.png attached to your message in “Birds”.' });

  selectConversation(first.id);
  const releaseLater = holdUploads();
  await userEvent.upload(screen.getByLabelText('Attach files'), owl);
  await expect.element(bar).toBeVisible();
  selectConversation(second.id);
  expect(await removeConversation(first, null)).toBe(true);
  releaseLater();
  await expect
    .poll(() => toasts.at(-1))
    .toMatchObject({ message: 'owl.png saved to the library. Its conversation was deleted.' });
  expect(partsOf(second.id)).toEqual([]);
});
