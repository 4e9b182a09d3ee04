import { ORPCError } from '@orpc/client';
import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { addMessage } from '../../renderer/features/chat/chat-actions.ts';
import { selectConversation, useChat } from '../../renderer/features/chat/chat-store.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { conversationForm } from '../../renderer/run/form/panel-forms.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { appError } from '../../shared/errors.ts';
import { conversationFormId } from '../../shared/form-fields.ts';
import {
  addConversation,
  conversations,
  faults,
  holdAdding,
  moveRun,
  savedTools,
  sent,
  settings,
} from './chat-fake-main.ts';
import {
  choice,
  lastRunId,
  openChat,
  openReadyChat,
  resetChat,
  showExchange,
  weather,
} from './chat-fixtures.tsx';
import { formsDelay, storedFields, storeFields } from './fake-forms.ts';
import { recordNotes } from './notes.ts';
import { watchRenders } from './render-watch.ts';

beforeEach(() => resetChat({ listOpen: false }));

it('creates a conversation with the first message, with reasoning collapsed above the answer', async () => {
  const { button, message, answer, screen } = await openChat();
  await screen.getByRole('textbox', { name: 'System message' }).fill('Be brief.');
  await message.fill('Hello **there**');
  await button('Run').click();
  const user = screen.getByRole('article', { name: 'user' });
  await expect.element(user).toMatchTextContent(/Hello \*\*there\*\*/);
  const reasoning = 'Let me see';
  moveRun(lastRunId(), choice('', { reasoning }));
  await expect.element(answer.getByText(reasoning)).toBeVisible();
  moveRun(lastRunId(), choice('Some **bo', { reasoning }));
  await expect.element(answer).toMatchTextContent(/Some bo/);
  await expect.element(answer.getByText(reasoning)).not.toBeInTheDocument();
  await answer.getByText(/Reasoning/).click();
  await expect.element(answer.getByText(reasoning)).toBeVisible();
  moveRun(lastRunId(), choice('Some **bold** words'), { status: 'succeeded' });
  await expect.element(answer.getByText('bold', { exact: true })).toBeVisible();
  await expect.element(button('Run')).toBeVisible();
  await expect.element(message).toHaveValue('');
  expect([...conversations.values()][0]).toMatchObject({ systemMessage: 'Be brief.' });
  expect(sent[0]).toMatchObject({ request: { model: 'demo-echo' }, parentId: null });
});

it('keeps the message read-only until it loads, and rare options in a popover', async () => {
  settings.enterSends = false;
  storeFields(conversationFormId(null), { input: { text: 'A saved draft', name: 'ada' } });
  const { promise, resolve } = Promise.withResolvers<void>();
  formsDelay.until = promise;
  const { button, message, screen } = await openChat();
  await expect.element(message).toHaveAttribute('readonly');
  const role = screen.getByRole('combobox', { name: 'Role' });
  await expect.element(role).not.toBeInTheDocument();
  await button('More options').click();
  await expect.element(role).toBeDisabled();
  await expect.element(button('Add message only')).toBeVisible();
  resolve();
  await expect.element(message).toHaveValue('A saved draft');
  await expect.element(message).not.toHaveAttribute('readonly');
  await expect.element(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('ada');
  const keys = message.element().closest('form, div')?.parentElement?.querySelectorAll('kbd');
  expect([...(keys ?? [])].map(({ textContent }) => textContent)).toEqual(['Ctrl', '↵']);
});

it('keeps the message if sending fails, and asks before exceeding a daily cap', async () => {
  const { button, message, screen } = await openChat();
  faults.send = new Error('boom');
  await message.fill('precious text');
  await button('Run').click();
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Something went wrong/);
  await expect.element(message).toHaveValue('precious text');
  await expect.element(message).toHaveFocus();
  const words = 'Demo has used $1.00 of today’s $1.00 cap (estimated).';
  const error = appError('beyond-cap', words, 'Nothing was sent.');
  faults.send = new ORPCError('APP_ERROR', { defined: true, data: error });
  const question = screen.getByRole('alert').filter({ hasText: words });
  await button('Run').click();
  await question.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await button('Run').click();
  await expect.element(question).toBeVisible();
  await message.fill('another text');
  await expect.element(question).not.toBeInTheDocument();
  await button('Run').click();
  await expect.element(question).toBeVisible();
  expect(conversations.size).toBe(0);
  faults.send = null;
  await question.getByRole('button', { name: 'Run anyway' }).click();
  await expect.element(button('Stop')).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(message).toHaveValue('');
  expect(sent).toMatchObject([{ overCap: true, message: { content: 'another text' } }]);
});

it('rejects a second message while one is being sent', async () => {
  await openChat();
  const notes = recordNotes();
  useChat.setState({ sending: true });
  expect(await addMessage(null, { role: 'user', content: 'twice' })).toBe(false);
  expect(notes).toMatchObject([{ text: 'Sending…' }]);
});

it('doesn’t render the log again while the user types', async () => {
  const toolCalls = [
    { id: 'call_1', type: 'function' as const, function: { name: 'look_up', arguments: '{}' } },
  ];
  const { answers } = showExchange('question', { toolCalls, run: null, choiceIndex: null });
  const { screen, button, message } = await openChat();
  const result = screen.getByRole('textbox', { name: 'Result for look_up' });
  await expect.element(result).toBeVisible();
  await expect.element(button('Run')).toBeEnabled();
  const renders = watchRenders();
  await message.click();
  await userEvent.keyboard('Hello');
  await result.click();
  await userEvent.keyboard('sunny');
  await expect
    .poll(() => storedFields(conversationFormId(useChat.getState().selectedId)))
    .toMatchObject({ 'input.text': 'Hello', [`results.${answers[0]?.id} 0`]: 'sunny' });
  expect(renders.stop().get('MessageLog')).toBeUndefined();
});

