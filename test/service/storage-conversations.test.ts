import { expect, test } from 'vitest';
import type { NewMessage } from '../../electron/conversations/store/conversation-store.ts';
import {
  answer,
  finished,
  foundBy,
  listed,
  node,
  openStore,
  withTree,
} from '../fixtures/conversation-store.ts';
import { removeRun } from '../fixtures/open-ledger.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';

test('creates an empty conversation', () => {
  const { store } = openStore();
  const created = store.create();
  expect(created).toMatchObject({ title: 'New conversation', titled: false, messages: [] });
  expect(store.get(created.id)).toEqual(created);
});

test('returns messages oldest first, with their runs', () => {
  const { store, id } = withTree();
  const conversation = store.get(id);
  expect(conversation.messages.map((message) => message.id)).toEqual([
    'q1',
    'a1',
    'b1',
    'q2',
    'a2',
  ]);
  expect(conversation.messages[1]?.run).toMatchObject({ id: 'run', status: 'running' });
  expect(conversation.messages[0]?.run).toBeNull();
  expect(conversation).toMatchObject({ messageCount: 5, activeLeafId: 'a2' });
});

test('lists the runs of a conversation', () => {
  const { ledger, id } = withTree();
  ledger.createRun(testRun({ id: 'other' }));
  const list = (conversationId: string) =>
    ledger.list({ ...everyRun, conversationId }).runs.map((run) => run.id);
  expect(list(id)).toEqual(['run']);
  expect(list('none')).toEqual([]);
});

