import { ORPCError } from '@orpc/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

vi.mock('../../renderer/lib/api.ts', () => import('./chat-fake-main.ts'));

import {
  editMessage,
  selectConversation,
  useChat,
} from '../../renderer/features/chat/chat-store.ts';
import { orpc } from '../../renderer/lib/api.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import {
  addConversation,
  cancelled,
  conversations,
  holdAdding,
  makeMessage,
  makeRun,
  moveRun,
  sent,
} from './chat-fake-main.ts';
import { choice, lastRunId, openChat, resetChat } from './chat-fixtures.tsx';

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
      error: {
        kind: 'rate-limited',
        message: 'The gateway limits requests.',
        nextStep: 'Wait a moment.',
        gateway: null,
        detail: null,
        retryAfterSeconds: 30,
      },
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

  it('edits a message as a sibling and runs it', async () => {
    const question = makeMessage({ content: 'old question' });
    const answerNode = makeMessage({
      parentId: question.id,
      role: 'assistant',
      content: 'old answer',
    });
    selectConversation(addConversation([question, answerNode]).id);
    const { button, screen } = await openChat();
    const user = screen.getByRole('article', { name: 'user' });
    await user.getByRole('button', { name: 'Edit' }).click();
    await screen.getByRole('textbox', { name: 'Edit message' }).fill('new question');
    await button('Save and run').click();
    await expect.element(user).toMatchTextContent(/new question/);
    await expect.element(user).toMatchTextContent(/2\/2/);
    expect(sent[0]).toMatchObject({ parentId: null, message: { content: 'new question' } });
  });

  it.each(['Save and run', 'Save', 'Cancel'])(
    'saves and runs the edit by Ctrl+Enter on %s, and leaves the composer alone',
    async (name) => {
      const question = makeMessage({ content: 'old question' });
      const reply = makeMessage({
        parentId: question.id,
        role: 'assistant',
        run: makeRun(),
        content: 'old answer',
      });
      selectConversation(addConversation([question, reply]).id);
      const { button, message, screen } = await openChat();
      await message.fill('a draft');
      const user = screen.getByRole('article', { name: 'user' });
      await user.getByRole('button', { name: 'Edit' }).click();
      await screen.getByRole('textbox', { name: 'Edit message' }).fill('new question');
      button(name).element().focus();
      await userEvent.keyboard('{Control>}{Enter}{/Control}');
      await expect.element(user).toMatchTextContent(/new question/);
      expect(sent.map((one) => one.message?.content)).toEqual(['new question']);
      await expect.element(message).toHaveValue('a draft');
    },
  );

  it('Escape on a button of the editor closes it, and stops no run', async () => {
    const { button, message, screen } = await openChat();
    await message.fill('tell me');
    await button('Run').click();
    await expect.element(button('Stop')).toBeVisible();
    const user = screen.getByRole('article', { name: 'user' });
    for (const name of ['Save', 'Cancel']) {
      await user.getByRole('button', { name: 'Edit' }).click();
      const editor = screen.getByRole('textbox', { name: 'Edit message' });
      await expect.element(editor).toBeVisible();
      button(name).element().focus();
      await userEvent.keyboard('{Escape}');
      await expect.element(editor).not.toBeInTheDocument();
    }
    expect(cancelled).toEqual([]);
    await expect.element(button('Stop')).toBeVisible();
  });

  it('leaves an editor open that was opened while another edit was saved', async () => {
    const question = makeMessage({ content: 'first' });
    const reply = makeMessage({ parentId: question.id, role: 'assistant', content: 'second' });
    selectConversation(addConversation([question, reply]).id);
    const { screen, button } = await openChat();
    await screen
      .getByRole('article', { name: 'user' })
      .getByRole('button', { name: 'Edit' })
      .click();
    await screen.getByRole('textbox', { name: 'Edit message' }).fill('changed');
    const saving = holdAdding();
    await button('Save').click();
    editMessage(reply.id);
    saving.resolve();
    await vi.waitFor(() => expect(useChat.getState().sending).toBe(false));
    expect(useChat.getState().editingId).toBe(reply.id);
  });

  it('deletes a message with what follows it at once, and brings both back', async () => {
    const question = makeMessage({ content: 'question' });
    const answerNode = makeMessage({ parentId: question.id, role: 'assistant', content: 'answer' });
    const conversation = addConversation([question, answerNode]);
    selectConversation(conversation.id);
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

  it('adds a tool result without running, for the call that waits', async () => {
    const call = {
      id: 'call_7',
      type: 'function' as const,
      function: { name: 'weather', arguments: '{"city":"Oslo"' },
    };
    const asks = makeMessage({ role: 'assistant', toolCalls: [call] });
    selectConversation(addConversation([asks]).id);
    const { button, message, screen, answer } = await openChat();
    await expect.element(answer).toMatchTextContent(/weather/);
    await expect.element(answer).toMatchTextContent(/Arguments are not valid JSON\./);
    await message.fill('{"degrees":3}');
    await button('More options').click();
    await screen.getByRole('combobox', { name: 'Role' }).selectOptions('tool');
    await button('Add message only').click();
    const result = screen.getByRole('article', { name: 'tool' });
    await expect.element(result).toMatchTextContent(/for call_7/);
    await expect.element(result).toMatchTextContent(/"degrees": 3/);
    expect(sent).toHaveLength(0);
  });

  it('says where a deletion stops an answer', async () => {
    addConversation([], { title: 'Running talk', lastRunStatus: 'running' });
    const { screen, button } = await openChat();
    await button('Actions for Running talk').click();
    await screen.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.element(screen.getByText('“Running talk” deleted, answer stopped')).toBeVisible();
  });

  it('renames and deletes conversations', async () => {
    addConversation([], { title: 'First talk' });
    const { screen, button } = await openChat();
    await button('Actions for First talk').click();
    await screen.getByRole('menuitem', { name: 'Rename' }).click();
    const name = screen.getByRole('textbox', { name: 'Conversation name' });
    await name.fill('Second talk');
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Second talk')).toBeVisible();
    await button('Actions for Second talk').click();
    await screen.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.element(screen.getByText('No conversations yet')).toBeVisible();
    await expect.element(screen.getByText('“Second talk” deleted')).toBeVisible();
    const list = screen.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('button', { name: 'Undo' }).click();
    await expect.element(button('Second talk')).toBeVisible();
  });

  it('Undo of deleted conversations selects and focuses the first of them', async () => {
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

  it('mounts only what is near of a long conversation, at its end', async () => {
    const messages = Array.from({ length: 600 }, (_, index) =>
      makeMessage({
        id: `m${index}`,
        parentId: index === 0 ? null : `m${index - 1}`,
        content: `Line ${index}`,
      }),
    );
    selectConversation(addConversation(messages).id);
    const { screen, button } = await openChat();
    await expect.element(screen.getByText('Line 599')).toBeInViewport();
    const log = screen.getByRole('log', { name: 'Conversation' });
    expect(log.element().querySelectorAll('article').length).toBeLessThan(80);
    await vi.waitFor(() => {
      log.element().dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: -3000 }));
      log.element().scrollTop -= 3000;
      expect(button('Jump to end').query()).not.toBeNull();
    });
    await button('Jump to end').click();
    await expect.element(screen.getByText('Line 599')).toBeInViewport();
  });
});

describe('the address', () => {
  it('says which conversation is shown, and shows the one it names', async () => {
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

  it('opens at once a conversation that was deleted and brought back', async () => {
    const back = addConversation([makeMessage({ content: 'Brought back' })]);
    conversations.delete(back.id);
    const { queryKey } = orpc.conversations.get.queryOptions({ input: { id: back.id } });
    const fetchGone = () => Promise.reject(new ORPCError('NOT_FOUND'));
    await queryClient.fetchQuery({ queryKey, queryFn: fetchGone, retry: false }).catch(() => null);
    conversations.set(back.id, back);
    const { screen } = await openChat();
    selectConversation(back.id);
    await expect.element(screen.getByText('Brought back')).toBeVisible();
    expect(useChat.getState().selectedId).toBe(back.id);
  });
});
