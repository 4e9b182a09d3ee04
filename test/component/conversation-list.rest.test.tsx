import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import {
  listWidths,
  selectConversation,
  useChat,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import { api } from '../../renderer/lib/api.ts';
import type { Conversation } from '../../shared/conversation.ts';
import { addConversation, conversations, makeMessage, makeRun } from './chat-fake-state.ts';
import { actOn, openChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(() => resetChat());

/** Opens the list with three conversations. */
async function openList(selected: string | null = null, fields: Partial<Conversation> = {}) {
  const ids = new Map(
    ['Lakes', 'Rivers', 'Seas'].map((title) => [
      title,
      addConversation([], { title, ...fields }).id,
    ]),
  );
  selectConversation(ids.get(selected ?? '') ?? null);
  const { screen, button, message } = await openChat();
  const list = screen.getByRole('navigation', { name: 'Conversations' });
  const row = (name: string) => list.getByRole('button', { name, exact: true });
  const item = (name: string) => screen.getByRole('menuitem', { name, exact: true });
  const box = (name: string) => list.getByRole('checkbox', { name, exact: true });
  await expect.element(row('Seas')).toBeVisible();
  /** Focuses a row and presses keys there. */
  async function press(name: string, keys: string) {
    row(name).element().focus();
    await userEvent.keyboard(keys);
  }
  /** Opens the row's menu by key, and selects items by name. */
  async function take(name: string, ...items: string[]) {
    await press(name, '{Shift>}{F10}{/Shift}');
    for (const each of items) await item(each).click();
  }
  const find = (title: string) => conversations.get(ids.get(title) ?? '');
  return { screen, button, message, list, row, item, box, ids, press, take, find };
}

it('opens, closes, renames and removes a folder', async () => {
  const { screen, list, row, item } = await openList(null, { folder: 'Water' });
  const folder = list.getByRole('button', { name: 'Water 3' });
  await expect.element(folder).toHaveAttribute('aria-expanded', 'true');
  await folder.click();
  await expect.element(row('Rivers')).not.toBeInTheDocument();
  await userEvent.keyboard('{F2}');
  await screen.getByRole('textbox', { name: 'Folder name' }).fill('Wet');
  await userEvent.keyboard('{Enter}');
  await expect.element(list.getByRole('button', { name: 'Wet 3' })).toBeVisible();
  await list.getByRole('button', { name: 'Actions for Wet' }).click({ force: true });
  await item('Remove folder, keep conversations').click();
  await expect.element(list.getByRole('button', { name: 'Wet 3' })).not.toBeInTheDocument();
  await expect.element(row('Rivers')).toBeVisible();
});

it('stops an import without an error', async () => {
  const { screen, list, button } = await openList();
  const signals: (AbortSignal | undefined)[] = [];
  vi.spyOn(api.conversations, 'import').mockImplementation((_input, { signal } = {}) => {
    signals.push(signal);
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    );
  });
  const file = new File(['{}'], 'chats.json', { type: 'application/json' });
  await userEvent.upload(screen.getByLabelText('Conversations to import'), file);
  await expect.element(list.getByText(/Importing…/)).toBeVisible();
  await expect.poll(() => signals).toHaveLength(1);
  await list.getByRole('button', { name: 'Stop' }).click();
  await expect.element(list.getByText(/Importing…/)).not.toBeInTheDocument();
  expect(signals[0]?.aborted).toBe(true);
  expect(useChat.getState().listProblem).toBeNull();
  await expect.element(button('New conversation')).toBeVisible();
});

it('reports how much of a message a search covers if it finds nothing', async () => {
  const { screen } = await openList();
  await screen.getByRole('searchbox', { name: 'Search conversations' }).fill('mountains');
  const text =
    'No matching conversations. Search covers the first 100,000 characters of each message.';
  await expect.element(screen.getByText(text)).toBeVisible();
});

it('selects several by keyboard or range, and archives them together', async () => {
  const { screen, button, row, item, box, ids, take, find } = await openList();
  await row('Lakes').click({ modifiers: ['Control'] });
  await box('Seas').click({ modifiers: ['Shift'] });
  expect(useChat.getState().checkedIds).toEqual([...ids.values()]);
  await userEvent.keyboard('{Escape}');
  await take('Lakes', 'Select');
  await expect.element(box('Lakes')).toBeChecked();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(box('Rivers')).toHaveFocus();
  await userEvent.keyboard(' ');
  await expect.element(screen.getByText('2 selected', { exact: true })).toBeVisible();
  await button('Actions for the selection').click();
  await item('Archive').click();
  await expect
    .poll(() => ['Lakes', 'Rivers', 'Seas'].map((title) => find(title)?.archived))
    .toEqual([true, true, false]);
  expect(useChat.getState().checkedIds).toBeNull();
});

it('rejects a dropped file over 64 MiB at the drop target', async () => {
  const { list } = await openList();
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(70_000_000)], 'big.json'));
  const area = list.element().querySelector('h2')?.parentElement ?? list.element();
  area.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: transfer }));
  await expect.element(list.getByText(/“big.json” is 70.0 MB. The limit is 64 MiB./)).toBeVisible();
  expect(list.element().querySelectorAll('[data-row]')).toHaveLength(3);
});

