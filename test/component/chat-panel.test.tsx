import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

const log = vi.hoisted(() => ({ renders: 0 }));

vi.mock('../../renderer/lib/api.ts', () => import('./chat-fake-main.ts'));
vi.mock('../../renderer/features/chat/messages/message-log.tsx', async (original) => {
  const { MessageLog } =
    await original<typeof import('../../renderer/features/chat/messages/message-log.tsx')>();
  return {
    MessageLog(props: ComponentProps<typeof MessageLog>) {
      log.renders += 1;
      return <MessageLog {...props} />;
    },
  };
});

import { addMessage } from '../../renderer/features/chat/chat-actions.ts';
import { ChatPanel } from '../../renderer/features/chat/chat-panel.tsx';
import {
  editMessage,
  selectConversation,
  useChat,
} from '../../renderer/features/chat/chat-store.ts';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { announceChange } from '../../renderer/lib/change-listeners.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { handOver } from '../../renderer/media/hand-over/hand-over.ts';
import { type Note, noteEvent } from '../../renderer/ui/note-at.ts';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { conversationFormId } from '../../shared/form-fields.ts';
import type { Media } from '../../shared/media.ts';
import {
  addConversation,
  cancelled,
  conversations,
  faults,
  holdAdding,
  makeMessage,
  makeRun,
  moveRun,
  resetFakeMain,
  sent,
} from './chat-fake-main.ts';
import { formsDelay, storedFields, storeFields } from './fake-forms.ts';
import { resetForms } from './forms-fixtures.ts';

beforeEach(() => {
  localStorage.clear();
  location.hash = '';
  queryClient.clear();
  resetFakeMain();
  selectConversation(null);
  resetForms();
  useChat.setState({ places: {}, sending: false, listOpen: true });
  useLinkState.setState('open', true);
});

async function open() {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  void followChanges(stop.signal);
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <div style={{ height: 700, display: 'flex', flexDirection: 'column' }}>
        <ChatPanel />
      </div>
    </QueryClientProvider>,
  );
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  const message = screen.getByRole('textbox', { name: 'Message', exact: true });
  const answer = screen.getByRole('article', { name: 'assistant' });
  return { screen, button, message, answer };
}

function choice(content: string, more: object = {}) {
  const base = { index: 0, role: 'assistant', reasoning: '', refusal: '', toolCalls: [] };
  return { choices: [{ ...base, content, finishReason: null, ...more }] };
}

function imageOf(id: string): Media {
  return {
    id,
    kind: 'image',
    type: 'image/png',
    declaredType: null,
    name: null,
    sizeBytes: 1,
    complete: true,
    width: 1,
    height: 1,
    durationSeconds: null,
    sampleRate: null,
    channels: null,
    frameRate: null,
    createdAt: 0,
  };
}

function lastRunId(): string {
  const [conversation] = [...conversations.values()];
  return conversation?.messages.at(-1)?.run?.id ?? '';
}

