import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { openFind, selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { addConversation, makeMessage } from './chat-fake-main.ts';
import { openChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

/** Returns the highlighted text and the message it's in. */
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

describe('find in conversation', () => {
  it('finds matches in messages that are not rendered and goes through them', async () => {
    selectConversation(addLong().id);
    const { screen } = await openChat();
    await expect.element(screen.getByText('Message 119', { exact: true })).toBeInViewport();
    openFind();
    const field = screen.getByRole('textbox', { name: 'Find in conversation' });
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('needle');
    const count = screen.getByRole('search').getByRole('status');
    await expect.element(count).toHaveTextContent('1 of 3');
    await expect.poll(currentMatch).toMatch(/^needle in .*A needle at the start/);
    await expect.element(screen.getByText('A needle at the start')).toBeInViewport();
    await userEvent.keyboard('{Enter}');
    await expect.element(count).toHaveTextContent('2 of 3');
    await expect.poll(currentMatch).toMatch(/^needle in .*in the Needle stack/);
    await screen.getByRole('button', { name: 'Next match' }).click();
    await expect.poll(currentMatch).toMatch(/^Needle in/);
    await expect.element(screen.getByText('Needle', { exact: true })).toBeInViewport();
    field.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(count).toHaveTextContent('1 of 3');
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
    await expect.element(count).toHaveTextContent('3 of 3');
  });

  it('says that nothing matches, and returns the focus when it closes', async () => {
    showExchange('question', { content: 'answer' });
    const { screen, message } = await openChat();
    await message.click();
    openFind();
    await screen.getByRole('textbox', { name: 'Find in conversation' }).fill('nothing like it');
    await expect.element(screen.getByText('No matches')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(message).toHaveFocus();
    expect(CSS.highlights.size).toBe(0);
    expect(screen.getByRole('search').query()).toBeNull();
  });
});

describe('jumping by message', () => {
  it('goes to a question from the menu', async () => {
    selectConversation(addLong().id);
    const { screen } = await openChat();
    await expect.element(screen.getByText('Message 119', { exact: true })).toBeInViewport();
    await screen.getByRole('button', { name: 'Find and jump' }).click();
    await screen.getByRole('menuitem', { name: 'Message 51' }).click();
    await expect.element(screen.getByText('Message 51', { exact: true })).toBeInViewport();
    expect(screen.getByText('Message 119', { exact: true }).query()).toBeNull();
  });

  it('opens the search from the menu with the focus in its field', async () => {
    showExchange('question', { content: 'answer' });
    const { screen } = await openChat();
    await screen.getByRole('button', { name: 'Find and jump' }).click();
    await screen.getByRole('menuitem', { name: 'Find in conversation' }).click();
    const field = screen.getByRole('textbox', { name: 'Find in conversation' });
    await expect.element(field).toHaveFocus();
  });
});

it('shows the Markdown source of an answer and finds its marks', async () => {
  showExchange('question', { content: 'Some **bold** text' });
  const { screen, answer } = await openChat();
  await expect.element(answer.getByText('bold', { exact: true })).toBeVisible();
  await answer.getByRole('button', { name: 'Show source' }).click();
  await expect.element(answer.getByText('Some **bold** text')).toBeVisible();
  openFind();
  await screen.getByRole('textbox', { name: 'Find in conversation' }).fill('**bold');
  await expect.poll(currentMatch).toMatch(/^\*\*bold in/);
  await answer.getByRole('button', { name: 'Show source' }).click();
  await expect.element(screen.getByText('No matches')).toBeVisible();
});
