/** Ledgers of earlier schemas with rows that are not what they should be. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { createLedger } from '../../electron/storage/ledger.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { everyRun, folderWithOldLedger, takeBackTo } from '../fixtures/old-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { makeTimings } from '../fixtures/timings.ts';

const unmeasured = makeTimings({ headAtMs: 5, endAtMs: 9, sentBytes: 9, receivedBytes: 2 });

it('opens with every run where events are damaged', async () => {
  const home = folderWithOldLedger(5);
  const old = new DatabaseSync(join(home, 'ledger.sqlite'));
  old.exec(`UPDATE events SET body = 'x' WHERE kind IN ('media', 'following');
    UPDATE events SET body = '{}' WHERE kind = 'task' AND seq % 2 = 0`);
  const all = old.prepare('SELECT id FROM runs').all();
  old.close();
  const services = await startTestServices({ home });
  expect(services.ledger.list(everyRun).runs).toHaveLength(all.length);
  expect((await services.system.info()).notices.map(({ id }) => id)).not.toContain(
    'ledger-damaged',
  );
});

it('opens with all the others where one request is damaged', () => {
  const home = folderWithOldLedger(5);
  const old = new DatabaseSync(join(home, 'ledger.sqlite'));
  old.exec(`UPDATE runs SET request = '{"task_id":' WHERE preview = 'A known task'`);
  old.close();
  const ledger = createLedger(openTestStorage(home));
  const { runs: listed } = ledger.list({ ...everyRun, operation: 'video' });
  expect(listed).toHaveLength(7);
  const renamed = listed.find(({ preview }) => preview === 'Renamed fields');
  expect(ledger.run(renamed?.id ?? '')?.wireNames).toHaveProperty('fps', 'frame_rate');
});

it('opens where the media of a run are not what they should be', async () => {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  createLedger(storage).createRun(testRun({ id: 'a', status: 'succeeded' }));
  storage.db.sql('UPDATE runs SET media = \'["plain", 7, null]\'').run();
  takeBackTo(10, storage.db);
  await storage.close();
  expect(openTestStorage(home).db.sql('SELECT id FROM runs').all()).toEqual([{ id: 'a' }]);
});

it('says of a run from before that its reply holds no result, in lists too', async () => {
  const home = temporaryFolder();
  const storage = openTestStorage(home);
  const before = createLedger(storage);
  for (const id of ['a', 'b']) {
    before.createRun(testRun({ id, status: 'succeeded', startedAt: 1, finishedAt: 9 }));
    const event = { atMs: 1, exchange: 0 };
    before.append(id, [
      { ...event, kind: 'request', seq: 1, method: 'POST', url: 'x', headers: [], body: '{}' },
      { ...event, kind: 'response', seq: 2, status: 200, headers: [] },
      { ...event, kind: 'body', seq: 3, text: '{"choices":[]}', truncated: false },
      { ...event, kind: 'finish', seq: 4, timings: unmeasured },
    ]);
  }
  await before.close();
  const figures = JSON.stringify({ model: null, usage: null, finishReasons: [] });
  storage.db.sql('UPDATE runs SET indexed = 1, figures = ?').run(figures);
  takeBackTo(12, storage.db);
  await storage.close();
  const { ledger, changes } = await startTestServices({ home });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  // A page that listed them at the start hears of it.
  for await (const change of changes.subscribe(stop.signal)) {
    if (change.topic === 'runs' && change.id === 'b') break;
  }
  const listed = ledger.list(everyRun).runs.map((run) => run.figures?.noResult);
  expect(listed).toEqual(['The response is empty.', 'The response is empty.']);
});