describe('the chat panel', () => {
  it('creates a conversation with the first message and shows its answer as it streams', async () => {
    const { button, message, answer, screen } = await open();
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

  it('lets nobody write over a message that has not come yet', async () => {
    storeFields(conversationFormId(null), { input: { text: 'A saved draft', name: 'ada' } });
    const { promise, resolve } = Promise.withResolvers<void>();
    formsDelay.until = promise;
    const { button, message, screen } = await open();
    await expect.element(message).toHaveAttribute('readonly');
    await button('More').click();
    await expect.element(screen.getByRole('combobox', { name: 'Role' })).toBeDisabled();
    resolve();
    await expect.element(message).toHaveValue('A saved draft');
    await expect.element(message).not.toHaveAttribute('readonly');
    await expect.element(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('ada');
  });

  it('says why a message does not come, and asks again with Retry', async () => {
    storeFields(conversationFormId(null), { input: { text: 'A saved draft' } });
    formsDelay.until = Promise.reject(new Error('boom'));
    const { message, screen } = await open();
    const alert = screen.getByRole('alert');
    await expect.element(alert).toMatchTextContent(/Something went wrong/);
    formsDelay.until = null;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect.element(message).toHaveValue('A saved draft');
    await expect.element(alert).not.toBeInTheDocument();
  });

  it('keeps the attachments of a message behind which an image is put', async () => {
    const part = { type: 'image_url', image_url: { url: 'https://example.com/one.png' } };
    storeFields(conversationFormId(null), { input: { parts: [part] } });
    const { promise, resolve } = Promise.withResolvers<void>();
    formsDelay.until = promise;
    handOver('chat', { kind: 'media', media: imageOf('image-two') });
    await open();
    resolve();
    await expect
      .poll(() => storedFields(conversationFormId(null))['input.parts'])
      .toMatchObject([part, { type: 'image_url' }]);
  });

  it('sends once however often Run is pressed', async () => {
    const { button, message } = await open();
    await message.fill('once');
    const run = button('Run').element();
    if (run instanceof HTMLElement) {
      run.click();
      run.click();
      run.click();
    }
    await expect.element(button('Stop')).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  it('stops the run and keeps what had come', async () => {
    const { button, message, answer } = await open();
    await message.fill('go on');
    await button('Run').click();
    await expect.element(button('Stop')).toBeVisible();
    moveRun(lastRunId(), choice('Half of it'));
    await expect.element(answer).toMatchTextContent(/Half of it/);
    await button('Stop').click();
    await expect.element(answer).toMatchTextContent(/Stopped\. Partial answer kept\./);
    await expect.element(answer).toMatchTextContent(/Half of it/);
    expect(cancelled).toHaveLength(1);
  });

  it('keeps the message and shows the error where sending fails', async () => {
    const { button, message, screen } = await open();
    faults.send = new Error('boom');
    await message.fill('precious text');
    await button('Run').click();
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/Something went wrong/);
    await expect.element(message).toHaveValue('precious text');
    expect(conversations.size).toBe(0);
  });

  it('keeps partial text above the error and retries as a sibling', async () => {
    const { button, message, answer } = await open();
    await message.fill('tell me');
    await button('Run').click();
    await expect.element(button('Stop')).toBeVisible();
    moveRun(lastRunId(), choice('It began'), {
      status: 'failed',
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
    const { button, screen } = await open();
    const user = screen.getByRole('article', { name: 'user' });
    await user.getByRole('button', { name: 'Edit' }).click();
    await screen.getByRole('textbox', { name: 'Edit message' }).fill('new question');
    await button('Save and run').click();
    await expect.element(user).toMatchTextContent(/new question/);
    await expect.element(user).toMatchTextContent(/2\/2/);
    expect(sent[0]).toMatchObject({ parentId: null, message: { content: 'new question' } });
  });

  it('leaves an editor open that was opened while another edit was saved', async () => {
    const question = makeMessage({ content: 'first' });
    const reply = makeMessage({ parentId: question.id, role: 'assistant', content: 'second' });
    selectConversation(addConversation([question, reply]).id);
    const { screen, button } = await open();
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

  it('says that a message is on its way where a second one is sent', async () => {
    const { button, message } = await open();
    const notes: string[] = [];
    const note = (event: CustomEvent<Note>) => notes.push(event.detail.text);
    document.addEventListener(noteEvent, note);
    onTestFinished(() => document.removeEventListener(noteEvent, note));
    await message.fill('once');
    useChat.setState({ sending: true });
    expect(await addMessage(null, { role: 'user', content: 'twice' })).toBe(false);
    expect(notes).toEqual(['Still sending']);
    useChat.setState({ sending: false });
    await button('Run').click();
    await expect.element(button('Stop')).toBeVisible();
  });

  it('deletes a message with what follows it at once, and brings both back', async () => {
    const question = makeMessage({ content: 'question' });
    const answerNode = makeMessage({ parentId: question.id, role: 'assistant', content: 'answer' });
    const conversation = addConversation([question, answerNode]);
    selectConversation(conversation.id);
    const { screen } = await open();
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
    const { button, message, screen, answer } = await open();
    await expect.element(answer).toMatchTextContent(/weather/);
    await expect.element(answer).toMatchTextContent(/Arguments are not valid JSON\./);
    await message.fill('{"degrees":3}');
    await button('More').click();
    await screen.getByRole('combobox', { name: 'Role' }).selectOptions('tool');
    await button('Add message only').click();
    const result = screen.getByRole('article', { name: 'tool' });
    await expect.element(result).toMatchTextContent(/for call_7/);
    await expect.element(result).toMatchTextContent(/"degrees": 3/);
    expect(sent).toHaveLength(0);
  });

  it('keeps what is typed per conversation over a reload', async () => {
    const { id } = addConversation([]);
    selectConversation(id);
    const first = await open();
    await first.message.fill('not sent yet');
    await first.screen.unmount();
    const second = await open();
    await expect.element(second.message).toHaveValue('not sent yet');
    await second.button('New conversation').click();
    await expect.element(second.message).toHaveValue('');
  });

  it('continues an answer that was streaming before the page was loaded', async () => {
    const run = makeRun({ status: 'running' });
    const question = makeMessage({ content: 'question' });
    const node = makeMessage({ parentId: question.id, role: 'assistant', run, choiceIndex: 0 });
    selectConversation(addConversation([question, node]).id);
    moveRun(run.id, choice('Already here, '), { status: 'running' });
    const { answer, button } = await open();
    await expect.element(answer).toMatchTextContent(/Already here,/);
    await expect.element(button('Stop')).toBeVisible();
    moveRun(run.id, choice('Already here, and more'));
    await expect.element(answer).toMatchTextContent(/Already here, and more/);
  });

  it('shows reasoning open while the model thinks and folded once it speaks', async () => {
    const { button, message, answer } = await open();
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

  it('takes a megabyte without a slow keystroke', async () => {
    const { message } = await open();
    const area = message.element();
    if (!(area instanceof HTMLTextAreaElement)) throw new Error('not a text area');
    area.focus();
    area.value = 'lorem ipsum '.repeat(90_000);
    area.dispatchEvent(new Event('input', { bubbles: true }));
    const renders = performance.now();
    area.dispatchEvent(new Event('input', { bubbles: true }));
    expect(performance.now() - renders).toBeLessThan(30);
  });

  it('restores the model of a conversation of an earlier version from its last run', async () => {
    const question = makeMessage({ content: 'question' });
    const run = makeRun({ model: 'an-older-model' });
    const answer = makeMessage({ parentId: question.id, role: 'assistant', run });
    const { id } = addConversation([question, answer]);
    selectConversation(id);
    const { screen } = await open();
    const model = screen.getByRole('combobox', { name: 'Model' });
    await expect.element(model).toHaveValue('an-older-model');
    await expect
      .poll(() => storedFields(conversationFormId(id)))
      .toMatchObject({ connectionId: 'demo', 'models.demo': 'an-older-model' });
  });

  it('leaves the log as it is while a message and a result are typed', async () => {
    const question = makeMessage({ content: 'question' });
    const toolCalls = [
      { id: 'call_1', type: 'function' as const, function: { name: 'look_up', arguments: '{}' } },
    ];
    const calling = makeMessage({ parentId: question.id, role: 'assistant', toolCalls });
    selectConversation(addConversation([question, calling]).id);
    const { screen, button, message } = await open();
    const result = screen.getByRole('textbox', { name: 'Result of look_up' });
    await expect.element(result).toBeVisible();
    await expect.element(button('Run')).toBeEnabled();
    log.renders = 0;
    await message.click();
    await userEvent.keyboard('Hello there');
    await result.click();
    await userEvent.keyboard('sunny');
    await expect.element(result).toHaveValue('sunny');
    await expect
      .poll(() => storedFields(conversationFormId(useChat.getState().selectedId)))
      .toMatchObject({ 'input.text': 'Hello there', [`results.${calling.id} 0`]: 'sunny' });
    expect(log.renders).toBe(0);
  });

  it('shows what another window writes, but not over what is being typed', async () => {
    const { screen, button, message } = await open();
    await expect.element(button('Run')).toBeVisible();
    storeFields('new-conversation', { input: { text: 'from elsewhere', role: 'developer' } });
    announceChange({ topic: 'forms', id: 'new-conversation' });
    await expect.element(message).toHaveValue('from elsewhere');
    await button('More').click();
    await expect.element(screen.getByRole('combobox', { name: 'Role' })).toHaveValue('developer');
    await userEvent.keyboard('{Escape}');
    await message.fill('from here');
    storeFields('new-conversation', { input: { text: 'too late', name: 'Ada' } });
    announceChange({ topic: 'forms', id: 'new-conversation' });
    await button('name Ada').click();
    await expect.element(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada');
    await expect.element(message).toHaveValue('from here');
  });

  it('says where a deletion stops an answer', async () => {
    addConversation([], { title: 'Running talk', lastRunStatus: 'running' });
    const { screen, button } = await open();
    await button('Actions for Running talk').click();
    await screen.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.element(screen.getByText('“Running talk” deleted, answer stopped')).toBeVisible();
  });

  it('renames and deletes conversations', async () => {
    addConversation([], { title: 'First talk' });
    const { screen, button } = await open();
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

  it('mounts only what is near of a long conversation, at its end', async () => {
    const messages = Array.from({ length: 600 }, (_, index) =>
      makeMessage({
        id: `m${index}`,
        parentId: index === 0 ? null : `m${index - 1}`,
        content: `Line ${index}`,
      }),
    );
    selectConversation(addConversation(messages).id);
    const { screen, button } = await open();
    await expect.element(screen.getByText('Line 599')).toBeInViewport();
    const log = screen.getByRole('log', { name: 'Conversation' });
    expect(log.element().querySelectorAll('article').length).toBeLessThan(80);
    log.element().dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: -3000 }));
    log.element().scrollTop -= 3000;
    await button('Jump to end').click();
    await expect.element(screen.getByText('Line 599')).toBeInViewport();
  });
});
