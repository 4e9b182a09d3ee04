/** Checks what Undo restores, and what is purged after a minute or at the next start. */
import { expect, test } from 'vitest';
import { createDeletions, type Deletion } from '../../electron/storage/deletions.ts';
import { FLUSH_MS } from '../../electron/storage/event-writer.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import { createRunIndex } from '../../electron/storage/run-index.ts';
import { searchInline } from '../../electron/storage/search/searcher.ts';
import type { ConsoleInput } from '../../shared/operations/console/request.ts';
import type { PresetSettings } from '../../shared/saved-items.ts';
import { openTestStorage } from '../fixtures/data-folder.ts';
import { manualTimer } from '../fixtures/manual-timer.ts';
import { noReply, response, writtenEvents } from '../fixtures/open-ledger.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';

function open() {
  const storage = openTestStorage();
  const timer = manualTimer();
  const defects: unknown[] = [];
  const reportDefect = (cause: unknown) => defects.push(cause);
  const deletions = createDeletions({ db: storage.db, now: Date.now, reportDefect, timer });
  const ledger = createLedger(storage, timer);
  deletions.onPurgeInSteps('runs', ledger.purge);
  const restored: string[] = [];
  const remove = (id: string, more: Partial<Deletion> = {}) =>
    deletions.softDelete({
      hide: (deletedAt) => ledger.hide(id, deletedAt),
      onRestored: () => restored.push(id),
      ...more,
    });
  const listed = () => ledger.list(everyRun).runs.map(({ id }) => id);
  const foundBy = async (search: string) =>
    (await ledger.search({ ...everyRun, search })).runs.map(({ id }) => id);
  ledger.createRun(testRun({ id: 'a' }));
  ledger.createRun(testRun({ id: 'b', createdAt: 1 }));
  return { ...storage, timer, deletions, defects, ledger, restored, remove, listed, foundBy };
}

test('keeps items visible and events pending if the deletion can’t be recorded', () => {
  const opened = open();
  const { db, ledger, remove, listed, timer } = opened;
  const refuse = () => {
    throw new Error('no');
  };
  ledger.append('b', [response]);
  expect(() => remove('a', { hide: refuse })).toThrow('no');
  expect(listed()).toEqual(['a', 'b']);
  expect(() =>
    db.write(() => {
      ledger.update('b', { status: 'failed' });
      refuse();
    }),
  ).toThrow('no');
  timer.advance(FLUSH_MS);
  expect(writtenEvents(opened)).toBe(1);
  expect(ledger.run('b')?.status).toBe('failed');
});

test('hides a run everywhere, restores it, and purges it with its events after a minute', () => {
  const opened = open();
  const { remove, listed, restored, deletions, timer, ledger, db } = opened;
  const { status: _status, ...event } = response;
  ledger.append('a', [{ ...event, kind: 'request', method: 'POST', url: 'http://x', body: null }]);
  ledger.flush();
  const first = remove('a');
  expect([listed(), ledger.run('a'), ledger.lastExchange('a')]).toEqual([['b'], null, null]);
  deletions.undo([first]);
  expect([listed(), restored, ledger.lastExchange('a')]).toEqual([['a', 'b'], ['a'], 0]);
  const second = remove('a');
  timer.advance(60_000);
  expect(() => deletions.undo([second])).toThrow('no longer be undone');
  expect(db.sql('SELECT id FROM runs').all()).toEqual([{ id: 'b' }]);
  expect(writtenEvents(opened)).toBe(0);
});

