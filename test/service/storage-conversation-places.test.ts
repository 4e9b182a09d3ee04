import { expect, it } from 'vitest';
import type { ConversationStore } from '../../electron/conversations/store/conversation-store.ts';
import { getConversationFormId } from '../../shared/form-fields.ts';
import {
  answer,
  finished,
  listed,
  node,
  openStore,
  withTree,
} from '../fixtures/conversation-store.ts';
import { testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const placed = (store: ConversationStore) =>
  store.list({ limit: 50, order: 'place' }).map(({ id }) => id);

it('lists pinned conversations first, then those in folders', () => {
  const { store } = openStore();
  const [a, b, c, d] = [store.create().id, store.create().id, store.create().id, store.create().id];
  store.place([a], { pinned: true });
  store.place([b], { folder: 'Work' });
  expect(placed(store)).toEqual([a, b, d, c]);
  expect(listed(store)).toEqual([d, c, b, a]);
  store.place([a], { pinned: false });
  store.place([b], { folder: null });
  expect(placed(store)).toEqual([d, c, b, a]);
});

it('lists archived conversations separately, and still finds them by a search', async () => {
  const { store } = openStore();
  const [a, b] = [store.create().id, store.create().id];
  store.insert({
    conversationId: a,
    messages: [node('m', null, { content: 'lighthouse' })],
    activeLeafId: 'm',
  });
  store.place([a], { archived: true, folder: 'Work' });
  expect(listed(store)).toEqual([b]);
  expect(store.list({ limit: 50, archived: true })).toMatchObject([
    { id: a, archived: true, folder: 'Work' },
  ]);
  expect(await store.search({ search: 'lighthouse', limit: 5 })).toMatchObject([{ id: a }]);
});

it('changes only the given fields, and not the time of the last change', () => {
  const { store } = openStore();
  const { id, updatedAt } = store.create();
  store.place([id], { folder: 'Work' });
  store.place([id], { pinned: true });
  expect(store.head(id)).toMatchObject({
    folder: 'Work',
    pinned: true,
    archived: false,
    updatedAt,
  });
});

it('renames, merges and removes a folder', () => {
  const { store } = openStore();
  const [a, b] = [store.create().id, store.create().id];
  store.place([a], { folder: 'Work', archived: true });
  store.place([b], { folder: 'Home' });
  store.renameFolder('Work', 'Home');
  expect([a, b].map((id) => store.head(id).folder)).toEqual(['Home', 'Home']);
  store.renameFolder('Home', null);
  expect([a, b].map((id) => store.head(id).folder)).toEqual([null, null]);
});

it('copies every branch of a conversation under new IDs', () => {
  const { store, id, ledger } = withTree();
  ledger.update('run', { status: 'succeeded' });
  store.settle('run', [{ ...finished(0, 'first'), reasoning: 'why' }, finished(1, 'second')]);
  store.update(id, { title: 'Gates', systemMessage: 'Be brief.' });
  store.place([id], { folder: 'Work', pinned: true });
  const copy = store.copy({ id, messageId: null });
  expect(copy).toMatchObject({ title: 'Gates (copy)', folder: 'Work', pinned: false });
  const [from, to] = [store.get(id), store.get(copy.id)];
  expect(to.systemMessage).toBe('Be brief.');
  const names = new Map(to.messages.map((message, at) => [message.id, from.messages[at]?.id]));
  expect(names.size).toBe(5);
  expect([...names.keys()].filter((key) => from.messages.some((one) => one.id === key))).toEqual(
    [],
  );
  const asOriginal = to.messages.map((message) => ({
    ...message,
    id: names.get(message.id),
    parentId: names.get(message.parentId ?? '') ?? null,
    run: message.run && { ...message.run, conversationId: id },
  }));
  expect(asOriginal).toEqual(
    from.messages.map((message) => ({
      ...message,
      run: message.run && { ...message.run, conversationId: id },
    })),
  );
  expect(names.get(to.activeLeafId ?? '')).toBe(from.activeLeafId);
  expect(to.messages[1]?.run).toMatchObject({ id: 'run', conversationId: copy.id });
});

it('copies only the messages up to the end of a branch', () => {
  const { store, id, ledger } = withTree();
  ledger.update('run', { status: 'succeeded' });
  const branch = store.copy({ id, messageId: 'b1' });
  const { messages, activeLeafId } = store.get(branch.id);
  expect(messages.map(({ role, choiceIndex }) => [role, choiceIndex])).toEqual([
    ['user', null],
    ['assistant', 1],
  ]);
  expect(activeLeafId).toBe(messages[1]?.id);
  expect(store.get(id).messageCount).toBe(5);
});

it('doesn’t copy an unfinished answer, or a message of another conversation', () => {
  const { store, id, ledger } = withTree();
  expect(() => store.copy({ id, messageId: null })).toThrow('An answer is still in progress.');
  expect(store.copy({ id, messageId: 'q1' }).messageCount).toBe(1);
  const other = store.create().id;
  expect(() => store.copy({ id: other, messageId: 'q1' })).toThrow('no longer in the conversation');
  ledger.createRun(testRun({ id: 'run-2', status: 'failed' }));
  store.insert({
    conversationId: other,
    messages: [node('x', null), answer('y', 'x', 'run-2')],
    activeLeafId: 'y',
  });
  const count = listed(store).length;
  expect(store.copy({ id: other, messageId: null }).messageCount).toBe(2);
  expect(listed(store)).toHaveLength(count + 1);
});

it('copies the settings of a chat, but not its draft', async () => {
  const { conversations, forms } = await startTestServices();
  const { id } = conversations.create();
  conversations.addMessage(id, null, { role: 'user', content: 'Hello' });
  const fields = {
    params: { temperature: { value: 0.2 } },
    models: { demo: 'demo-story' },
    connectionId: 'demo',
  };
  forms.change({
    id: getConversationFormId(id),
    content: { operation: 'chat', fields: { ...fields, input: { text: 'unsent' } } },
    unset: [],
    after: null,
  });
  const copy = conversations.duplicate({ id, messageId: null });
  const form = forms.get({ id: getConversationFormId(copy.id), operation: 'chat', after: null });
  expect(form.content.fields).toEqual(fields);
});