it('renames with F2 and Enter, but ignores the Enter of an input method', async () => {
  const { list, row, press, ids } = await openList('Lakes');
  await press('Rivers', '{F2}');
  const field = list.getByRole('textbox', { name: 'Conversation name' });
  await field.fill('Streams');
  for (const key of ['Enter', 'Escape']) {
    const composed = new KeyboardEvent('keydown', { key, bubbles: true, isComposing: true });
    field.element().dispatchEvent(composed);
  }
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(row('Streams')).toHaveFocus();
  expect(useChat.getState().selectedId).toBe(ids.get('Lakes'));
});

it('regroups conversations by date at midnight, and marks running and failed ones', async () => {
  const night = new Date(2026, 10, 21, 23, 59, 30);
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: night });
  onTestFinished(() => void vi.useRealTimers());
  const question = makeMessage({ content: 'Question' });
  const answer = (status: 'running' | 'failed') =>
    makeMessage({
      parentId: question.id,
      role: 'assistant',
      run: makeRun({ status }),
      choiceIndex: 0,
    });
  const updatedAt = night.getTime();
  addConversation([question, answer('running')], { title: 'Streams', updatedAt });
  addConversation([question, answer('failed')], {
    title: 'Broke',
    updatedAt: new Date(2026, 10, 20, 12).getTime(),
  });
  const { screen } = await openChat();
  const list = screen.getByRole('navigation', { name: 'Conversations' });
  const groups = () =>
    list
      .getByRole('heading')
      .elements()
      .map(({ textContent }) => textContent)
      .filter((text) => text !== 'Conversations');
  await expect.poll(groups).toEqual(['Today', 'Yesterday']);
  vi.advanceTimersByTime(60_000);
  await expect.poll(groups).toEqual(['Yesterday', 'Previous 7 days']);
  await expect.element(list.getByRole('img', { name: 'Running' })).toBeVisible();
  const failed = list.getByRole('img', { name: 'Last answer failed' });
  await expect.element(failed).toBeVisible();
  await list.getByRole('button', { name: 'Broke', exact: true }).click();
  await expect.element(failed).not.toBeInTheDocument();
});

it('resizes the list by keyboard and remembers its width', async () => {
  const { screen } = await openChat();
  const list = screen.getByRole('navigation', { name: 'Conversations' });
  const width = () => list.element().getBoundingClientRect().width;
  const before = width();
  screen.getByRole('separator', { name: 'Conversation list width' }).element().focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(width()).toBe(before + 32);
  expect(localStorage.getItem('gatehouse:chat')).toContain(
    `"listWidth":${listWidths.default + 32}`,
  );
  await userEvent.keyboard('{Home}');
  expect(width()).toBe(listWidths.min);
});

it('branches from a message into a new conversation', async () => {
  showExchange('Where?', { content: 'Here.' }, { content: 'There.' });
  const { screen, button } = await openChat();
  const question = screen.getByRole('article', { name: 'user' });
  await actOn(question, 'Branch from here');
  await expect.element(button('A talk (copy)')).toHaveAttribute('aria-current', 'true');
  await expect.element(screen.getByRole('article', { name: 'assistant' })).not.toBeInTheDocument();
});
