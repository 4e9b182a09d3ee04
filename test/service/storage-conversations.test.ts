import { expect, test } from 'vitest';
import {
  type ConversationStore,
  createConversationStore,
  type NewMessage,
} from '../../electron/storage/conversation-store.ts';
import { createDeletions } from '../../electron/storage/deletions.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { testRun } from '../fixtures/test-run.ts';

function node(id: string, parentId: string | null, fields: Partial<NewMessage> = {}): NewMessage {
  return {
    id,
    parentId,
    role: 'user',
    content: `text of ${id}`,
    name: null,
    reasoning: null,
    toolCalls: [],
    toolCallId: null,
    audio: null,
    runId: null,
    choiceIndex: null,
    ...fields,
  };
}

function answer(id: string, parentId: string, runId: string, choiceIndex = 0): NewMessage {
  return node(id, parentId, { role: 'assistant', content: '', runId, choiceIndex });
}

function finished(choiceIndex: number, content: string) {
  return { choiceIndex, content, reasoning: null, toolCalls: [], audio: null };
}

function openStore(home?: string) {
  const storage = openTestStorage(home);
  let time = 1000;
  const now = () => time++;
  const timer = manualTimer();
  const defects: unknown[] = [];
  const deletions = createDeletions({
    db: storage.db,
    now,
    reportDefect: (cause) => defects.push(cause),
    timer,
  });
  const ignore = () => undefined;
  const hooks = { onUndone: ignore, onFinished: ignore, onMessagesFinished: ignore };
  const store = createConversationStore({ db: storage.db, now, deletions, ...hooks });
  return { ...storage, now, store, deletions, defects, timer, ledger: createLedger(storage.db) };
}

/** q1 ─ a1 ─ q2 ─ a2, and a1 has a sibling b1; the run of a1 and b1 is `run`. */
function withTree() {
  const opened = openStore();
  const { store, ledger } = opened;
  ledger.createRun(testRun({ id: 'run', status: 'running' }));
  const { id } = store.create();
  store.insert({
    conversationId: id,
    messages: [node('q1', null), answer('a1', 'q1', 'run'), answer('b1', 'q1', 'run', 1)],
    activeLeafId: 'a1',
  });
  store.insert({
    conversationId: id,
    messages: [node('q2', 'a1'), answer('a2', 'q2', 'run-2')],
    activeLeafId: 'a2',
  });
  return { ...opened, id };
}

const listed = (store: ConversationStore, search = '') =>
  store.list({ search, limit: 50 }).map(({ id }) => id);

test('begins empty and is found again', () => {
  const { store } = openStore();
  const created = store.create();
  expect(created).toMatchObject({ title: 'New conversation', titled: false, messages: [] });
  expect(store.get(created.id)).toEqual(created);
});

