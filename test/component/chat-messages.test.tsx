import { beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { appError } from '../../shared/errors.ts';
import { addConversation, makeMessage, moveRun, sent } from './chat-fake-main.ts';
import { choice, lastRunId, openChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(() => resetChat());

describe('messages and conversations', () => {
  it('keeps partial text above the error and retries as a sibling', async () => {
    const { button, message, answer } = await openChat();
    await message.fill('tell me');
    await button('Run').click();
    await expect.element(button('Stop')).toBeVisible();
    moveRun(lastRunId(), choice('It began'), {
      status: 'failed',
      finishedAt: Date.now(),
      error: appError('rate-limited', 'The gateway limits requests.', 'Wait a moment.', {
        retryAfterSeconds: 30,
      }),
    });
    await expect.element(answer).toMatchTextContent(/It began/);
    await expect
      .element(answer.getByRole('alert'))
      .toMatchTextContent(/The gateway limits requests\./);
    await expect.element(answer.getByRole('timer')).toBeVisible();
    await answer.getByRole('button', { name: 'Retry' }).click();
    await expect.element(answer).toMatchTextContent(/2\/2/);
    expect(sent[1]).toMatchObject({ message: null });
    await button('Previous version').click();
    await expect.element(answer).toMatchTextContent(/It began/);
    await expect.element(answer).toMatchTextContent(/1\/2/);
  });

  it.each(['Save and run', 'Save', 'Cancel'])(
    'saves and runs the edit by Ctrl+Enter on %s, and leaves the composer alone',
    async (name) => {
      showExchange('old question', { content: 'old answer' });
      const { button, message, screen } = await openChat();
      await message.fill('a draft');
      const user = screen.getByRole('article', { name: 'user' });
      await user.getByRole('button', { name: 'Edit' }).click();
      await screen.getByRole('textbox', { name: 'Edit message' }).fill('new question');
      button(name).element().focus();
      await userEvent.keyboard('{Control>}{Enter}{/Control}');
      await expect.element(user).toMatchTextContent(/new question/);
      await expect.element(user).toMatchTextContent(/2\/2/);
      expect(sent.map((one) => one.message?.content)).toEqual(['new question']);
      await expect.element(message).toHaveValue('a draft');
    },
  );

  it('deletes a message with the following ones and restores them with Undo', async () => {
    showExchange('question', { content: 'answer' });
    const { screen } = await openChat();
    const user = screen.getByRole('article', { name: 'user' });
    await user.getByRole('button', { name: 'Delete' }).click();
    await expect.element(user).not.toBeInTheDocument();
    await expect.element(screen.getByText('2 messages deleted')).toBeVisible();
    const bar = screen.getByRole('status').filter({ hasText: '2 messages deleted' });
    await bar.getByRole('button', { name: 'Undo' }).click();
    await expect.element(user).toMatchTextContent(/question/);
    await expect
      .element(screen.getByRole('article', { name: 'assistant' }))
      .toMatchTextContent(/answer/);
    await expect.element(bar).not.toBeInTheDocument();
  });

  it('adds a tool result for an open call without running', async () => {
    const call = {
      id: 'call_7',
      type: 'function' as const,
      function: { name: 'weather', arguments: '{"city":"Oslo"' },
    };
    const asks = makeMessage({ role: 'assistant', toolCalls: [call] });
    selectConversation(addConversation([asks]).id);
    const { button, message, screen, answer } = await openChat();
    await expect.element(answer).toMatchTextContent(/weather/);
    await expect.element(answer).toMatchTextContent(/Arguments aren’t valid JSON\./);
    await message.fill('{"degrees":3}');
    await button('More options').click();
    await screen.getByRole('combobox', { name: 'Role' }).selectOptions('tool');
    await button('Add message only').click();
    const result = screen.getByRole('article', { name: 'tool' });
    await expect.element(result).toMatchTextContent(/for call_7/);
    await expect.element(result).toMatchTextContent(/"degrees": 3/);
    expect(sent).toHaveLength(0);
  });

  it('selects and focuses the first conversation restored by Undo', async () => {
    for (const title of ['First talk', 'Second talk', 'Third talk', 'Fourth talk']) {
      addConversation([], { title });
    }
    const { screen, button } = await openChat();
    await button('First talk').click();
    button('Third talk').element().focus();
    await userEvent.keyboard('{Delete}');
    await expect.element(button('Third talk')).not.toBeInTheDocument();
    button('Second talk').element().focus();
    await userEvent.keyboard('{Delete}');
    await expect.element(screen.getByText('2 conversations deleted')).toBeVisible();
    const list = screen.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('button', { name: 'Undo' }).click();
    await expect.element(button('Third talk')).toHaveFocus();
    await expect.element(button('Third talk')).toHaveAttribute('aria-current', 'true');
    await expect.element(button('Second talk')).toBeVisible();
  });
});

describe('the address', () => {
  it('follows the selected conversation and selects the one it names', async () => {
    const first = addConversation([makeMessage({ content: 'First talk' })]);
    const second = addConversation([makeMessage({ content: 'Second talk' })]);
    location.hash = `#/chat/${first.id}`;
    const { screen } = await openChat();
    await expect.element(screen.getByText('First talk')).toBeVisible();
    location.hash = `#/chat/${second.id}`;
    await expect.element(screen.getByText('Second talk')).toBeVisible();
    selectConversation(first.id);
    await expect.poll(() => location.hash).toBe(`#/chat/${first.id}`);
  });
});
