import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { selectConversation, useChat } from '../../renderer/features/chat/chat-store.ts';
import {
  addConversation,
  conversations,
  exported,
  faults,
  makeMessage,
  makeRun,
} from './chat-fake-main.ts';
import { openChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

async function openList() {
  const ids = new Map(
    ['Lakes', 'Rivers', 'Seas'].map((title) => [title, addConversation([], { title }).id]),
  );
  const { screen } = await openChat();
  const list = screen.getByRole('navigation', { name: 'Conversations' });
  const row = (name: string) => list.getByRole('button', { name, exact: true });
  await expect.element(row('Seas')).toBeVisible();
  const item = (name: string) => screen.getByRole('menuitem', { name, exact: true });
  const focus = (name: string) => {
    const button = row(name).element();
    if (button instanceof HTMLElement) button.focus();
  };
  /** Opens the row's menu by key, and takes items by their names. */
  async function take(name: string, ...items: string[]) {
    focus(name);
    await userEvent.keyboard('{Shift>}{F10}{/Shift}');
    for (const each of items) await item(each).click();
  }
  const find = (title: string) => conversations.get(ids.get(title) ?? '');
  const titles = () =>
    [...list.element().querySelectorAll('[data-row]')].map((one) => one.textContent);
  return { screen, list, row, item, ids, focus, take, find, titles };
}

it('pins a conversation by key, and keeps the focus on it', async () => {
  const { list, row, take, titles } = await openList();
  await take('Seas', 'Pin');
  await expect.element(list.getByRole('heading', { name: 'Pinned' })).toBeVisible();
  expect(titles()[0]).toContain('Seas');
  await expect.element(row('Seas')).toHaveFocus();
  await take('Seas', 'Unpin');
  await expect.element(list.getByRole('heading', { name: 'Pinned' })).not.toBeInTheDocument();
});

it('moves a conversation to a new folder, which opens, closes and can be renamed', async () => {
  const { screen, list, row, take, item } = await openList();
  await take('Rivers', 'Move to folder', 'New folder…');
  await screen.getByRole('textbox', { name: 'Folder name' }).fill('Water');
  await userEvent.keyboard('{Enter}');
  const folder = list.getByRole('button', { name: 'Water 1' });
  await expect.element(folder).toHaveAttribute('aria-expanded', 'true');
  await folder.click();
  await expect.element(row('Rivers')).not.toBeInTheDocument();
  await userEvent.keyboard('{F2}');
  await screen.getByRole('textbox', { name: 'Folder name' }).fill('Wet');
  await userEvent.keyboard('{Enter}');
  await expect.element(list.getByRole('button', { name: 'Wet 1' })).toBeVisible();
  await list.getByRole('button', { name: 'Actions for Wet' }).click({ force: true });
  await item('Remove folder, keep conversations').click();
  await expect.element(list.getByRole('button', { name: 'Wet 1' })).not.toBeInTheDocument();
  await expect.element(row('Rivers')).toBeVisible();
});

it('archives a conversation with Undo, focuses the next row, and shows it in the archive', async () => {
  const { screen, list, row, take, find } = await openList();
  await take('Rivers', 'Archive');
  await expect.element(row('Rivers')).not.toBeInTheDocument();
  await expect.element(row('Seas')).toHaveFocus();
  await expect.element(screen.getByText('“Rivers” archived')).toBeVisible();
  const archive = list.getByRole('button', { name: /^Archived/ });
  await archive.click();
  await expect.element(row('Rivers')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => find('Rivers')?.archived).toBe(false);
  await expect.element(archive).not.toBeInTheDocument();
});

it('duplicates a conversation and opens the copy', async () => {
  const { row, take } = await openList();
  await take('Lakes', 'Duplicate');
  await expect.element(row('Lakes (copy)')).toHaveAttribute('aria-current', 'true');
});

it('opens the row’s menu by a right click', async () => {
  const { screen, row, item, find } = await openList();
  await row('Lakes').click({ button: 'right' });
  await expect.element(screen.getByRole('menu', { name: 'Conversation actions' })).toBeVisible();
  await item('Pin').click();
  await expect.poll(() => find('Lakes')?.pinned).toBe(true);
});

it('exports one conversation from its menu in each format', async () => {
  const { take, ids } = await openList();
  await take('Lakes', 'Export', 'JSON (complete, with media)');
  await take('Lakes', 'Export', 'Markdown (shown branch)');
  await take('Lakes', 'Export', 'JSONL (OpenAI messages)');
  await expect
    .poll(() => exported)
    .toEqual(['json', 'markdown', 'jsonl'].map((format) => ({ ids: [ids.get('Lakes')], format })));
});

it('exports all conversations, also archived ones', async () => {
  const { screen, item, take, row, ids } = await openList();
  await take('Rivers', 'Archive');
  await expect.element(row('Rivers')).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Conversation list actions' }).click();
  await item('Export all').click();
  await item('JSON (complete, with media)').click();
  await expect.poll(() => exported[0]?.ids.toSorted()).toEqual([...ids.values()].toSorted());
});

it('selects several with keys, and archives them at once', async () => {
  const { screen, list, take, find } = await openList();
  await take('Lakes', 'Select');
  const box = (name: string) => list.getByRole('checkbox', { name, exact: true });
  await expect.element(box('Lakes')).toBeChecked();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(box('Rivers')).toHaveFocus();
  await userEvent.keyboard(' ');
  await expect.element(box('Rivers')).toBeChecked();
  await expect.element(screen.getByText('2 selected', { exact: true })).toBeVisible();
  await screen.getByRole('button', { name: 'Actions for the selection' }).click();
  await screen.getByRole('menuitem', { name: 'Archive', exact: true }).click();
  await expect
    .poll(() => [find('Lakes')?.archived, find('Rivers')?.archived])
    .toEqual([true, true]);
  expect(find('Seas')?.archived).toBe(false);
  expect(useChat.getState().checkedIds).toBeNull();
});

it('selects a range with Shift, and stops selecting with Escape', async () => {
  const { list, row, ids } = await openList();
  await row('Lakes').click({ modifiers: ['Control'] });
  const box = (name: string) => list.getByRole('checkbox', { name, exact: true });
  await box('Seas').click({ modifiers: ['Shift'] });
  expect(useChat.getState().checkedIds).toEqual([...ids.values()]);
  await userEvent.keyboard('{Escape}');
  await expect.element(row('Seas')).toBeVisible();
});

it('shows in the list why moving failed', async () => {
  const { list, take, find } = await openList();
  faults.update = new Error('Disk full');
  await take('Seas', 'Pin');
  await expect.element(list.getByRole('alert')).toBeVisible();
  expect(find('Seas')?.pinned).toBe(false);
});

it('refuses a dropped file of 100 MB where it was dropped', async () => {
  const { list, titles } = await openList();
  const before = titles().length;
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(100_000_000)], 'big.json'));
  const area = list.element().querySelector('h2')?.parentElement ?? list.element();
  area.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: transfer }));
  await expect
    .element(list.getByText(/“big.json” is 100.0 MB. The limit is 64 MiB./))
    .toBeVisible();
  expect(titles()).toHaveLength(before);
});

