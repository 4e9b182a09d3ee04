import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { selectConversation, useChat } from '../../renderer/features/chat/chat-store.ts';
import { addConversation, conversations } from './chat-fake-main.ts';
import { openChat, resetChat } from './chat-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

async function openRows(selected: string) {
  const ids = new Map(
    ['Lakes', 'Rivers', 'Seas'].map((title) => [title, addConversation([], { title }).id]),
  );
  selectConversation(ids.get(selected) ?? null);
  const { screen } = await openChat();
  const list = screen.getByRole('navigation', { name: 'Conversations' });
  const row = (name: string) => list.getByRole('button', { name, exact: true });
  await expect.element(row('Seas')).toBeVisible();
  const focus = (name: string) => {
    const button = row(name).element();
    if (button instanceof HTMLElement) button.focus();
  };
  return { list, row, focus, ids };
}

it('keeps the open conversation when another is renamed with F2 and Enter', async () => {
  const { list, row, focus, ids } = await openRows('Lakes');
  focus('Rivers');
  await userEvent.keyboard('{F2}');
  await list.getByRole('textbox', { name: 'Conversation name' }).fill('Streams');
  await userEvent.keyboard('{Enter}');
  await expect.element(row('Streams')).toHaveFocus();
  expect(useChat.getState().selectedId).toBe(ids.get('Lakes'));
});

it('does not end a rename with the Enter or Escape of an input method', async () => {
  const { list, focus } = await openRows('Lakes');
  focus('Rivers');
  await userEvent.keyboard('{F2}');
  const field = list.getByRole('textbox', { name: 'Conversation name' });
  for (const key of ['Enter', 'Escape']) {
    field
      .element()
      .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, isComposing: true }));
  }
  await expect.element(field).toHaveFocus();
});

it.each([
  ['Rivers', 'Seas'],
  ['Seas', 'Rivers'],
])(
  'focuses the next or previous row when the open conversation %s is deleted',
  async (name, next) => {
    const { row, focus, ids } = await openRows(name);
    focus(name);
    await userEvent.keyboard('{Delete}');
    await expect.element(row(name)).not.toBeInTheDocument();
    await expect.element(row(next)).toHaveFocus();
    // The message takes the focus later than the row.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await expect.element(row(next)).toHaveFocus();
    expect([...conversations.keys()]).not.toContain(ids.get(name));
  },
);
