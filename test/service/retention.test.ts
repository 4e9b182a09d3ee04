import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createChanges } from '../../electron/base/changes.ts';
import { createRetention } from '../../electron/clearing/retention.ts';
import { createComparisonStore } from '../../electron/comparisons/comparison-store.ts';
import { createDeletions } from '../../electron/storage/deletions.ts';
import { createSettingsStore } from '../../electron/storage/settings-store.ts';
import { openLedger } from '../fixtures/open-ledger.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = 1_700_000_000_000;

function openRetention() {
  const { db, ledger, timer } = openLedger();
  let time = NOW;
  const now = () => time;
  const changes = createChanges();
  const settings = createSettingsStore(db, changes);
  const reportDefect = (cause: unknown) => {
    throw cause;
  };
  const deletions = createDeletions({ db, now, reportDefect, timer });
  deletions.onPurgeInSteps('runs', ledger.purge);
  deletions.onPurge('comparisons', createComparisonStore(db, now).purge);
  const start = () => {
    const retention = createRetention({
      db,
      settings,
      deletions,
      changes,
      reportDefect,
      now,
      timer,
    });
    onTestFinished(() => retention.close());
    return retention;
  };
  const add = (id: string, days: number, more: Parameters<typeof testRun>[0] | object = {}) =>
    ledger.createRun(
      testRun({ status: 'succeeded', createdAt: time - days * DAY_MS, ...more, id }),
    );
  const listed = () =>
    ledger
      .list(everyRun)
      .runs.map(({ id }) => id)
      .sort();
  const pass = (ms: number) => {
    time += ms;
    timer.advance(ms);
  };
  return { db, settings, start, add, listed, pass, ledger };
}

it('keeps everything by default', async () => {
  const { start, add, listed, pass } = openRetention();
  add('old', 4000);
  const retention = start();
  pass(DAY_MS);
  await retention.idle();
  expect(listed()).toEqual(['old']);
});

it('deletes older runs at once when turned on, and matches the announced count', async () => {
  const { settings, start, add, listed } = openRetention();
  for (const days of [1, 8, 31, 91]) add(`${days} days`, days);
  const retention = start();
  expect(
    [7, 30, 90].map((days) => retention.count(days === 7 ? 7 : days === 30 ? 30 : 90)),
  ).toEqual([...[3, 2, 1]]);
  settings.update({ keepRunsDays: 30 });
  await retention.idle();
  expect(listed()).toEqual(['1 days', '8 days']);
});

it('deletes older runs after each start, and then daily', async () => {
  const { settings, start, add, listed, pass } = openRetention();
  settings.update({ keepRunsDays: 7 });
  add('8 days', 8);
  add('6 days', 6);
  const retention = start();
  expect(listed()).toHaveLength(2);
  pass(10_000);
  await retention.idle();
  expect(listed()).toEqual(['6 days']);
  pass(2 * DAY_MS);
  await retention.idle();
  expect(listed()).toEqual([]);
});

it('keeps runs of conversations, of newer comparisons and in progress', async () => {
  const { db, settings, start, add, listed } = openRetention();
  db.sql(`INSERT INTO conversations (id, title, titled, system_message, created_at, updated_at)
    VALUES ('talk', '', 0, '', 0, 0)`).run();
  const addComparison = (id: string, days: number) =>
    db
      .sql("INSERT INTO comparisons (id, created_at, plan) VALUES (?, ?, '{}')")
      .run(id, NOW - days * DAY_MS);
  addComparison('mixed', 40);
  addComparison('old', 40);
  add('in a conversation', 40, { conversationId: 'talk' });
  add('of a deleted conversation', 40, { conversationId: 'gone' });
  add('running', 40, { status: 'running' });
  add('first of mixed', 40, { comparisonId: 'mixed', cell: 0 });
  add('repeat of mixed', 2, { comparisonId: 'mixed', cell: 1 });
  add('of an old comparison', 40, { comparisonId: 'old', cell: 0 });
  const retention = start();
  expect(retention.count(30)).toBe(2);
  settings.update({ keepRunsDays: 30 });
  await retention.idle();
  expect(listed()).toEqual([
    ...['first of mixed', 'in a conversation', 'repeat of mixed', 'running'],
  ]);
  expect(db.sql('SELECT id FROM comparisons').all()).toEqual([{ id: 'mixed' }]);
});

it('deletes thousands of runs in steps, and then their rows', async () => {
  const { db, settings, start, add, listed, pass } = openRetention();
  for (let index = 0; index < 1700; index += 1) add(`run ${index}`, 40);
  const retention = start();
  settings.update({ keepRunsDays: 7 });
  let turns = 0;
  let isIdle = false;
  void retention.idle().then(() => {
    isIdle = true;
  });
  while (!isIdle) {
    await nextTurn();
    turns += 1;
  }
  expect(turns).toBeGreaterThan(3);
  expect(listed()).toEqual([]);
  for (let step = 0; step < 10; step += 1) pass(1000);
  expect(db.sql('SELECT count(*) AS count FROM runs').get()).toEqual({ count: 0 });
});
