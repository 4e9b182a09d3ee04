/** Covers the deletion of a message that thousands follow, which happens in steps. */
import { expect, test, vi } from 'vitest';
import { node, openStore } from '../fixtures/conversation-store.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';

const COUNT = 1000;
const SHAPES = {
  'one after the other': (at: number) => `m${at - 1}`,
  'side by side': () => 'm0',
};

type Shape = keyof typeof SHAPES;

/** Stores m0, and the other messages after it. */
function withMany(shape: Shape, home?: string) {
  const opened = openStore(home);
  const { store, db } = opened;
  const { id } = store.create();
  const last = `m${COUNT - 1}`;
  const messages = Array.from({ length: COUNT }, (_, at) =>
    node(`m${at}`, at === 0 ? null : SHAPES[shape](at)),
  );
  store.insert({ conversationId: id, messages, activeLeafId: last });
  const countHidden = () =>
    Number(db.sql('SELECT count(*) AS n FROM messages WHERE deleted_at > 0').get()?.n);
  const countAll = () => Number(db.sql('SELECT count(*) AS n FROM messages').get()?.n);
  return { ...opened, id, last, countHidden, countAll };
}

/** Returns the number after each transaction. */
function watch({ db }: ReturnType<typeof withMany>, count: () => number): number[] {
  const seen: number[] = [];
  const write = db.write.bind(db);
  vi.spyOn(db, 'write').mockImplementation((work) => {
    const result = write(work);
    if (!db.isWriting()) seen.push(count());
    return result;
  });
  return seen;
}

const shapes = Object.keys(SHAPES) as Shape[];

test.each(shapes)('hides and restores messages %s, 250 in each transaction', async (shape) => {
  const opened = withMany(shape);
  const { store, deletions, id, last, countHidden } = opened;
  const hidden = watch(opened, countHidden);
  const { deletionId } = await store.removeMessage(id, 'm0');
  expect(hidden).toEqual([250, 500, 750, 1000]);
  expect(store.get(id)).toMatchObject({
    messageCount: 0,
    activeLeafId: null,
    title: 'New conversation',
  });
  hidden.length = 0;
  await deletions.prepareUndo([deletionId]);
  deletions.undo([deletionId]);
  expect(hidden).toEqual([750, 500, 250, 250, 0]);
  expect(store.get(id)).toMatchObject({ messageCount: COUNT, activeLeafId: last });
});

test('hides fewer long messages in each transaction', async () => {
  const { db, store, ...opened } = openStore();
  const { id } = store.create();
  const messages = Array.from({ length: 4 }, (_, at) =>
    node(`m${at}`, at === 0 ? null : 'm0', { content: 'x'.repeat(600_000) }),
  );
  store.insert({ conversationId: id, messages, activeLeafId: 'm3' });
  const write = vi.spyOn(db, 'write');
  await store.removeMessage(id, 'm0');
  expect(store.get(id).messageCount).toBe(0);
  expect(write.mock.calls.length).toBeLessThan(6);
  await opened.close();
});

test.each(shapes)('purges messages %s, fifty in each transaction', async (shape) => {
  const opened = withMany(shape);
  const { store, timer, id, countAll } = opened;
  await store.removeMessage(id, 'm1');
  const left = watch(opened, countAll);
  timer.advance(60_000);
  const [first = 0] = left;
  const isChain = shape === 'one after the other';
  expect(left.at(-1)).toBe(isChain ? 1 : COUNT - 1);
  if (isChain) expect(first).toBe(COUNT - 50);
  expect(Math.max(...left.slice(1).map((count, at) => (left[at] ?? count) - count))).toBeLessThan(
    51,
  );
});

test.each(shapes)('purges all messages %s if a kill interrupts hiding them', async (shape) => {
  const home = temporaryFolder();
  const first = withMany(shape, home);
  first.db.sql('UPDATE messages SET deleted_at = 1 WHERE row <= 250').run();
  await first.close();
  const next = openStore(home);
  next.deletions.purgeOld();
  next.timer.advance(60_000);
  expect(next.db.sql('SELECT id FROM messages').all()).toEqual([]);
  expect(next.notices).toEqual([]);
});

test('hides an answer that is added while others are hidden', async () => {
  const opened = withMany('one after the other');
  const { db, store, id, last, countAll, countHidden } = opened;
  let isAdded = false;
  const write = db.write.bind(db);
  vi.spyOn(db, 'write').mockImplementation((work) => {
    const result = write(work);
    if (!isAdded && !db.isWriting() && countHidden() > 0) {
      isAdded = true;
      store.insert({ conversationId: id, messages: [node('late', last)], activeLeafId: 'late' });
    }
    return result;
  });
  await store.removeMessage(id, 'm0');
  expect([countAll(), countHidden()]).toEqual([COUNT + 1, COUNT + 1]);
  expect(store.get(id).activeLeafId).toBeNull();
});

test('purges what a full disk keeps shown', async () => {
  const opened = withMany('one after the other');
  const { db, store, deletions, timer, id, countAll, countHidden, path } = opened;
  expect(path).not.toBe('');
  const limit = (pages: number) => db.sql(`PRAGMA max_page_count = ${pages}`).all();
  const write = db.write.bind(db);
  vi.spyOn(db, 'write').mockImplementation((work) => {
    if (countHidden() > 0 && !db.isWriting()) limit(1);
    return write(work);
  });
  const { deletionId } = await store.removeMessage(id, 'm0');
  expect(countHidden()).toBeGreaterThan(0);
  vi.mocked(db.write).mockImplementation(write);
  limit(1_000_000);
  expect(deletionId).not.toBe('');
  timer.advance(60_000);
  expect(() => deletions.undo([deletionId])).toThrow('no longer be undone');
  expect(countAll()).toBe(0);
});

test('restores nothing of a message that was purged with an earlier one', async () => {
  const { store, deletions, id, timer } = withMany('one after the other');
  const inner = (await store.removeMessage(id, 'm500')).deletionId;
  timer.advance(30_000);
  await store.removeMessage(id, 'm0');
  timer.advance(29_000);
  await deletions.prepareUndo([inner]);
  timer.advance(31_000);
  expect(() => deletions.undo([inner])).toThrow('no longer in the conversation');
});
