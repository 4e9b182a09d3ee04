import { ORPCError } from '@orpc/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { addMessage } from '../../renderer/features/chat/chat-actions.ts';
import { useChat } from '../../renderer/features/chat/chat-store.ts';
import { appError } from '../../shared/errors.ts';
import { conversationFormId } from '../../shared/form-fields.ts';
import { conversations, faults, moveRun, sent } from './chat-fake-main.ts';
import { choice, lastRunId, openChat, resetChat, showExchange } from './chat-fixtures.tsx';
import { formsDelay, storedFields, storeFields } from './fake-forms.ts';
import { recordNotes } from './notes.ts';
import { watchRenders } from './render-watch.ts';

beforeEach(() => resetChat());

describe('the chat panel', () => {
  it('creates a conversation with the first message and shows its answer as it streams', async () => {
    const { button, message, answer, screen } = await openChat();
    await screen.getByRole('textbox', { name: 'System message' }).fill('Be brief.');
    await message.fill('Hello **there**');
    await button('Run').click();
    await expect
      .element(screen.getByRole('article', { name: 'user' }))
      .toMatchTextContent(/Hello \*\*there\*\*/);
    moveRun(lastRunId(), choice('Some **bo'));
    await expect.element(answer).toMatchTextContent(/Some bo/);
    moveRun(lastRunId(), choice('Some **bold** words'), { status: 'succeeded' });
    await expect.element(answer.getByText('bold', { exact: true })).toBeVisible();
    await expect.element(button('Run')).toBeVisible();
    await expect.element(message).toHaveValue('');
    expect([...conversations.values()][0]).toMatchObject({ systemMessage: 'Be brief.' });
    expect(sent[0]).toMatchObject({ request: { model: 'demo-echo' }, parentId: null });
  });

  it('keeps the message read-only until it has loaded', async () => {
    storeFields(conversationFormId(null), { input: { text: 'A saved draft', name: 'ada' } });
    const { promise, resolve } = Promise.withResolvers<void>();
    formsDelay.until = promise;
    const { button, message, screen } = await openChat();
    await expect.element(message).toHaveAttribute('readonly');
    await button('More options').click();
    await expect.element(screen.getByRole('combobox', { name: 'Role' })).toBeDisabled();
    resolve();
    await expect.element(message).toHaveValue('A saved draft');
    await expect.element(message).not.toHaveAttribute('readonly');
    await expect.element(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('ada');
  });

  it('keeps the message if sending fails', async () => {
    const { button, message, screen } = await openChat();
    faults.send = new Error('boom');
    await message.fill('precious text');
    await button('Run').click();
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/Something went wrong/);
    await expect.element(message).toHaveValue('precious text');
    expect(conversations.size).toBe(0);
  });

  it('asks before exceeding a daily cap', async () => {
    const { button, message, screen } = await openChat();
    const words = 'Demo has used $1.00 of today’s $1.00 cap (estimated).';
    const error = appError('beyond-cap', words, 'Nothing was sent.');
    faults.send = new ORPCError('APP_ERROR', { defined: true, data: error });
    const question = screen.getByRole('alert').filter({ hasText: words });
    await message.fill('precious text');
    await button('Run').click();
    await expect.element(question).toBeVisible();
    await question.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(message).toHaveValue('precious text');
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
    expect(sent).toMatchObject([{ beyondCap: true, message: { content: 'another text' } }]);
  });

  it('rejects a second message while one is being sent', async () => {
    const { button, message } = await openChat();
    const notes = recordNotes();
    await message.fill('once');
    useChat.setState({ sending: true });
    expect(await addMessage(null, { role: 'user', content: 'twice' })).toBe(false);
    expect(notes).toMatchObject([{ text: 'Sending…' }]);
    useChat.setState({ sending: false });
    await button('Run').click();
    await expect.element(button('Stop')).toBeVisible();
  });

  it('shows reasoning while the model thinks and folds it afterwards', async () => {
    const { button, message, answer } = await openChat();
    await message.fill('think');
    await button('Run').click();
    await expect.element(button('Stop')).toBeVisible();
    moveRun(lastRunId(), choice('', { reasoning: 'Let me see' }));
    await expect.element(answer.getByText('Let me see')).toBeVisible();
    moveRun(lastRunId(), choice('Here it is', { reasoning: 'Let me see' }));
    await expect.element(answer).toMatchTextContent(/Here it is/);
    await expect.element(answer.getByText('Let me see')).not.toBeInTheDocument();
    await answer.getByText(/Reasoning/).click();
    await expect.element(answer.getByText('Let me see')).toBeVisible();
  });

  it('does not render the log while the user types', async () => {
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
    await userEvent.keyboard('Hello there');
    await result.click();
    await userEvent.keyboard('sunny');
    await expect.element(result).toHaveValue('sunny');
    await expect
      .poll(() => storedFields(conversationFormId(useChat.getState().selectedId)))
      .toMatchObject({ 'input.text': 'Hello there', [`results.${answers[0]?.id} 0`]: 'sunny' });
    expect(renders.stop().get('MessageLog')).toBeUndefined();
  });
});
