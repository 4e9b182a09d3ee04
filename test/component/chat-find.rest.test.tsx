import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import {
  openFind,
  selectConversation,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import { addConversation, makeMessage } from './chat-fake-state.ts';
import { actOn, openChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(() => resetChat({ listOpen: false }));

/** Returns the highlighted text and its message. */
function currentMatch(): string | null {
  const [range] = [...(CSS.highlights.get('find-current') ?? [])];
  if (!(range instanceof Range)) return null;
  const message = range.startContainer.parentElement?.closest('article');
  return `${range.toString()} in ${message?.textContent}`;
}

function addLong() {
  const messages = [makeMessage({ content: 'A needle at the start' })];
  for (let index = 1; index < 120; index += 1) {
    const content = index === 60 ? 'A **need**le in the **Needle** stack' : `Message ${index}`;
    const role = index % 2 === 0 ? 'assistant' : 'user';
    messages.push(makeMessage({ parentId: messages.at(-1)?.id ?? null, role, content }));
  }
  return addConversation(messages);
}

it('jumps to a question, and finds matches in messages that are not rendered', async () => {
  selectConversation(addLong().id);
  const { screen, button, message } = await openChat();
  const last = screen.getByText('Message 119', { exact: true });
  await expect.element(last).toBeInViewport();
  await message.click();
  await button('Find and jump').click();
  await screen.getByRole('menuitem', { name: 'Message 51' }).click();
  await expect.element(screen.getByText('Message 51', { exact: true })).toBeInViewport();
  expect(last.query()).toBeNull();

  await button('Find and jump').click();
  await screen.getByRole('menuitem', { name: 'Find in conversation' }).click();
  const field = screen.getByRole('textbox', { name: 'Find in conversation' });
  await expect.element(field).toHaveFocus();
  await field.fill('needle');
  const count = screen.getByRole('search').getByRole('status');
  await expect.element(count).toHaveTextContent('1 of 3');
  await expect.poll(currentMatch).toMatch(/^needle in .*A needle at the start/);
  await expect.element(screen.getByText('A needle at the start')).toBeInViewport();
  await userEvent.keyboard('{Enter}');
  await expect.element(count).toHaveTextContent('2 of 3');
  await expect.poll(currentMatch).toMatch(/^needle in .*in the Needle stack/);
  await button('Next match').click();
  await expect.poll(currentMatch).toMatch(/^Needle in/);
  await expect.element(screen.getByText('Needle', { exact: true })).toBeInViewport();
  field.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(count).toHaveTextContent('1 of 3');
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  await expect.element(count).toHaveTextContent('3 of 3');
});

it('finds text in an answer’s Markdown source only while it is shown', async () => {
  showExchange('question', { content: 'Some **bold** text' });
  const { screen, answer, message } = await openChat();
  await expect.element(answer.getByText('bold', { exact: true })).toBeVisible();
  await actOn(answer, 'Show source');
  await expect.element(answer.getByText('Some **bold** text')).toBeVisible();
  await message.click();
  openFind();
  const field = screen.getByRole('textbox', { name: 'Find in conversation' });
  await field.fill('**bold');
  await expect.poll(currentMatch).toMatch(/^\*\*bold in/);
  await actOn(answer, 'Hide source');
  await expect.element(screen.getByText('No matches')).toBeVisible();
  field.element().focus();
  await userEvent.keyboard('{Escape}');
  await expect.element(message).toHaveFocus();
  expect(CSS.highlights.size).toBe(0);
  expect(screen.getByRole('search').query()).toBeNull();
});

it.each([
  ['columns', 1360],
  ['tabs', 640],
])('finds matches in every choice, shown as %s', async (_shown, width) => {
  await page.viewport(width, 820);
  onTestFinished(() => page.viewport(1360, 860));
  showExchange('question', { content: 'the first needle' }, { content: 'two needles, a needle' });
  const { screen, answer } = await openChat();
  await expect.element(answer.getByText('the first needle')).toBeVisible();
  openFind();
  const field = screen.getByRole('textbox', { name: 'Find in conversation' });
  await field.fill('needle');
  const count = screen.getByRole('search').getByRole('status');
  await expect.element(count).toHaveTextContent('1 of 3');
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.element(count).toHaveTextContent('3 of 3');
  await expect.element(answer.getByText('two needles, a needle')).toBeVisible();
  const getCurrent = () => [...(CSS.highlights.get('find-current') ?? [])][0];
  await expect.poll(() => getCurrent()?.startOffset).toBe('two needles, a '.length);
  await field.fill('first');
  await expect.element(count).toHaveTextContent('1 of 1');
  await expect.element(answer.getByText('the first needle')).toBeVisible();
});
