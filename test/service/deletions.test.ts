/** What can be undone, and what becomes final, whatever happens in between. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDeletions } from '../../electron/storage/deletions.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { createRunIndex } from '../../electron/storage/run-index.ts';
import { searchInline } from '../../electron/storage/search/searcher.ts';
import { FLUSH_MS } from '../../electron/storage/write-buffer.ts';
import type { ConsoleInput } from '../../shared/operations/console/input.ts';
import type { PresetSettings } from '../../shared/preset.ts';
import type { RunEvent } from '../../shared/run.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { writtenEvents } from '../fixtures/open-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';

function open(home?: string) {
  const storage = openTestStorage(home);
  const timer = manualTimer();
  const defects: unknown[] = [];
  const deletions = createDeletions({
    db: storage.db,
    now: Date.now,
    reportDefect: (cause) => defects.push(cause),
    timer,
  });
  const ids = (sql: string) => storage.db.sql(sql).all();
  return { ...storage, timer, deletions, defects, ids };
}

function openWithRuns() {
  const opened = open();
  const ledger = createLedger(opened, opened.timer);
  const restored: string[] = [];
  const record = opened.deletions.kind('run', {
    target: z.object({ id: z.string() }),
    restore: (_target, deletionId) => ledger.restore(deletionId),
    onRestored: ({ id }) => restored.push(id),
    finish: (deletionId) => ledger.removeHidden(deletionId),
  });
  const hide = (id: string) =>
    record((deletionId) => {
      ledger.hide(id, deletionId);
      return { id };
    });
  const all = { connectionId: null, operation: null, status: null, before: null, limit: 9 };
  const listed = () => ledger.list(all).runs.map(({ id }) => id);
  const foundBy = async (search: string) =>
    (await ledger.search({ ...all, search })).runs.map(({ id }) => id);
  ledger.createRun(testRun({ id: 'a' }));
  return { ...opened, ledger, hide, listed, foundBy, restored };
}

const sent: RunEvent = {
  kind: 'request',
  seq: 1,
  atMs: 0,
  exchange: 0,
  method: 'POST',
  url: 'http://x',
  headers: [],
  body: null,
};

test('a deletion that cannot be recorded hides nothing', () => {
  const { db, hide, listed } = openWithRuns();
  db.sql(
    "CREATE TRIGGER refuse BEFORE INSERT ON deletions BEGIN SELECT raise(ABORT, 'no'); END",
  ).run();
  expect(() => hide('a')).toThrow('no');
  expect(listed()).toEqual(['a']);
});

test('a deletion that cannot be recorded loses nothing that waits to be written', () => {
  const opened = openWithRuns();
  const { db, hide, ledger, ids, timer } = opened;
  ledger.createRun(testRun({ id: 'b', createdAt: 1 }));
  db.sql(
    "CREATE TRIGGER refuse BEFORE INSERT ON deletions BEGIN SELECT raise(ABORT, 'no'); END",
  ).run();
  ledger.append('b', [sent]);
  expect(() => hide('a')).toThrow('no');
  expect(() =>
    db.write(() => {
      ledger.update('b', { status: 'succeeded' });
      throw new Error('undone');
    }),
  ).toThrow('undone');
  timer.advance(FLUSH_MS);
  expect(writtenEvents(opened)).toBe(1);
  expect(ids("SELECT status FROM runs WHERE id = 'b'")).toEqual([{ status: 'succeeded' }]);
});

test('a deleted run is nowhere, comes back, and is gone with its events when that is final', () => {
  const opened = openWithRuns();
  const { hide, listed, restored, deletions, timer, ledger, ids } = opened;
  ledger.append('a', [sent]);
  ledger.flush();
  const first = hide('a');
  expect([listed(), ledger.run('a'), ledger.models(), ledger.lastExchange('a')]).toEqual([
    [],
    null,
    [],
    null,
  ]);
  deletions.undo([first]);
  expect([listed(), restored]).toEqual([['a'], ['a']]);
  expect(ledger.lastExchange('a')).toBe(0);
  const second = hide('a');
  timer.advance(60_000);
  expect(() => deletions.undo([second])).toThrow('too late');
  expect(ids('SELECT id FROM runs')).toEqual([]);
  expect(writtenEvents(opened)).toBe(0);
});

test('several deletions are undone at once, and again without harm', () => {
  const { hide, listed, deletions, timer, ledger, restored } = openWithRuns();
  ledger.createRun(testRun({ id: 'b', createdAt: 1 }));
  const first = hide('a');
  timer.advance(59_999);
  const second = hide('b');
  deletions.undo([first, second]);
  deletions.undo([first, second]);
  expect([listed(), restored]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  const late = hide('a');
  timer.advance(30_000);
  const early = hide('b');
  timer.advance(30_000);
  const half = {
    renamed: [],
    notes: ['1 of 2 could not be restored. Deleted items are kept for one minute.'],
  };
  expect(deletions.undo([late, early])).toEqual(half);
  // The page repeats a call whose reply was lost.
  expect(deletions.undo([late, early])).toEqual(half);
  expect(listed()).toEqual(['b']);
});

test('a deletion that is named twice is undone once', () => {
  const { hide, listed, deletions, restored } = openWithRuns();
  const id = hide('a');
  deletions.undo([id, id]);
  expect([listed(), restored]).toEqual([['a'], ['a']]);
});

test('several deletions come back together or not at all', () => {
  const { deletions, ids } = open();
  let hasPlace = false;
  const record = deletions.kind('tool', {
    target: z.null(),
    restore: () => {
      if (!hasPlace) throw new Error('no place');
      return true;
    },
    onRestored: () => undefined,
    finish: () => undefined,
  });
  const other = deletions.kind('media', {
    target: z.null(),
    restore: () => true,
    onRestored: () => undefined,
    finish: () => undefined,
  });
  const both = [other(() => null), record(() => null)];
  expect(() => deletions.undo(both)).toThrow('no place');
  expect(ids('SELECT id FROM deletions')).toHaveLength(2);
  hasPlace = true;
  deletions.undo(both);
  expect(ids('SELECT id FROM deletions')).toEqual([]);
});

test('what a run answered is still indexed while its deletion can be undone', async () => {
  const { db, hide, foundBy, deletions, timer } = openWithRuns();
  const index = createRunIndex(db, searchInline(db, timer));
  void index.add('a', { text: 'a needle', sections: [], media: [], warnings: [], facts: [] });
  const deletionId = hide('a');
  timer.advance(1000);
  expect(await foundBy('needle')).toEqual([]);
  deletions.undo([deletionId]);
  expect(await foundBy('needle')).toEqual(['a']);
});

test('it is announced once it is recorded, not before', () => {
  const { db, deletions } = open();
  let seen: unknown;
  const record = deletions.kind('tool', {
    target: z.null(),
    restore: () => true,
    onRestored: () => {
      seen = db.sql('SELECT count(*) AS left FROM deletions').get();
      db.sql('BEGIN').run();
      db.sql('COMMIT').run();
    },
    finish: () => undefined,
  });
  deletions.undo([record(() => null)]);
  expect(seen).toEqual({ left: 0 });
});

test('nothing to restore is said, not passed off as done', () => {
  const { deletions } = open();
  const record = deletions.kind('tool', {
    target: z.null(),
    restore: () => false,
    onRestored: () => expect.unreachable(),
    finish: () => undefined,
  });
  const id = record(() => null);
  expect(() => deletions.undo([id])).toThrow('too late');
});

test('an unreadable row and one that fails keep neither the start nor the others from finishing', () => {
  const { db, deletions, defects, ids, notices } = open();
  const finished: string[] = [];
  let fails = true;
  const insert = (id: string, kind: string, target: string, at: number) =>
    db.sql('INSERT INTO deletions VALUES (?, ?, ?, ?)').run(id, kind, target, at);
  insert('unreadable', 'tool', '{', 1);
  insert('fails', 'media', 'null', 2);
  insert('of a kind that is not known', 'other', 'null', 3);
  insert('our mistake', 'tool', 'null', 3);
  insert('whole', 'tool', 'null', 4);
  const rules = { target: z.null(), restore: () => true, onRestored: () => undefined };
  const mistake = new TypeError('not a function');
  deletions.kind('tool', {
    ...rules,
    finish(id) {
      if (fails && id === 'our mistake') throw mistake;
      finished.push(id);
    },
  });
  deletions.kind('media', {
    ...rules,
    finish() {
      db.sql("UPDATE deletions SET target = 'half'").run();
      if (fails) throw Object.assign(new Error('held open'), { code: 'EBUSY' });
    },
  });
  deletions.finishOld();
  expect(finished).toEqual(['unreadable', 'whole']);
  expect(ids('SELECT id, target FROM deletions ORDER BY id')).toEqual([
    { id: 'fails', target: 'null' },
    { id: 'of a kind that is not known', target: 'null' },
    { id: 'our mistake', target: 'null' },
  ]);
  expect(defects).toEqual([mistake]);
  expect(notices.map(({ id }) => id).toSorted()).toEqual([
    'deletions-unfinished',
    'deletions-unknown',
  ]);
  expect(() => deletions.undo(['fails'])).toThrow('too late');
  fails = false;
  deletions.finishOld();
  expect(ids('SELECT id FROM deletions')).toEqual([{ id: 'of a kind that is not known' }]);
});

test('a start finishes what a damaged target belongs to', async () => {
  const home = temporaryFolder();
  const first = await startTestServices({ home });
  const { id } = first.conversations.create();
  first.conversations.remove(id);
  await first.close();
  const between = openTestStorage(home);
  between.db.sql("UPDATE deletions SET target = '{'").run();
  await between.close();
  await (await startTestServices({ home })).close();
  const { db } = openTestStorage(home);
  expect(db.sql('SELECT 1 FROM conversations').all()).toEqual([]);
  expect(db.sql('SELECT 1 FROM deletions').all()).toEqual([]);
});

const settings: PresetSettings = {
  parameters: {},
  cleared: {},
  typed: {},
  wireNames: {},
  extraBody: '',
};
const request: ConsoleInput = {
  method: 'GET',
  path: '/v1/models',
  headers: '',
  bodyKind: 'json',
  body: '',
  fields: [],
  file: null,
};

test.each([
  {
    kind: 'preset',
    second: 'Exact 2',
    longest: `${'x'.repeat(78)} 2`,
    of: async () => {
      const { presets, deletions } = await startTestServices();
      const save = (name: string) => presets.save({ operation: 'chat', name, settings });
      save('Other');
      presets.save({ operation: 'image', name: 'Exact 2', settings });
      const names = () =>
        presets.list().flatMap((one) => (one.operation === 'chat' ? [one.name] : []));
      return { deletions, save, names, remove: presets.remove };
    },
  },
  {
    kind: 'saved request',
    second: 'Exact 2',
    longest: `${'x'.repeat(78)} 2`,
    of: async () => {
      const { savedRequests, deletions } = await startTestServices();
      for (const { id } of savedRequests.list()) savedRequests.remove(id);
      const save = (name: string) => savedRequests.save({ name, request });
      save('Other');
      const names = () => savedRequests.list().map(({ name }) => name);
      return { deletions, save, names, remove: savedRequests.remove };
    },
  },
  {
    kind: 'tool',
    second: 'Exact_2',
    longest: `${'x'.repeat(60)}_2`,
    of: async () => {
      const { tools, deletions } = await startTestServices();
      const save = (name: string) => tools.save(null, { type: 'function', function: { name } });
      save('Other');
      const names = () => tools.list().map(({ tool }) => tool.function.name);
      return { deletions, save, names, remove: tools.remove };
    },
  },
])(
  'a deleted $kind comes back in its place, or under a free name where its own is taken',
  async ({ second, longest, of }) => {
    const { deletions, save, names, remove } = await of();
    const saved = save('Exact');
    const before = names();
    expect(deletions.undo([remove(saved.id) ?? ''])).toEqual({ renamed: [], notes: [] });
    expect(names()).toEqual(before);
    expect(remove('none')).toBeNull();

    const deletionId = remove(saved.id) ?? '';
    save('Exact');
    expect(deletions.undo([deletionId])).toEqual({
      renamed: [{ from: 'Exact', to: second }],
      notes: [],
    });
    expect(names().toSorted()).toEqual(['Exact', second, 'Other']);

    const long = save('x'.repeat(longest.length));
    const deleted = remove(long.id) ?? '';
    save('x'.repeat(longest.length));
    deletions.undo([deleted]);
    expect(names()).toContain(longest);
  },
);