it('branches from a message to a new conversation', async () => {
  const { answers } = showExchange('Where?', { content: 'Here.' }, { content: 'There.' });
  const { screen } = await openChat();
  const question = screen.getByRole('article', { name: 'user' });
  await question.getByRole('button', { name: 'Branch from here' }).click();
  await expect
    .element(screen.getByRole('button', { name: 'A talk (copy)', exact: true }))
    .toHaveAttribute('aria-current', 'true');
  expect(answers).toHaveLength(2);
  await expect.element(screen.getByRole('article', { name: 'assistant' })).not.toBeInTheDocument();
});

it('shows the figures of an imported answer, which has no run to inspect', async () => {
  const question = makeMessage({ content: 'Where?' });
  const importedRun = makeRun({
    model: 'gpt-5',
    figures: {
      ...{ model: 'gpt-5', finishReasons: ['stop'], noResult: null },
      usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
    },
  });
  const answer = makeMessage({
    ...{ parentId: question.id, role: 'assistant', content: 'Here.', importedRun },
  });
  selectConversation(addConversation([question, answer]).id);
  const { screen } = await openChat();
  const shown = screen.getByRole('article', { name: 'assistant' });
  await expect.element(shown.getByText('gpt-5', { exact: true })).toBeVisible();
  await expect.element(shown.getByText('Output', { exact: true })).toBeVisible();
  await expect.element(shown.getByRole('button', { name: 'Retry' })).toBeInTheDocument();
  await expect.element(shown.getByRole('button', { name: 'Inspect' })).not.toBeInTheDocument();
});
