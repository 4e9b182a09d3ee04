import { beforeEach, expect, it } from 'vitest';
import { type Locator, userEvent } from 'vitest/browser';

import {
  selectConversation,
  useChat,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import { getConversationFormId } from '../../shared/form-fields.ts';
import { NO_STREAM_END } from '../../shared/operations/response/finish-reason.ts';
import type { RunSummary } from '../../shared/run.ts';
import { sent } from './chat-fake-conversations.ts';
import { moveRun } from './chat-fake-runs.ts';
import { addConversation, makeMessage, makeRun } from './chat-fake-state.ts';
import { choice, lastRunId, openChat, resetChat, showExchange } from './chat-fixtures.tsx';
import { storeFields } from './fake-forms.ts';

/** The opacity of the actions that a message has in its header. */
function actionsOpacity(message: Locator): string {
  const copy = message.getByRole('button', { name: 'Copy', exact: true }).element();
  return getComputedStyle(copy.parentElement ?? copy).opacity;
}

beforeEach(() => resetChat({ listOpen: false }));

it('keeps an unsaved edit until it is discarded, with Undo', async () => {
  selectConversation(addConversation([makeMessage({ content: 'As it was' })]).id);
  const { screen, button } = await openChat();
  const user = screen.getByRole('article', { name: 'user' });
  await user.getByRole('button', { name: 'Edit' }).click();
  const box = screen.getByRole('textbox', { name: 'Edit message' });
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
  await button('Cancel').click();
  await expect.element(button('Unsaved changes')).not.toBeInTheDocument();
});

const reasons = (...finishReasons: string[]) => ({
  figures: { model: null, usage: null, finishReasons, noResult: null },
});
const ended = (fields: Partial<RunSummary>) => makeRun({ finishedAt: 1, ...fields });

it('continues an answer cut off by length as a version linked to both runs', async () => {
  const run = ended(reasons('length'));
  const { answers } = showExchange('Count.', { content: 'One, two', run });
  moveRun(run.id, choice('One, two'), run);
  const { screen, button, answer } = await openChat();
  await expect.element(answer.getByText('Cut off at the token limit.')).toBeVisible();
  await button('Continue').click();
  await expect.poll(() => sent).toMatchObject([{ continuesId: answers[0]?.id, message: null }]);
  const end = { status: 'succeeded', finishedAt: 2, ...reasons('stop') } as const;
  moveRun(lastRunId(), choice(', three.'), end);
  await expect.element(screen.getByText('One, two, three.')).toBeVisible();
  await expect.element(button('Continue')).not.toBeInTheDocument();
  await button('Details').click();
  await expect.element(screen.getByRole('list', { name: 'Earlier runs' })).toBeVisible();
  await expect.element(button('Inspect earlier run')).toBeVisible();
  await button('Previous version').click();
  await expect.element(screen.getByText('Cut off at the token limit.')).toBeVisible();
});

it('continues an answer whose stream ended without a finish reason', async () => {
  const figures = { model: null, usage: null, finishReasons: [], noResult: null };
  const run = ended({ figures: { ...figures, warnings: [NO_STREAM_END] } });
  const { answers } = showExchange('Count.', { content: 'One, two', run });
  const { button, answer } = await openChat();
  await expect.element(answer.getByText(NO_STREAM_END)).toBeVisible();
  expect(answer.getByText(NO_STREAM_END).elements()).toHaveLength(1);
  await button('Continue').click();
  await expect.poll(() => sent).toMatchObject([{ continuesId: answers[0]?.id, message: null }]);
});

it('says in each choice why it ended early', async () => {
  const run = ended(reasons('content_filter', 'length'));
  showExchange('Count.', { content: 'I can', run }, { content: 'One, two', run });
  const { answer } = await openChat();
  const choiceOf = (number: number) => answer.getByRole('group', { name: `Choice ${number}` });
  const withheld = 'Withheld by the content filter (content_filter).';
  await expect.element(choiceOf(1).getByText(withheld)).toBeVisible();
  await expect.element(choiceOf(2).getByText('Cut off at the token limit.')).toBeVisible();
});

it('marks an answer that the content filter cut off', async () => {
  const run = ended(reasons('content_filter'));
  showExchange('Count.', { content: 'I can', run });
  const { button, answer } = await openChat();
  const withheld = 'Withheld by the content filter (content_filter).';
  await expect.element(answer.getByText(withheld)).toBeVisible();
  expect(button('Continue').query()).toBeNull();
});

it('shows the results of parallel calls in the order of the calls', async () => {
  const { answers, conversation } = showExchange('Weather?', {
    content: '',
    toolCalls: ['a', 'b'].map((id) => ({
      id,
      type: 'function' as const,
      function: { name: `weather_${id}`, arguments: '{}' },
    })),
    run: ended(reasons('tool_calls')),
  });
  let parentId = answers[0]?.id ?? null;
  for (const toolCallId of ['b', 'a']) {
    const result = makeMessage({ parentId, role: 'tool', content: `Of ${toolCallId}`, toolCallId });
    conversation.messages.push(result);
    parentId = result.id;
  }
  conversation.activeLeafId = parentId;
  const { screen } = await openChat();
  const tools = screen.getByRole('article', { name: 'tool' });
  await expect.element(tools.nth(1)).toBeVisible();
  expect(tools.elements().map(({ textContent }) => /Of [ab]/.exec(textContent)?.[0])).toEqual([
    'Of a',
    'Of b',
  ]);
});

it('offers Continue for a stopped answer, unless it is empty or ended by itself', async () => {
  showExchange('Empty', { content: '', run: ended({ status: 'cancelled' }) });
  const { screen, button } = await openChat();
  await expect.element(screen.getByText('Empty', { exact: true })).toBeVisible();
  await expect.element(button('Retry')).toBeInTheDocument();
  expect(button('Continue').query()).toBeNull();
  showExchange('Stopped', { content: 'One', run: ended({ status: 'cancelled' }) });
  await expect.element(button('Continue')).toBeVisible();
  showExchange('Ended', { content: 'One', run: ended(reasons('stop')) });
  await expect.element(screen.getByText('Ended', { exact: true })).toBeVisible();
  await expect.element(button('Continue')).not.toBeInTheDocument();
});

it('shows choices that don’t fit side by side as tabs, and continues from one', async () => {
  const openChoices = (count: number) =>
    showExchange(
      `${count}, please`,
      ...Array.from({ length: count }, (_, at) => ({ content: `Answer ${at}` })),
    );
  openChoices(8);
  useChat.setState({ listOpen: true });
  const { screen, button } = await openChat();
  const log = screen.getByRole('log');
  for (const count of [8, 3]) {
    if (count === 3) openChoices(3);
    await expect.element(screen.getByText(`${count}, please`)).toBeVisible();
    await expect.poll(() => screen.getByRole('tab').elements().length).toBe(count);
    expect(log.element().scrollWidth).toBeLessThanOrEqual(log.element().clientWidth);
    const { left, right } = log.element().getBoundingClientRect();
    const tabs = screen.getByRole('tab').elements();
    for (const part of [...tabs, screen.getByRole('tabpanel').element()]) {
      const box = part.getBoundingClientRect();
      expect(box.left, part.textContent).toBeGreaterThanOrEqual(left);
      expect(box.right, part.textContent).toBeLessThanOrEqual(right);
    }
  }
  await expect.element(screen.getByText('Answer 0', { exact: true })).toBeVisible();
  expect(screen.getByText('Answer 1', { exact: true }).elements()).toHaveLength(0);
  await screen.getByRole('tab', { name: 'Choice 2' }).click();
  await expect.element(screen.getByText('Answer 1', { exact: true })).toBeVisible();
  await button('Continue from choice 2').click();
  await expect
    .element(screen.getByRole('group', { name: 'Choice 2' }))
    .toMatchTextContent(/Conversation continues from this choice/);
});

it('asks for another connection if the conversation’s own was deleted', async () => {
  const { id } = addConversation([makeMessage({ content: 'Hello' })]);
  storeFields(getConversationFormId(id), { connectionId: 'deleted' });
  selectConversation(id);
  const { screen, button, message } = await openChat();
  const gone = 'This conversation’s connection was deleted.';
  await expect.element(screen.getByRole('alert')).toMatchTextContent(new RegExp(gone));
  const picker = screen.getByRole('combobox', { name: 'Connection' });
  await expect.element(picker).toHaveValue('');
  await message.fill('Are you there?');
  await button('Send').click({ force: true });
  await expect.element(screen.getByText(`${gone} Choose another.`)).toBeVisible();
  await expect.element(picker).toHaveFocus();
  expect(sent).toEqual([]);

  await button('Choose a connection').click();
  await screen.getByRole('menuitem', { name: 'Demo' }).click();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(picker).toHaveValue('demo');
  await expect.element(message).toHaveFocus();
  await button('Send').click();
  await expect.poll(() => sent).toMatchObject([{ connectionId: 'demo' }]);
});

it('shows four actions for a message: always for the last one, else on hover and focus', async () => {
  const { conversation, answers } = showExchange('question', { content: 'An answer' });
  const last = makeMessage({ parentId: answers[0]?.id ?? null, content: 'Thanks' });
  const reply = makeMessage({ parentId: last.id, role: 'assistant', content: 'Gladly' });
  conversation.messages.push(last, reply);
  conversation.activeLeafId = reply.id;
  const { screen, message } = await openChat();
  const earlier = screen.getByRole('article', { name: 'assistant' }).first();
  await expect.element(earlier).toBeVisible();
  const names = earlier.getByRole('button').elements().slice(0, 4);
  expect(names.map(({ ariaLabel }) => ariaLabel)).toEqual([
    'Copy',
    'Retry',
    'Edit',
    'More actions',
  ]);
  await message.hover();
  expect(actionsOpacity(earlier)).toBe('0');
  expect(actionsOpacity(screen.getByRole('article', { name: 'assistant' }).last())).toBe('1');
  await earlier.hover();
  expect(actionsOpacity(earlier)).toBe('1');
  await message.hover();
  earlier.getByRole('button', { name: 'Edit' }).element().focus();
  expect(actionsOpacity(earlier)).toBe('1');
});
