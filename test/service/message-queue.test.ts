/** Queues messages in a conversation whose answers end when the test says so. */
import { expect, it } from 'vitest';
import type { WrittenMessage } from '../../shared/conversation.ts';
import { getConversationFormId } from '../../shared/form-fields.ts';
import { serveScript, testKey, untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { bodyOf, jsonReply } from '../fixtures/wire-server.ts';

const user = (content: string): WrittenMessage => ({ role: 'user', content });
const answer = (message: object) =>
  jsonReply({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] });
const fine = answer({ role: 'assistant', content: 'Yes.' });

/** Starts a conversation with an answer in progress. */
async function start() {
  const open: ((bytes: Uint8Array) => void)[] = [];
  const server = await serveScript(({ send }) => {
    open.push((bytes) => void send(bytes));
  });
  const services = await startTestServices({ baseUrl: server.url, key: testKey });
  const { conversations, forms } = services;
  const { id: conversationId } = conversations.create();
  const ready = { connectionId: 'environment', request: { model: 'm' }, extraBody: {} };
  const { runId } = await conversations.send({
    conversationId,
    ...ready,
    parentId: null,
    message: user('one'),
  });
  await expect.poll(() => open.length).toBe(1);
  const formId = getConversationFormId(conversationId);
  const queued = () => {
    const { content } = forms.get({ id: formId, operation: 'chat', after: null });
    const entries = content.operation === 'chat' ? Object.entries(content.fields.queue ?? {}) : [];
    return entries.sort(([, one], [, other]) => one.queuedAt - other.queuedAt);
  };
  const queue = (content: string, more: Partial<typeof ready> = {}) =>
    conversations.queue({
      conversationId,
      ...ready,
      ...more,
      wireNames: {},
      sourceRunId: null,
      afterRunId: runId,
      message: user(content),
    });
  return {
    services,
    conversations,
    conversationId,
    runId,
    queue,
    queued,
    texts: () => conversations.get(conversationId).messages.map(({ content }) => content),
    end: (bytes: Uint8Array) => open.shift()?.(bytes),
    requests: server.requests,
    editing: (queuedId: string) =>
      forms.change({
        id: formId,
        unset: [],
        after: null,
        content: { operation: 'chat', fields: { edits: { [queuedId]: { text: 'new' } } } },
      }),
    parentId: () => conversations.get(conversationId).activeLeafId,
  };
}

it('sends queued messages one at a time, each after the previous answer ends', async () => {
  const { queue, queued, end, requests, texts, services, runId } = await start();
  await queue('two');
  await queue('three');
  expect(requests).toHaveLength(1);
  end(fine);
  await untilEnded(services, runId);
  await expect.poll(() => requests.length).toBe(2);
  expect(bodyOf(requests[1]).messages).toMatchObject([
    { content: 'one' },
    { content: 'Yes.' },
    { content: 'two' },
  ]);
  expect(queued()).toMatchObject([[expect.any(String), { message: { content: 'three' } }]]);
  end(fine);
  await expect.poll(() => requests.length).toBe(3);
  expect(queued()).toEqual([]);
  expect(texts()).toEqual(['one', 'Yes.', 'two', 'Yes.', 'three', '']);
});

it('sends a message at once if the answer ended while it was queued', async () => {
  const { queue, end, requests, services, runId } = await start();
  end(fine);
  await untilEnded(services, runId);
  await queue('two');
  await expect.poll(() => requests.length).toBe(2);
});