test('answers messages oldest first, with the run they point at', () => {
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
    toolCalls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{"a":' } }],
    toolCallId: 'call-1',
  });
  store.insert({ conversationId: id, messages: [written], activeLeafId: 'm' });
  const [stored] = store.added(id, ['m']).messages;
  const { runId: _runId, ...fields } = written;
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

test('refuses a parent or a leaf of another conversation', () => {
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

test('walks from the root to a message', () => {
  const { store } = withTree();
  expect(store.path('q2').map(({ id }) => id)).toEqual(['q1', 'a1', 'q2']);
});

test('takes the title from the first user message until the user names it', () => {
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

test('lists the most recently changed first', () => {
  const { store } = openStore();
  const [a, b] = [store.create().id, store.create().id];
  expect(listed(store)).toEqual([b, a]);
  store.insert({ conversationId: a, messages: [node('m', null)], activeLeafId: 'm' });
  expect(listed(store)).toEqual([a, b]);
  expect(store.list({ search: '', limit: 1 })).toHaveLength(1);
});

test('copies finished answers into the messages', () => {
  const { store, id } = withTree();
  const toolCalls = [
    { id: 't', type: 'function' as const, function: { name: 'f', arguments: '' } },
  ];
  store.settle('run', [
    { choiceIndex: 0, content: 'first', reasoning: 'why', toolCalls, audio: null },
    finished(1, 'second'),
  ]);
  const [, a1, b1] = store.get(id).messages;
  expect(a1).toMatchObject({ content: 'first', reasoning: 'why', toolCalls, choiceIndex: 0 });
  expect(b1).toMatchObject({ content: 'second', reasoning: null, toolCalls: [] });
});

test('adds an unrequested choice as a sibling', () => {
  const { store, id } = withTree();
  store.settle('run', [finished(0, 'first'), finished(1, 'second'), finished(2, 'third')]);
  const added = store.get(id).messages.at(-1);
  expect(added).toMatchObject({ parentId: 'q1', role: 'assistant', content: 'third' });
  expect(added?.run?.id).toBe('run');
});

test('does not bring back an answer that was removed during its run', () => {
  const { store, id } = withTree();
  expect(store.removeMessage(id, 'b1').runIds).toEqual([]);
  store.settle('run', [finished(0, 'first'), finished(1, 'second')]);
  expect(store.get(id).messages.map((message) => message.id)).toEqual(['q1', 'a1', 'q2', 'a2']);
});

test('does not bring it back either when the run ends after the deletion is final', () => {
  const { store, id, timer } = withTree();
  store.removeMessage(id, 'b1');
  timer.advance(60_000);
  store.settle('run', [finished(0, 'first'), finished(1, 'second')]);
  expect(store.get(id).messages.map((message) => message.id)).toEqual(['q1', 'a1', 'q2', 'a2']);
});

test('removes a message with all that follows and shows the nearest branch that is left', () => {
  const { store, id } = withTree();
  expect(store.removeMessage(id, 'a1').runIds).toEqual(['run-2']);
  const left = store.get(id);
  expect(left.messages.map((message) => message.id)).toEqual(['q1', 'b1']);
  expect(left.activeLeafId).toBe('b1');
  expect(store.removeMessage(id, 'q1').runIds).toEqual(['run']);
  expect(store.get(id)).toMatchObject({ messageCount: 0, activeLeafId: null });
});

test('leaves the shown branch alone when another one is removed', () => {
  const { store, id } = withTree();
  store.removeMessage(id, 'b1');
  expect(store.get(id).activeLeafId).toBe('a2');
});

test('removes a branch of several thousand messages', () => {
  const { store, timer } = openStore();
  const { id } = store.create();
  const messages = Array.from({ length: 3000 }, (_, index) =>
    node(`m${index}`, index === 0 ? null : `m${index - 1}`),
  );
  store.insert({ conversationId: id, messages, activeLeafId: 'm2999' });
  expect(store.path('m2999')).toHaveLength(3000);
  store.removeMessage(id, 'm1');
  expect(store.get(id)).toMatchObject({ messageCount: 1, activeLeafId: 'm0' });
  timer.advance(60_000);
  expect(store.get(id)).toMatchObject({ messageCount: 1, activeLeafId: 'm0' });
});

test('removes a conversation and names the runs that answered in it', () => {
  const { store, id, ledger } = withTree();
  expect(store.remove(id).runIds.toSorted()).toEqual(['run', 'run-2']);
  expect(listed(store)).toEqual([]);
  expect(ledger.run('run')).not.toBeNull();
});

test('brings back a message with all that followed it, and the branch that was shown', () => {
  const { store, deletions, id } = withTree();
  const before = store.get(id);
  const { deletionId } = store.removeMessage(id, 'a1');
  store.settle('run', [finished(0, 'settled meanwhile'), finished(1, 'second')]);
  deletions.undo([deletionId]);
  const after = store.get(id);
  expect(after.messages.map((message) => message.id)).toEqual(['q1', 'a1', 'b1', 'q2', 'a2']);
  expect(after.messages[1]?.content).toBe('settled meanwhile');
  expect(after.activeLeafId).toBe(before.activeLeafId);
  expect(after.title).toBe(before.title);
});

test('does not take the user away from where they continued since', () => {
  const { store, deletions, id } = withTree();
  const { deletionId } = store.removeMessage(id, 'a2');
  store.insert({ conversationId: id, messages: [node('new', 'q2')], activeLeafId: 'new' });
  deletions.undo([deletionId]);
  expect(store.get(id)).toMatchObject({ messageCount: 6, activeLeafId: 'new' });
});

const hidden = 'follows one that is still deleted';

test('deletions inside each other are undone in either order', () => {
  const { store, deletions, id } = withTree();
  const shown = () => {
    const { messages, activeLeafId } = store.get(id);
    return [...messages.map((message) => message.id), `shows ${activeLeafId}`];
  };
  const inner = store.removeMessage(id, 'q2').deletionId;
  const outer = store.removeMessage(id, 'a1').deletionId;
  deletions.undo([outer]);
  expect(shown()).toEqual(['q1', 'a1', 'b1', 'shows a1']);
  const again = store.removeMessage(id, 'a1').deletionId;
  expect(() => deletions.undo([inner])).toThrow(hidden);
  expect(shown()).toEqual(['q1', 'b1', 'shows b1']);
  deletions.undo([again]);
  expect(shown()).toEqual(['q1', 'a1', 'b1', 'q2', 'a2', 'shows a2']);
});

test.each(['older first', 'newer first', 'both at once'])(
  'an answer and then its question are deleted and shown again: %s',
  (order) => {
    const { store, deletions, id } = withTree();
    const older = store.removeMessage(id, 'a2').deletionId;
    const newer = store.removeMessage(id, 'q2').deletionId;
    if (order === 'older first') {
      expect(() => deletions.undo([older])).toThrow(hidden);
      deletions.undo([newer]);
    } else if (order === 'newer first') {
      deletions.undo([newer]);
      deletions.undo([older]);
    } else deletions.undo([older, newer]);
    expect(store.get(id)).toMatchObject({ messageCount: 5, activeLeafId: 'a2' });
  },
);

test('brings back a conversation for a minute, and deletes it for good after that', () => {
  const { store, deletions, id, timer, db } = withTree();
  const { deletionId } = store.remove(id);
  expect(() => store.get(id)).toThrow('no longer exists');
  timer.advance(59_000);
  deletions.undo([deletionId]);
  expect(store.get(id).messages).toHaveLength(5);
  const second = store.remove(id).deletionId;
  timer.advance(60_000);
  expect(() => deletions.undo([second])).toThrow('too late');
  expect(db.sql('SELECT 1 FROM messages').get()).toBeUndefined();
});

test('what cannot be deleted with it keeps a conversation from being deleted by half', () => {
  const { db, now, deletions, defects, timer, notices } = openStore();
  let fails = true;
  const store = createConversationStore({
    db,
    now,
    deletions,
    onUndone: () => undefined,
    onFinished() {
      if (fails) throw new Error('no room');
    },
    onMessagesFinished: () => undefined,
  });
  const { deletionId } = store.remove(store.create().id);
  timer.advance(60_000);
  expect(() => deletions.undo([deletionId])).toThrow('too late');
  expect(notices).toMatchObject([{ id: 'deletions-unfinished' }]);
  expect(defects).toMatchObject([{ message: 'no room' }]);
  expect(db.sql('SELECT deletion FROM conversations').all()).toEqual([{ deletion: deletionId }]);
  fails = false;
  deletions.finishOld();
  expect(db.sql('SELECT 1 FROM conversations').all()).toEqual([]);
});

test('what was deleted before a restart is final', () => {
  const home = temporaryFolder();
  const first = openStore(home);
  const { id } = first.store.create();
  const { deletionId } = first.store.remove(id);
  first.close();
  const second = openStore(home);
  second.deletions.finishOld();
  expect(() => second.deletions.undo([deletionId])).toThrow('too late');
  expect(second.db.sql('SELECT 1 FROM conversations').get()).toBeUndefined();
});

test('keeps an answer whose run was deleted from the history', () => {
  const { store, id, ledger } = withTree();
  store.settle('run', [finished(0, 'kept')]);
  ledger.remove('run');
  expect(store.get(id).messages[1]).toMatchObject({ content: 'kept', run: null });
});

test('falls back to the plain text where parts cannot be read', () => {
  const { store, db, id, notices } = withTree();
  db.sql("UPDATE messages SET parts = '{', tool_calls = '7' WHERE id = 'q1'").run();
  expect(store.get(id).messages[0]).toMatchObject({ content: 'text of q1', toolCalls: [] });
  expect(notices).toMatchObject([{ id: 'unreadable-message parts' }]);
});

test('shows an answer that a full disk holds up, and writes it when there is room', () => {
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

for (const fullText of [true, false]) {
  const how = fullText ? 'by the index' : 'without the index';
  const withStore = () => {
    const { db, now, deletions, ...rest } = openStore();
    expect(db.fullText).toBe(true);
    const searched = fullText ? db : { ...db, fullText };
    const store = createConversationStore({
      db: searched,
      now,
      deletions,
      onUndone: () => undefined,
      onFinished: () => undefined,
      onMessagesFinished: () => undefined,
    });
    const add = (text: string) => {
      const { id } = store.create();
      const message = node(crypto.randomUUID(), null, { content: text });
      store.insert({ conversationId: id, messages: [message], activeLeafId: message.id });
      return id;
    };
    return { ...rest, store, add };
  };

  test.each([
    ['a word', 'the quick brown fox', 'quick'],
    ['part of a word', 'a gatehouse', 'teho'],
    ['another case', 'The QUICK fox', 'quick fox'],
    ['signs that searches treat specially', 'say "100%_\\ AND" (now)', '"100%_\\ AND" ('],
    ['two characters', 'an ox', 'ox'],
    ['characters without spaces between words', '城门楼的故事', '门楼'],
  ])(`finds ${'%s'} ${how}`, (_name, text, search) => {
    const { store, add } = withStore();
    const id = add(text);
    add('something else');
    expect(listed(store, search)).toEqual([id]);
  });

  test(`finds titles, answers and changed texts ${how}, and nothing that is gone`, () => {
    const { store, ledger, add } = withStore();
    ledger.createRun(testRun({ id: 'r' }));
    const id = add('question');
    store.update(id, { title: 'Chosen name' });
    const parentId = store.get(id).activeLeafId;
    const reply = answer('reply', parentId ?? '', 'r');
    store.insert({ conversationId: id, messages: [reply], activeLeafId: 'reply' });
    store.settle('r', [finished(0, `${'before '.repeat(50)}needle ${'after '.repeat(50)}`)]);
    expect(store.list({ search: 'chosen', limit: 9 })).toMatchObject([{ id, match: null }]);
    const [found] = store.list({ search: 'needle', limit: 9 });
    expect(found?.match).toMatch(/^…(before )+needle( after)+…$/);
    store.settle('r', [finished(0, 'replaced')]);
    expect(listed(store, 'needle')).toEqual([]);
    store.remove(id);
    expect(listed(store, 'replaced')).toEqual([]);
    expect(listed(store, 'chosen')).toEqual([]);
  });
}

test('indexes at the next start what was written where SQLite has no full-text search', () => {
  const home = temporaryFolder();
  const first = openStore(home);
  const { id } = first.store.create();
  for (const trigger of ['message_added', 'message_changed', 'message_removed']) {
    first.db.sql(`DROP TRIGGER temp.${trigger}`).run();
  }
  first.db.sql("INSERT INTO settings VALUES ('fullTextStale', 'true')").run();
  const message = node('m', null, { content: 'written without an index' });
  first.store.insert({ conversationId: id, messages: [message], activeLeafId: 'm' });
  first.close();
  expect(listed(openStore(home).store, 'without')).toEqual([id]);
});
