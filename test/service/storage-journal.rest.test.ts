/** Covers journals and runs of a size that takes minutes. */
import { appendFileSync, existsSync, truncateSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { encodeEvents } from '../../electron/storage/event-lines.ts';
import { createLedger } from '../../electron/storage/ledger.ts';
import type { RunEvent } from '../../shared/run.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { journalPath } from '../fixtures/journal-files.ts';
import { copyHome } from '../fixtures/open-journals.ts';
import {
  all,
  chunk,
  chunks,
  exchangeEnd,
  noSecrets,
  recoverLedger,
} from '../fixtures/open-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';

const MANY_MS = 600_000;

test('recovers a journal of 2 GB that is mostly a hole, in steps', {
  timeout: MANY_MS,
}, async () => {
  const storage = openTestStorage();
  const ledger = createLedger(storage);
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  ledger.append('a', chunks(1, 3));
  ledger.save('a');
  const home = copyHome(storage.path);
  const path = journalPath(home, 'a');
  truncateSync(path, 2 * 1024 ** 3);
  appendFileSync(path, `\n${encodeEvents([chunk(4)])}\n`);

  const next = createLedger(openTestStorage(home));
  let turns = 0;
  let isDone = false;
  const recovered = next.recoverJournal('a', noSecrets, new AbortController().signal).then(() => {
    isDone = true;
  });
  while (!isDone) {
    turns += 1;
    await breathe();
  }
  await recovered;
  expect(turns).toBeGreaterThan(20);
  expect(next.events('a', all).events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
});

test('opens a run of 500,000 events page by page, while live and after', {
  timeout: MANY_MS,
}, async () => {
  const home = temporaryFolder();
  const ledger = createLedger(openTestStorage(home));
  ledger.createRun(testRun({ id: 'a', status: 'running' }));
  const text = 'x'.repeat(100);
  const COUNT = 500_000;
  for (let seq = 1; seq <= COUNT; seq += 1000) {
    ledger.append(
      'a',
      Array.from({ length: 1000 }, (_, at) => chunk(seq + at, text)),
    );
  }
  const readPages = () => {
    for (const after of [0, 1000, 250_001, 499_990]) {
      const { events } = ledger.events('a', { after, limit: 500, kinds: null });
      expect(events[0]?.seq).toBe(after + 1);
      expect(events).toHaveLength(Math.min(500, COUNT - after));
    }
  };
  readPages();
  ledger.append('a', [exchangeEnd(COUNT + 1)]);
  ledger.save('a');
  await vi.waitFor(() => expect(existsSync(journalPath(home, 'a'))).toBe(false), {
    timeout: MANY_MS,
  });
  const { events, more } = ledger.events('a', { after: COUNT - 1, limit: 5, kinds: null });
  expect([events.map(({ seq }) => seq), more]).toEqual([[COUNT, COUNT + 1], false]);
  expect(ledger.events('a', { after: 250_001, limit: 500, kinds: null }).events[0]?.seq).toBe(
    250_002,
  );
});

test('lists the exchanges of a task with 40,000 polls page by page', {
  timeout: MANY_MS,
}, async () => {
  const home = temporaryFolder();
  const ledger = createLedger(openTestStorage(home));
  ledger.createRun(testRun({ id: 'a', operation: 'video', status: 'running' }));
  const poll = (exchange: number): RunEvent[] => {
    const at = (offset: number) => ({ seq: 3 * exchange + offset, atMs: exchange, exchange });
    return [
      { ...at(1), kind: 'request', method: 'GET', url: 'http://x/', headers: [], body: null },
      { ...at(2), kind: 'response', status: 200, headers: [] },
      { ...exchangeEnd(0, exchange), ...at(3) },
    ];
  };
  // The submission is answered by a stream.
  ledger.append(
    'a',
    [poll(0)[0], chunk(2), poll(0)[2]].flatMap((event) => event ?? []),
  );
  ledger.save('a');
  for (let exchange = 1; exchange < 40_000; exchange += 1) {
    ledger.append('a', poll(exchange));
    if (exchange % 100 === 0) await breathe();
  }
  await vi.waitFor(() => expect(existsSync(journalPath(home, 'a'))).toBe(false), {
    timeout: MANY_MS,
  });
  const page = ledger.exchanges('a', { from: 39_990, limit: 100 });
  expect(page.exchanges.map(({ number }) => number)).toHaveLength(10);
  expect(ledger.exchanges('a', { from: 20_000, limit: 100 }).next).toBe(20_100);
  expect(ledger.lastExchange('a')).toBe(39_999);
});

test('recovers 200 journals one after the other', { timeout: MANY_MS }, async () => {
  const storage = openTestStorage();
  const ledger = createLedger(storage);
  for (let index = 0; index < 200; index += 1) {
    ledger.createRun(testRun({ id: `run-${index}`, status: 'running' }));
    ledger.append(`run-${index}`, chunks(1, 50));
  }
  ledger.flush();
  const home = copyHome(storage.path);
  const next = await recoverLedger(home);
  for (let index = 0; index < 200; index += 1) {
    expect(next.events(`run-${index}`, all).events).toHaveLength(50);
  }
});