test('keeps parts, tool calls, names and reasoning', () => {
  const { store } = openStore();
  const { id } = store.create();
  const written = node('m', null, {
    content: [
      { type: 'text', text: 'Look: ' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
    ],
    name: 'Ada',
    reasoning: 'thinking',
    reasoningTagged: true,
    reasoningEncrypted: true,
    sources: [{ number: 1, url: 'https://x.example/', title: null, marks: ['【1】'] }],
    toolCalls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{"a":' } }],
    toolCallId: 'call-1',
  });
  store.insert({ conversationId: id, messages: [written], activeLeafId: 'm' });
  const [stored] = store.getAdded(id, ['m']).messages;
  const { runId: _runId, wire: _wire, ...fields } = written;
  expect(stored).toMatchObject(fields);
  expect(store.get(id).messages).toEqual([stored]);
});

test('adds all messages or none', () => {
  const { store, id } = withTree();
  const messages = [node('q3', 'a2'), node('q4', 'nowhere')];
  expect(() => store.insert({ conversationId: id, messages, activeLeafId: 'q3' })).toThrow(
    'no longer in the conversation',
  );
  expect(store.get(id)).toMatchObject({ messageCount: 5, activeLeafId: 'a2' });
});

test('rejects a parent or a leaf of another conversation', () => {
  const { store } = withTree();
  const other = store.create().id;
  const add = () =>
    store.insert({ conversationId: other, messages: [node('x', 'q1')], activeLeafId: 'x' });
  expect(add).toThrow('no longer in the conversation');
  expect(() => store.update(other, { activeLeafId: 'q1' })).toThrow(
    'no longer in the conversation',
  );
  expect(() => store.get('nowhere')).toThrow('This conversation no longer exists.');
});

test('returns the path from the root to a message', () => {
  const { store } = withTree();
  expect(store.path('q2').map(({ id }) => id)).toEqual(['q1', 'a1', 'q2']);
});

test('uses the first user message as the title until the user names it', () => {
  const { store } = openStore();
  const { id } = store.create();
  const insert = (message: NewMessage) =>
    store.insert({ conversationId: id, messages: [message], activeLeafId: message.id });
  insert(node('s', null, { role: 'assistant', content: 'Welcome' }));
  expect(store.get(id).title).toBe('New conversation');
  insert(node('q', 's', { content: '\n  How do   gates work?\nAnd houses?' }));
  expect(store.get(id)).toMatchObject({ title: 'How do gates work?', titled: false });
  expect(store.update(id, { title: 'Gates' })).toMatchObject({ title: 'Gates', titled: true });
  insert(node('q2', 'q', { content: 'More' }));
  expect(store.get(id).title).toBe('Gates');
});

test('uses the draft as the title until there is a message, and the text before its files', () => {
  const { store } = openStore();
  const { id, title } = store.create({ draft: 'How do gates work?\nAnd doors?' });
  expect(title).toBe('How do gates work?');
  const content = ['What is in these files?', 't.csv\n```csv\na,b\n```'].map((text) => ({
    type: 'text' as const,
    text,
  }));
  const message = node('q', null, { content });
  store.insert({ conversationId: id, messages: [message], activeLeafId: 'q' });
  expect(store.get(id)).toMatchObject({ title: 'What is in these files?', titled: false });
});

test('lists the most recently changed conversation first', () => {
  const { store } = openStore();
  const [a, b] = [store.create().id, store.create().id];
  expect(listed(store)).toEqual([b, a]);
  store.insert({ conversationId: a, messages: [node('m', null)], activeLeafId: 'm' });
  expect(listed(store)).toEqual([a, b]);
  expect(store.list({ limit: 1 })).toHaveLength(1);
});

test('copies finished answers into the messages', () => {
  const { store, id } = withTree();
  const toolCalls = [
    { id: 't', type: 'function' as const, function: { name: 'f', arguments: '' } },
  ];
  store.settle('run', [
    { ...finished(0, 'first'), reasoning: 'why', reasoningTagged: true, toolCalls },
    finished(1, 'second'),
  ]);
  const [, a1, b1] = store.get(id).messages;
  expect(a1).toMatchObject({
    content: 'first',
    reasoning: 'why',
    reasoningTagged: true,
    toolCalls,
    choiceIndex: 0,
  });
  expect(b1).toMatchObject({
    content: 'second',
    reasoning: null,
    reasoningTagged: false,
    toolCalls: [],
  });
});

test('adds an unrequested choice as a sibling', () => {
  const { store, id } = withTree();
  store.settle('run', [finished(0, 'first'), finished(1, 'second'), finished(2, 'third')]);
  const added = store.get(id).messages.at(-1);
  expect(added).toMatchObject({ parentId: 'q1', role: 'assistant', content: 'third' });
  expect(added?.run?.id).toBe('run');
});

test('keeps an answer whose run was deleted from the history', () => {
  const { store, id, ledger } = withTree();
  store.settle('run', [finished(0, 'kept')]);
  removeRun(ledger, 'run');
  expect(store.get(id).messages[1]).toMatchObject({ content: 'kept', run: null });
});

test('falls back to plain text if the parts are damaged', () => {
  const { store, db, id, notices } = withTree();
  db.sql("UPDATE messages SET parts = '{', tool_calls = '7' WHERE id = 'q1'").run();
  expect(store.get(id).messages[0]).toMatchObject({ content: 'text of q1', toolCalls: [] });
  expect(notices).toMatchObject([{ id: 'unreadable-message parts' }]);
});

test('shows an answer delayed by a full disk, and writes it once there is room', () => {
  const { store, db, id } = withTree();
  const limit = (pages: number) => db.sql(`PRAGMA max_page_count = ${pages}`).get();
  const text = 'long '.repeat(10_000);
  limit(1);
  store.settle('run', [finished(0, text)]);
  expect(store.get(id).messages[1]?.content).toBe(text);
  const stored = () => db.sql("SELECT text FROM messages WHERE id = 'a1'").get()?.text;
  expect(stored()).toBe('');
  limit(1_000_000);
  store.get(id);
  expect(stored()).toBe(text);
});

function openSearchable() {
  const opened = openStore();
  const add = (text: string) => {
    const { id } = opened.store.create();
    const message = node(crypto.randomUUID(), null, { content: text });
    opened.store.insert({ conversationId: id, messages: [message], activeLeafId: message.id });
    return id;
  };
  return { ...opened, add };
}

test.each([
  ['a word', 'the quick brown fox', 'quick'],
  ['part of a word', 'a gatehouse', 'teho'],
  ['another case', 'The QUICK fox', 'quick fox'],
  ['special characters', 'say "100%_\\ AND" (now)', '"100%_\\ AND" ('],
  ['two characters', 'an ox', 'ox'],
  ['characters without spaces between words', '城门楼的故事', '门楼'],
])('finds %s', async (_name, text, search) => {
  const { store, add } = openSearchable();
  const id = add(text);
  add('something else');
  expect(await foundBy(store, search)).toEqual([id]);
});

test('finds titles, answers and edited texts, but nothing deleted', async () => {
  const { store, ledger, add } = openSearchable();
  ledger.createRun(testRun({ id: 'r' }));
  const id = add('question');
  store.update(id, { title: 'Chosen name' });
  const parentId = store.get(id).activeLeafId;
  const reply = answer('reply', parentId ?? '', 'r');
  store.insert({ conversationId: id, messages: [reply], activeLeafId: 'reply' });
  store.settle('r', [finished(0, `${'before '.repeat(50)}needle ${'after '.repeat(50)}`)]);
  expect(await store.search({ search: 'chosen', limit: 9 })).toMatchObject([{ id, match: null }]);
  const [found] = await store.search({ search: 'needle', limit: 9 });
  expect(found?.match).toMatch(/^…(before )+needle( after)+…$/);
  store.settle('r', [finished(0, 'replaced')]);
  expect(await foundBy(store, 'needle')).toEqual([]);
  store.remove(id);
  expect(await foundBy(store, 'replaced')).toEqual([]);
  expect(await foundBy(store, 'chosen')).toEqual([]);
});