it('shows the next request’s estimated size by part, and warns near the limit', async () => {
  const { message, screen } = await openReadyChat();
  const gauge = screen.getByRole('button', { name: /^Context ≈ / });
  await expect.element(gauge).not.toBeInTheDocument();
  await message.fill('a'.repeat(400));
  await expect.element(gauge).toHaveTextContent('≈ 100 of 1K');
  await gauge.click();
  await expect
    .element(screen.getByRole('table', { name: 'Context' }))
    .toHaveTextContent('Draft100Next request100 tokensLimit of the model1,000');
  await userEvent.keyboard('{Escape}');
  const system = screen.getByRole('textbox', { name: 'System message' });
  await system.fill(`${'b'.repeat(77)}\n\nc`);
  await expect.element(gauge).toHaveTextContent('≈ 120 of 1K');
  const open = system.element().getBoundingClientRect().height;
  await message.fill('a'.repeat(4400));
  // Collapsed, the system message takes one line.
  expect(system.element().getBoundingClientRect().height).toBeLessThan(open - 30);
  await expect.element(screen.getByText('+2 lines')).toBeVisible();
  await expect.element(gauge).toHaveTextContent('≈ 1K of 1K');
  await gauge.click();
  await expect.element(screen.getByText(/^Longer than the model’s context/)).toBeVisible();
});

it('shows changed options as chips that open their settings', async () => {
  savedTools.push(weather);
  const options = {
    ...{ ...defaultConversationOptions, toolIds: [weather.id], toolChoice: 'required' as const },
    responseFormat: { type: 'json_schema', json_schema: { name: 'answer', schema: {} } },
  };
  const { id } = addConversation([], { options });
  selectConversation(id);
  const { button, screen } = await openReadyChat();
  conversationForm(id).change({ extraBody: '{"top_k": 4}', parameters: { temperature: 0.2 } });

  await button('Tools 1').click();
  await expect.element(screen.getByRole('dialog', { name: 'Tools' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await button('JSON schema').click();
  await expect.element(screen.getByRole('dialog', { name: 'Response schema' })).toBeVisible();
  await userEvent.keyboard('{Escape}');

  useLayout.setState({ sidebarOpen: false });
  await button('tool_choice required').click();
  await expect.element(screen.getByRole('combobox', { name: 'Tool choice' })).toHaveFocus();
  await button('Extra body fields 1').click();
  await expect.element(screen.getByRole('textbox', { name: 'Extra body fields' })).toHaveFocus();
  useLayout.setState({ sidebarOpen: false });
  await button('temperature 0.2').click();
  await expect.element(screen.getByRole('slider', { name: 'Temperature slider' })).toHaveFocus();
});

it('keeps focus where the user moved it while the first message was sent, until Stop', async () => {
  const sending = holdAdding();
  const { screen, button, message } = await openReadyChat();
  await message.fill('first');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const model = screen.getByRole('combobox', { name: 'Model' });
  await model.click();
  sending.resolve();
  await expect.element(screen.getByRole('article', { name: 'user' })).toBeVisible();
  await expect.element(model).toHaveFocus();
  await button('Stop').click();
  await expect.element(button('Run')).toBeVisible();
  await expect.element(message).toHaveFocus();
});

it('offers three examples that run', async () => {
  const { button, screen } = await openReadyChat();
  await button('Tell a story').click();
  await expect.poll(() => sent.length).toBe(1);
  selectConversation(null);
  await expect.element(button('Call a tool')).toBeEnabled();
  // The second click must be ignored.
  const call = button('Call a tool').element();
  if (!(call instanceof HTMLElement)) expect.fail();
  call.click();
  call.click();
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]?.request).toMatchObject({ tools: [{ function: { name: 'get_weather' } }] });
  await expect.element(button('Tools 1')).toBeVisible();
  selectConversation(null);
  await expect.element(screen.getByText('Tools 1')).not.toBeInTheDocument();
  await button('Answer in JSON').click();
  await expect.poll(() => sent.length).toBe(3);
  expect(sent[2]?.request).toMatchObject({ response_format: { type: 'json_schema' } });
  expect(sent[2]?.request).not.toHaveProperty('tools');
  expect(savedTools).toHaveLength(1);
});

it('restores options that an example replaced, and sends none that can’t be saved', async () => {
  const options = { ...defaultConversationOptions, toolIds: [weather.id] };
  savedTools.push(weather);
  selectConversation(addConversation([], { options }).id);
  const { button, screen } = await openReadyChat();
  await expect.element(button('Tools 1')).toBeVisible();
  faults.update = new Error('The disk is full.');
  await button('Tell a story').click();
  await expect.element(screen.getByRole('alert')).toBeVisible();
  expect(sent).toEqual([]);
  await expect.element(button('Undo')).not.toBeInTheDocument();
  faults.update = null;
  await button('Tell a story').click();
  await expect.element(screen.getByText('Options replaced by the example')).toBeVisible();
  await expect.element(button('Tools 1')).not.toBeInTheDocument();
  await button('Undo').click();
  await expect.element(button('Tools 1')).toBeVisible();
});

it('opens the field to fix if the run is blocked', async () => {
  conversationForm(null).change({ extraBody: '{"top_k": ' });
  const { screen } = await openReadyChat();
  useLayout.setState({ sidebarOpen: false });
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const reason = screen.getByRole('alert').filter({ hasText: /^Extra body fields: / });
  await expect.element(reason).toBeVisible();
  await expect.element(screen.getByRole('complementary', { name: 'Parameters' })).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Extra body fields' })).toHaveFocus();
  expect(sent).toEqual([]);
});