it.each<[string, (chat: Awaited<ReturnType<typeof start>>) => unknown]>([
  ['failed', ({ end }) => end(jsonReply({ error: { message: 'No' } }, '400 Bad Request'))],
  ['was stopped', ({ services, runId }) => services.engine.cancel(runId)],
  [
    'calls a tool',
    ({ end }) =>
      end(
        answer({
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        }),
      ),
  ],
])('keeps the message for the user to send if the answer %s', async (_name, finish) => {
  const chat = await start();
  const { queue, queued, requests, services, runId, conversations, conversationId } = chat;
  await queue('two');
  finish(chat);
  await untilEnded(services, runId);
  await expect.poll(() => conversations.get(conversationId).turns).toEqual([]);
  expect(requests).toHaveLength(1);
  const [queuedId = ''] = queued()[0] ?? [];
  const id = { conversationId, queuedId, parentId: chat.parentId(), overCap: false };
  const both = await Promise.allSettled([
    conversations.sendQueued(id),
    conversations.sendQueued(id),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect.poll(() => requests.length).toBe(2);
  expect(queued()).toEqual([]);
});

it('waits for unsaved changes to a queued message, and rejects changes to a sent one', async () => {
  const { queue, queued, end, requests, services, runId, ...chat } = await start();
  await queue('two');
  const [queuedId = ''] = queued()[0] ?? [];
  chat.editing(queuedId);
  end(fine);
  await untilEnded(services, runId);
  expect(queued()).toHaveLength(1);
  const { conversations, conversationId } = chat;
  const edit = (content: string) =>
    conversations.editQueued({ conversationId, queuedId, message: user(content) });
  edit('new');
  await expect.poll(() => requests.length).toBe(2);
  expect(bodyOf(requests[1]).messages).toMatchObject([{}, {}, { content: 'new' }]);
  expect(() => edit('newer')).toThrow('already sent or removed');
});

it('keeps a message that can’t be sent, with the reason', async () => {
  const { queue, queued, end, services, runId, conversations, conversationId } = await start();
  await queue('two', { connectionId: 'gone' });
  await queue('three');
  end(fine);
  await untilEnded(services, runId);
  await expect.poll(queued).toMatchObject([
    [expect.any(String), { problem: { message: expect.any(String) } }],
    [expect.any(String), { problem: null }],
  ]);
  expect(conversations.get(conversationId).turns).toEqual([]);
});

it('sends nothing more if the conversation is deleted during its answer', async () => {
  const { services, conversations, conversationId, queue, runId, requests } = await start();
  await queue('two');
  conversations.remove(conversationId);
  await untilEnded(services, runId);
  expect(requests).toHaveLength(1);
});

it('drops no message when the user sends one by hand, and sends the rest after it', async () => {
  const { services, conversations, conversationId, queue, queued, runId, ...chat } = await start();
  await queue('two');
  await queue('three');
  chat.end(jsonReply({ error: { message: 'No' } }, '400 Bad Request'));
  await untilEnded(services, runId);
  const [queuedId = ''] = queued()[0] ?? [];
  const parentId = chat.parentId();
  await conversations.sendQueued({ conversationId, queuedId, parentId, overCap: false });
  expect(queued()).toMatchObject([[expect.any(String), { message: { content: 'three' } }]]);
  await expect.poll(() => chat.requests.length).toBe(2);
  chat.end(fine);
  await expect.poll(() => chat.requests.length).toBe(3);
  expect(queued()).toEqual([]);
});

it('lists a turn while it sends queued messages, but not while the user changes the next', async () => {
  const { conversations, conversationId, queue, queued, runId, services, ...chat } = await start();
  const turnIds = () => conversations.get(conversationId).turns.map(({ id }) => id);
  await queue('two');
  await queue('three');
  chat.end(fine);
  await expect.poll(() => chat.requests.length).toBe(2);
  await expect.poll(turnIds).toEqual([runId]);
  const [queuedId = ''] = queued()[0] ?? [];
  chat.editing(queuedId);
  chat.end(fine);
  await expect.poll(turnIds).toEqual([]);
  expect(queued()).toMatchObject([[queuedId, { turnId: runId }]]);
  conversations.editQueued({ conversationId, queuedId, message: null });
  await expect.poll(() => chat.requests.length).toBe(3);
});
