/** Checks that a page first receives a conversation's end, and then only changes. */
import { expect, it } from 'vitest';
import { createConversations } from '../../electron/conversations/conversations.ts';
import type { Services } from '../../electron/services.ts';
import { finished, withTree } from '../fixtures/conversation-store.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const start = () => startTestServices({ baseUrl: 'http://127.0.0.1:1' });

/** Appends a chain of messages and returns their IDs. */
function addMessages({ conversations }: Services, id: string, count: number): string[] {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const written = { role: 'user', content: `Message ${index}` } as const;
    const { messages } = conversations.addMessage(id, ids.at(-1) ?? null, written);
    ids.push(messages[0]?.id ?? '');
  }
  return ids;
}

const idsOf = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

it('sends the end of the visible branch with siblings, then the rest in pages', async () => {
  const services = await start();
  const { conversations } = services;
  const { id } = conversations.create();
  const ids = addMessages(services, id, 100);
  const sibling = conversations.addMessage(id, ids[97] ?? null, { role: 'user', content: 'Other' });
  conversations.update(id, { activeLeafId: ids.at(-1) ?? null });

  const first = conversations.get(id);
  expect(first).toMatchObject({ complete: false, messageCount: 101, activeLeafId: ids.at(-1) });
  expect(idsOf(first.messages)).toEqual([...ids.slice(60), sibling.messages[0]?.id]);

  const newest = conversations.messages(id, { before: null, limit: 60 });
  const oldest = conversations.messages(id, { before: newest.next, limit: 60 });
  expect(oldest.next).toBeNull();
  expect(idsOf([...newest.messages, ...oldest.messages]).reverse()).toEqual([
    ...ids,
    sibling.messages[0]?.id,
  ]);
  expect([newest.revision, oldest.revision]).toEqual([first.revision, first.revision]);
});

it('sends a short conversation in full, with every branch', async () => {
  const services = await start();
  const { conversations } = services;
  const { id } = conversations.create();
  const [root] = addMessages(services, id, 1);
  conversations.addMessage(id, null, { role: 'user', content: 'Another beginning' });
  const { complete, messages } = conversations.get(id);
  expect(complete).toBe(true);
  expect(messages[0]?.id).toBe(root);
  expect(messages).toHaveLength(2);
});

it('sends only added messages to a page that has the rest', async () => {
  const services = await start();
  const { conversations } = services;
  const { id } = conversations.create();
  const [first = ''] = addMessages(services, id, 1);
  const before = conversations.get(id);
  const added = conversations.addMessage(id, first, { role: 'user', content: 'Second' });
  const since = conversations.get(id, before.revision);
  expect(idsOf(since.messages)).toEqual(idsOf(added.messages));
  expect(since).toMatchObject({ messageCount: 2, activeLeafId: added.activeLeafId });
  conversations.update(id, { title: 'Renamed' });
  const renamed = conversations.get(id, since.revision);
  expect(renamed).toMatchObject({ title: 'Renamed', messages: [] });
});

it('sends the whole conversation after a message is deleted or restored', async () => {
  const services = await start();
  const { conversations, deletions } = services;
  const { id } = conversations.create();
  const ids = addMessages(services, id, 2);
  const before = conversations.get(id);
  const deletionId = await conversations.removeMessage(id, ids[1] ?? '');
  const left = conversations.get(id, before.revision);
  expect(left.revision.split(':')[0]).not.toBe(before.revision.split(':')[0]);
  expect(left).toMatchObject({ complete: true });
  expect(idsOf(left.messages)).toEqual([ids[0]]);
  deletions.undo([deletionId]);
  expect(idsOf(conversations.get(id, left.revision).messages)).toEqual(ids);
});

it('announces and sends choices that a full disk delayed', () => {
  const { store, db, changes, id } = withTree();
  const notAsked = () => {
    throw new Error('Not asked');
  };
  const reject = () => Promise.reject(new Error('Not asked'));
  const engine = {
    start: reject,
    preview: reject,
    view: reject,
    cancel: async () => {},
    read: reject,
    countTokens: reject,
  };
  const comparisons = () => ({
    addTurn: notAsked,
    leave: () => undefined,
  });
  const conversations = createConversations({
    store,
    engine,
    comparisons,
    changes,
    forms: { copy: () => undefined, get: notAsked, change: notAsked },
    now: () => 0,
    reportDefect: notAsked,
    describeTarget: notAsked,
    files: { export: notAsked, import: notAsked },
    listTools: notAsked,
    answers: { findServerTool: notAsked, checkArguments: notAsked, answer: reject },
  });
  const before = conversations.get(id);
  const limit = (pages: number) => db.sql(`PRAGMA max_page_count = ${pages}`).get();
  const text = 'long '.repeat(10_000);
  limit(1);
  store.settle('run', [finished(0, text), finished(1, text), finished(2, 'third')]);
  const held = conversations.get(id, before.revision);
  expect(held.messages).toEqual([]);
  limit(1_000_000);
  const announced: unknown[] = [];
  changes.listen(({ topic }, ids) => announced.push(topic, ids?.length));
  const since = conversations.get(id, held.revision);
  expect(since.messages.map(({ choiceIndex }) => choiceIndex)).toEqual([0, 1, 2]);
  expect(announced).toEqual(['conversations', 3]);
});