test('undoes several deletions once each, and reports those that expired', () => {
  const { remove, listed, deletions, timer, restored } = open();
  const [first, second] = [remove('a'), remove('b')];
  deletions.undo([first, second, first]);
  // The page repeats a call if it lost the response.
  deletions.undo([first, second]);
  expect([listed(), restored]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  const late = remove('a');
  timer.advance(30_000);
  const early = remove('b');
  timer.advance(30_000);
  const notes = ['1 of 2 couldn’t be restored. You can undo a deletion for one minute.'];
  for (const _ of [1, 2]) expect(deletions.undo([late, early])).toEqual({ renamed: [], notes });
  expect(listed()).toEqual(['b']);
});

test('restores either all of several deletions or none', () => {
  const { deletions, remove, listed, restored } = open();
  let hasPlace = false;
  const restore = () => {
    if (!hasPlace) throw new Error('no place');
  };
  const both = [remove('a'), remove('b', { restore })];
  expect(() => deletions.undo(both)).toThrow('no place');
  expect([listed(), restored]).toEqual([[], []]);
  hasPlace = true;
  deletions.undo(both);
  expect(listed()).toEqual(['a', 'b']);
});

test('restores everything if a deletion in steps fails', async () => {
  const { deletions, ledger, restored, listed } = open();
  const deletion = deletions.softDeleteSlowly({
    hide: (deletedAt) => ledger.hide('a', deletedAt),
    hideRuns: async (deletedAt) => {
      ledger.hide('b', deletedAt);
      throw new Error('disk full');
    },
    restoreSlowly: async () => void restored.push('slowly'),
    onRestored: () => restored.push('all'),
  });
  expect(listed()).toEqual([]);
  await expect(deletion).rejects.toThrow('disk full');
  expect(listed()).toEqual(['a', 'b']);
  expect(restored).toEqual(['slowly', 'all']);
});

test('indexes a hidden run, so a search finds it after Undo', async () => {
  const { db, remove, foundBy, deletions, timer } = open();
  const index = createRunIndex(db, searchInline(db, timer));
  void index.add('a', { ...noReply, text: 'a needle' });
  const deletionId = remove('a');
  timer.advance(1000);
  expect(await foundBy('needle')).toEqual([]);
  deletions.undo([deletionId]);
  expect(await foundBy('needle')).toEqual(['a']);
});

test('retries a failed purge at the next start, and purges the others', () => {
  const { deletions, remove, defects, notices, timer, db, ledger } = open();
  const mistake = new TypeError('not a function');
  let failing: number | null = null;
  deletions.onPurgeInSteps('runs', (deletedAt) => {
    failing ??= deletedAt;
    const hasMore = ledger.purge(deletedAt);
    if (deletedAt === failing) throw mistake;
    return hasMore;
  });
  const first = remove('a');
  remove('b');
  timer.advance(60_000);
  expect(db.sql('SELECT id FROM runs').all()).toEqual([{ id: 'a' }]);
  expect(defects).toEqual([mistake]);
  expect(notices).toMatchObject([{ id: 'deletions-unfinished' }]);
  expect(() => deletions.undo([first])).toThrow('no longer be undone');
  failing = 0;
  deletions.purgeOld();
  timer.advance(0);
  expect(db.sql('SELECT id FROM runs').all()).toEqual([]);
});

const settings: PresetSettings = { params: {}, extraBody: '' };
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
    start: async () => {
      const { saved, deletions } = await startTestServices();
      const { presets, remove } = saved;
      const save = (name: string) => presets.save({ operation: 'chat', name, settings });
      save('Other');
      presets.save({ operation: 'image', name: 'Exact 2', settings });
      const names = () =>
        presets.list().flatMap((one) => (one.operation === 'chat' ? [one.name] : []));
      return { deletions, save, names, remove };
    },
  },
  {
    kind: 'saved request',
    second: 'Exact 2',
    longest: `${'x'.repeat(78)} 2`,
    start: async () => {
      const { saved, deletions } = await startTestServices();
      const { requests, remove } = saved;
      for (const { id } of requests.list()) remove(id);
      const save = (name: string) => requests.save({ name, request });
      save('Other');
      const names = () => requests.list().map(({ name }) => name);
      return { deletions, save, names, remove };
    },
  },
  {
    kind: 'tool',
    second: 'Exact_2',
    longest: `${'x'.repeat(60)}_2`,
    start: async () => {
      const { saved, deletions } = await startTestServices();
      const { tools, remove } = saved;
      const save = (name: string) => tools.save({ tool: { type: 'function', function: { name } } });
      save('Other');
      const names = () => tools.list().map(({ tool }) => tool.function.name);
      return { deletions, save, names, remove };
    },
  },
])(
  'restores a deleted $kind in place, under a free name if its own is taken',
  async ({ second, longest, start }) => {
    const { deletions, save, names, remove } = await start();
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
