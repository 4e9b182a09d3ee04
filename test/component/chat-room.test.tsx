import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { listWidths, selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { conversationFormId } from '../../shared/form-fields.ts';
import { addConversation, makeMessage, makeRun, sent } from './chat-fake-main.ts';
import { openChat, resetChat, showExchange } from './chat-fixtures.tsx';
import { storeFields } from './fake-forms.ts';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat();
});

function openChoices(count: number) {
  const answers = Array.from({ length: count }, (_, at) => ({ content: `Answer ${at}` }));
  showExchange(`${count}, please`, ...answers);
}

it.each([3, 8])('shows %d choices as tabs if they do not fit side by side', async (count) => {
  openChoices(count);
  const { screen } = await openChat();
  await expect.element(screen.getByRole('tab', { name: 'Choice 1' })).toBeVisible();
  const log = screen.getByRole('log').element();
  expect(log.scrollWidth).toBeLessThanOrEqual(log.clientWidth);
  const { left, right } = log.getBoundingClientRect();
  const tabs = screen.getByRole('tab').elements();
  expect(tabs).toHaveLength(count);
  for (const part of [...tabs, screen.getByRole('tabpanel').element()]) {
    const box = part.getBoundingClientRect();
    expect(box.left, part.textContent).toBeGreaterThanOrEqual(left);
    expect(box.right, part.textContent).toBeLessThanOrEqual(right);
  }
});

it('switches between choices with tabs and continues from one', async () => {
  openChoices(3);
  const { screen, button } = await openChat();
  await expect.element(screen.getByRole('tab', { name: 'Choice 1' })).toBeVisible();
  await expect.element(screen.getByText('Answer 0', { exact: true })).toBeVisible();
  expect(screen.getByText('Answer 1', { exact: true }).elements()).toHaveLength(0);
  await screen.getByRole('tab', { name: 'Choice 2' }).click();
  await expect.element(screen.getByText('Answer 1', { exact: true })).toBeVisible();
  await button('Continue from choice 2').click();
  await expect
    .element(screen.getByRole('group', { name: 'Choice 2' }))
    .toMatchTextContent(/Conversation continues from this choice/);
});

it('formats a JSON answer, with its raw text on demand', async () => {
  const source = '{"title":"Pancakes","steps":["Mix","Fry"]}';
  showExchange('JSON', { content: source });
  const { screen, button } = await openChat();
  const article = screen.getByRole('article', { name: 'assistant' });
  await expect.element(article).toMatchTextContent(/"title": "Pancakes"/);
  await expect.element(button('Copy answer')).toBeVisible();
  await button('Raw').click();
  await expect.element(article.getByText(source)).toBeVisible();
  await button('Raw').click();
  await expect.element(article).toMatchTextContent(/"title": "Pancakes"/);
});

it('groups conversations by date and marks running and failed ones', async () => {
  const day = 86_400_000;
  const question = makeMessage({ content: 'Question' });
  const answer = (status: 'running' | 'failed') =>
    makeMessage({
      parentId: question.id,
      role: 'assistant',
      run: makeRun({ status }),
      choiceIndex: 0,
    });
  addConversation([question, answer('running')], { title: 'Streams', updatedAt: Date.now() });
  addConversation([question, answer('failed')], { title: 'Broke', updatedAt: Date.now() - day });
  addConversation([], { title: 'Old', updatedAt: Date.now() - 4 * day });
  const { screen } = await openChat();
  const list = screen.getByRole('navigation', { name: 'Conversations' });
  for (const title of ['Today', 'Yesterday', 'Previous 7 days']) {
    await expect.element(list.getByRole('heading', { name: title })).toBeVisible();
  }
  await expect.element(list.getByRole('img', { name: 'Running' })).toBeVisible();
  const failed = list.getByRole('img', { name: 'Last answer failed' });
  await expect.element(failed).toBeVisible();
  await list.getByRole('button', { name: 'Broke', exact: true }).click();
  await expect.element(failed).not.toBeInTheDocument();
});

it('resizes the list by keyboard and remembers its width', async () => {
  const { screen } = await openChat();
  const handle = screen.getByRole('separator', { name: 'Conversation list width' });
  const list = screen.getByRole('navigation', { name: 'Conversations' });
  const before = list.element().getBoundingClientRect().width;
  const separator = handle.element();
  if (separator instanceof HTMLElement) separator.focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(list.element().getBoundingClientRect().width).toBe(before + 32);
  expect(localStorage.getItem('gatehouse:chat')).toContain(
    `"listWidth":${listWidths.default + 32}`,
  );
  await userEvent.keyboard('{Home}');
  expect(list.element().getBoundingClientRect().width).toBe(listWidths.min);
});

it('keeps an unsaved edit until it is discarded, with Undo', async () => {
  selectConversation(addConversation([makeMessage({ content: 'As it was' })]).id);
  const { screen, button } = await openChat();
  const user = screen.getByRole('article', { name: 'user' });
  await user.getByRole('button', { name: 'Edit' }).click();
  const box = screen.getByRole('textbox', { name: 'Edit message' });
  await userEvent.keyboard(' once');
  await expect.element(box).toHaveValue('As it was once');
  await box.fill('As it may become');
  await userEvent.keyboard('{Escape}');
  await expect.element(user).toMatchTextContent(/As it was/);
  await button('Unsaved changes').click();
  await expect.element(box).toHaveValue('As it may become');
  await button('Discard changes').click();
  await expect.element(box).toHaveValue('As it was');
  await user.getByRole('button', { name: 'Undo' }).click();
  await expect.element(box).toHaveValue('As it may become');
  await button('Discard changes').click();
  await expect.element(box).toHaveValue('As it was');
  await button('Cancel').click();
  await expect.element(button('Unsaved changes')).not.toBeInTheDocument();
});

it('asks for another connection if the one of the conversation was deleted', async () => {
  const { id } = addConversation([makeMessage({ content: 'Hello' })]);
  storeFields(conversationFormId(id), { connectionId: 'deleted' });
  selectConversation(id);
  const { screen, button } = await openChat();
  const gone = 'This conversation’s connection was deleted.';
  await expect.element(screen.getByRole('alert')).toMatchTextContent(new RegExp(gone));
  const picker = screen.getByRole('combobox', { name: 'Connection' });
  await expect.element(picker).toHaveValue('');
  const message = screen.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('Are you there?');
  await button('Run').click({ force: true });
  await expect.element(screen.getByText(`${gone} Choose another.`)).toBeVisible();
  await expect.element(picker).toHaveFocus();
  expect(sent).toEqual([]);

  await button('Choose a connection').click();
  await screen.getByRole('menuitem', { name: 'Demo' }).click();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(picker).toHaveValue('demo');
  await expect.element(message).toHaveFocus();
  await button('Run').click();
  await expect.poll(() => sent).toMatchObject([{ connectionId: 'demo' }]);
});
