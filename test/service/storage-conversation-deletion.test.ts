import { expect, test } from 'vitest';
import { createConversationStore } from '../../electron/conversations/store/conversation-store.ts';
import { purgeSomeConversations } from '../../electron/conversations/store/purge-conversations.ts';
import { finished, listed, node, openStore, withTree } from '../fixtures/conversation-store.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { testRun } from '../fixtures/test-run.ts';

test.each([0, 60_000])(
  'doesn’t restore an answer removed during its run, %i ms later',
  async (ms) => {
    const { store, id, timer } = withTree();
    expect((await store.removeMessage(id, 'b1')).runIds).toEqual([]);
    timer.advance(ms);
    store.settle('run', [finished(0, 'first'), finished(1, 'second')]);
    expect(store.get(id).messages.map((message) => message.id)).toEqual(['q1', 'a1', 'q2', 'a2']);
  },
);

test('removes a message and everything after it, and shows the nearest remaining branch', async () => {
  const { store, id, ledger } = withTree();
  ledger.createRun(testRun({ id: 'run-2', status: 'running' }));
  expect((await store.removeMessage(id, 'a1')).runIds).toEqual(['run-2']);
  const left = store.get(id);
  expect(left.messages.map((message) => message.id)).toEqual(['q1', 'b1']);
  expect(left.activeLeafId).toBe('b1');
  expect((await store.removeMessage(id, 'q1')).runIds).toEqual(['run']);
  expect(store.get(id)).toMatchObject({ messageCount: 0, activeLeafId: null });
});

test('keeps the visible branch if another one is removed', async () => {
  const { store, id } = withTree();
  await store.removeMessage(id, 'b1');
  expect(store.get(id).activeLeafId).toBe('a2');
});

test('removes a branch of several thousand messages', async () => {
  const { store, timer } = openStore();
  const { id } = store.create();
  const messages = Array.from({ length: 3000 }, (_, index) =>
    node(`m${index}`, index === 0 ? null : `m${index - 1}`),
  );
  store.insert({ conversationId: id, messages, activeLeafId: 'm2999' });
  expect(store.path('m2999')).toHaveLength(3000);
  await store.removeMessage(id, 'm1');
  expect(store.get(id)).toMatchObject({ messageCount: 1, activeLeafId: 'm0' });
  timer.advance(60_000);
  expect(store.get(id)).toMatchObject({ messageCount: 1, activeLeafId: 'm0' });
});

test('removes a conversation and returns the runs that answer in it', () => {
  const { store, id, ledger } = withTree();
  ledger.createRun(testRun({ id: 'run-2', status: 'succeeded' }));
  expect(store.remove(id).runIds).toEqual(['run']);
  expect(listed(store)).toEqual([]);
  expect(ledger.run('run')).not.toBeNull();
});

test('restores a message, everything after it, and the visible branch', async () => {
  const { store, deletions, id } = withTree();
  const before = store.get(id);
  const { deletionId } = await store.removeMessage(id, 'a1');
  store.settle('run', [finished(0, 'settled meanwhile'), finished(1, 'second')]);
  deletions.undo([deletionId]);
  const after = store.get(id);
  expect(after.messages.map((message) => message.id)).toEqual(['q1', 'a1', 'b1', 'q2', 'a2']);
  expect(after.messages[1]?.content).toBe('settled meanwhile');
  expect(after.activeLeafId).toBe(before.activeLeafId);
  expect(after.title).toBe(before.title);
});

test('on Undo, keeps the branch where the user has continued since', async () => {
  const { store, deletions, id } = withTree();
  const { deletionId } = await store.removeMessage(id, 'a2');
  store.insert({ conversationId: id, messages: [node('new', 'q2')], activeLeafId: 'new' });
  deletions.undo([deletionId]);
  expect(store.get(id)).toMatchObject({ messageCount: 6, activeLeafId: 'new' });
});

const hidden = {
  renamed: [],
  notes: [expect.stringContaining('undo the deletion of the message before it')],
};

test('undoes nested deletions in either order', async () => {
  const { store, deletions, id } = withTree();
  const shown = () => {
    const { messages, activeLeafId } = store.get(id);
    return [...messages.map((message) => message.id), `shows ${activeLeafId}`];
  };
  const inner = (await store.removeMessage(id, 'q2')).deletionId;
  const outer = (await store.removeMessage(id, 'a1')).deletionId;
  deletions.undo([outer]);
  expect(shown()).toEqual(['q1', 'a1', 'b1', 'shows a1']);
  const again = (await store.removeMessage(id, 'a1')).deletionId;
  expect(deletions.undo([inner])).toEqual(hidden);
  expect(shown()).toEqual(['q1', 'b1', 'shows b1']);
  deletions.undo([again]);
  expect(shown()).toEqual(['q1', 'a1', 'b1', 'q2', 'a2', 'shows a2']);
});

test.each(['older first', 'newer first', 'both at once'])(
  'restores an answer and its question, deleted separately: %s',
  async (order) => {
    const { store, deletions, id } = withTree();
    const older = (await store.removeMessage(id, 'a2')).deletionId;
    const newer = (await store.removeMessage(id, 'q2')).deletionId;
    if (order === 'older first') {
      expect(deletions.undo([older])).toEqual(hidden);
      deletions.undo([newer]);
    } else if (order === 'newer first') {
      deletions.undo([newer]);
      deletions.undo([older]);
    } else deletions.undo([older, newer]);
    expect(store.get(id)).toMatchObject({ messageCount: 5, activeLeafId: 'a2' });
  },
);

test('can restore a conversation for a minute, then purges it', () => {
  const { store, deletions, id, timer, db } = withTree();
  const { deletionId } = store.remove(id);
  expect(() => store.get(id)).toThrow('no longer exists');
  timer.advance(59_000);
  deletions.undo([deletionId]);
  expect(store.get(id).messages).toHaveLength(5);
  const second = store.remove(id).deletionId;
  timer.advance(60_000);
  expect(() => deletions.undo([second])).toThrow('no longer be undone');
  expect(db.sql('SELECT 1 FROM messages').get()).toBeUndefined();
});

test('keeps a whole conversation if a part of its purge fails', () => {
  const { db, search, now, deletions, defects, timer, notices } = openStore();
  let fails = true;
  const store = createConversationStore({
    db,
    search,
    now,
    deletions,
    onUndone: () => undefined,
    onPurged() {
      if (fails) throw new Error('no room');
    },
    onMessagesPurged: () => undefined,
  });
  const { deletionId } = store.remove(store.create().id);
  timer.advance(60_000);
  expect(() => deletions.undo([deletionId])).toThrow('no longer be undone');
  expect(notices).toMatchObject([{ id: 'deletions-unfinished' }]);
  expect(defects).toMatchObject([{ message: 'no room' }]);
  expect(db.sql('SELECT deleted_at FROM conversations').get()?.deleted_at).toBe(Number(deletionId));
  fails = false;
  deletions.purgeOld();
  expect(db.sql('SELECT 1 FROM conversations').all()).toEqual([]);
});

function withLongMessages() {
  const opened = openStore();
  const { store } = opened;
  const { id } = store.create();
  const messages = Array.from({ length: 220 }, (_, at) =>
    node(`m${at}`, at === 0 ? null : `m${at - 1}`, {
      content: at < 200 ? 'short' : 'x'.repeat(200_000),
    }),
  );
  store.insert({ conversationId: id, messages, activeLeafId: 'm219' });
  const { deletionId } = store.remove(id);
  const countLeft = () => Number(opened.db.sql('SELECT count(*) AS n FROM messages').get()?.n);
  return { ...opened, id, deletionId, countLeft };
}

test('purges a conversation from its end, fifty short messages or one long one at a time', () => {
  const { db, id, deletionId, countLeft } = withLongMessages();
  const left: number[] = [];
  const purged: string[] = [];
  while (purgeSomeConversations(db, Number(deletionId), (one) => purged.push(one))) {
    left.push(countLeft());
  }
  const long = Array.from({ length: 20 }, (_, at) => 219 - at);
  expect(left).toEqual([...long, 150, 100, 50, 0]);
  expect(purged).toEqual([id]);
});

test('purges all steps after a minute, and the rest at the next start', () => {
  const { timer, deletions, countLeft } = withLongMessages();
  timer.advance(59_999);
  deletions.close();
  timer.advance(60_000);
  expect(countLeft()).toBe(220);
  deletions.purgeOld();
  timer.advance(0);
  expect(countLeft()).toBe(0);
});

test('purges earlier deletions at the next start', async () => {
  const home = temporaryFolder();
  const first = openStore(home);
  const { id } = first.store.create();
  const { deletionId } = first.store.remove(id);
  await first.close();
  const second = openStore(home);
  second.deletions.purgeOld();
  expect(() => second.deletions.undo([deletionId])).toThrow('no longer be undone');
  expect(second.db.sql('SELECT 1 FROM conversations').get()).toBeUndefined();
});
