import { expect, test } from 'vitest';
import type { RunEvent } from '../../shared/run.ts';
import { all, chunks, openLedger, removeRun, timings } from '../fixtures/open-ledger.ts';
import { testRun } from '../fixtures/test-run.ts';

function poll(seq: number, exchange: number): RunEvent[] {
  const at = (offset: number) => ({ seq: seq + offset, atMs: 10 * seq + offset, exchange });
  const url = 'http://x/v1/video/generations/t-1';
  return [
    { ...at(1), kind: 'request', method: 'GET', url, headers: [['Accept', '*/*']], body: null },
    { ...at(2), kind: 'response', status: 200, headers: [['Date', 'now']] },
    { ...at(3), kind: 'body', text: '{"status":"queued"}', truncated: false },
    { ...at(4), kind: 'exchange-end', status: 'succeeded', error: null, timings },
    { ...at(5), kind: 'task', taskId: 't-1', status: 'queued', word: 'queued', reply: {} },
  ];
}

test('returns written and waiting exchanges of a run', () => {
  const { ledger } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  ledger.createRun(testRun({ id: 'b' }));
  expect(ledger.exchanges('a', { from: 0, limit: 500 }).exchanges).toEqual([]);
  expect(ledger.lastExchange('a')).toBeNull();
  ledger.append('b', poll(0, 7));
  ledger.append('a', [...poll(0, 0), ...poll(5, 1)]);
  ledger.flush();
  ledger.append('a', poll(10, 2).slice(0, 2));
  expect(ledger.exchanges('a', { from: 0, limit: 500 }).exchanges).toMatchObject([
    { number: 0, startedAtMs: 1, taskWord: 'queued', timings, ending: { status: 'succeeded' } },
    { number: 1, startedAtMs: 51, taskWord: 'queued', timings, ending: { status: 'succeeded' } },
    { number: 2, startedAtMs: 101, status: 200, taskWord: null, timings: null, ending: null },
  ]);
  expect(ledger.exchanges('a', { from: 2, limit: 500 }).exchanges).toMatchObject([{ number: 2 }]);
  expect(ledger.lastExchange('a')).toBe(2);
  ledger.flush();
  expect(ledger.lastExchange('a')).toBe(2);
  removeRun(ledger, 'a');
  expect(ledger.exchanges('a', { from: 0, limit: 500 }).exchanges).toEqual([]);
});

test('returns written and waiting exchanges page by page', () => {
  const { ledger, db } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  const every = [0, 1, 2, 3, 4, 5, 6];
  ledger.append(
    'a',
    every.slice(0, 5).flatMap((exchange) => poll(5 * exchange, exchange)),
  );
  ledger.flush();
  ledger.append(
    'a',
    every.slice(5).flatMap((exchange) => poll(5 * exchange, exchange)),
  );
  const page = (from: number, limit: number) => {
    const { exchanges, next } = ledger.exchanges('a', { from, limit });
    return [exchanges.map(({ number }) => number), next];
  };
  const whole = ledger.exchanges('a', { from: 0, limit: 7 });
  expect(whole).toMatchObject({ exchanges: every.map((number) => ({ number })), next: null });
  expect(page(0, 2)).toEqual([[0, 1], 2]);
  expect(page(2, 3)).toEqual([[2, 3, 4], 5]);
  expect(page(2, 4)).toEqual([[2, 3, 4, 5], 6]);
  expect(page(5, 2)).toEqual([[5, 6], null]);
  expect(page(7, 2)).toEqual([[], null]);
  expect(ledger.exchanges('a', { from: 2, limit: 2 }).exchanges).toEqual(
    whole.exchanges.slice(2, 4),
  );
  // A damaged exchange must not end the paging.
  db.sql("UPDATE events SET body = 'torn' WHERE kind = 'request' AND exchange < 2").run();
  expect(page(0, 2)).toEqual([[], 2]);
});

test('marks an exchange as interrupted if another followed it, on every page', () => {
  const { ledger } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  // These are the rows that remain if the main process dies.
  ledger.append('a', [...poll(0, 0).slice(0, 3), ...poll(5, 1).slice(0, 3)]);
  ledger.flush();
  expect(ledger.exchanges('a', { from: 0, limit: 1 })).toMatchObject({
    exchanges: [{ number: 0, ending: { status: 'interrupted' } }],
    next: 1,
  });
  expect(ledger.exchanges('a', { from: 1, limit: 1 }).exchanges).toMatchObject([{ ending: null }]);
});

test('returns all events of one exchange', () => {
  const { ledger } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  ledger.append('a', [...poll(0, 0), ...chunks(6, 7)]);
  ledger.flush();
  ledger.append('a', poll(7, 1));
  const of = (exchange: number, kinds: RunEvent['kind'][] | null, after = 0) =>
    ledger.events('a', { ...all, after, kinds, exchange }).events;
  expect(of(1, null)).toEqual(poll(7, 1));
  expect(of(1, ['body', 'response'])).toEqual(poll(7, 1).slice(1, 3));
  ledger.flush();
  expect(of(1, ['body', 'response'])).toEqual(poll(7, 1).slice(1, 3));
  expect(of(1, ['body', 'response'], 9)).toEqual(poll(7, 1).slice(2, 3));
  expect(of(0, ['chunk'])).toEqual(chunks(6, 7));
  expect(of(1, ['chunk'])).toEqual([]);
});

test('skips a damaged exchange, with a notice', () => {
  const { ledger, db, notices } = openLedger();
  ledger.createRun(testRun({ id: 'a' }));
  ledger.append('a', [...poll(0, 0), ...poll(5, 1)]);
  ledger.flush();
  db.sql("UPDATE events SET body = 'torn' WHERE seq = 1").run();
  expect(ledger.exchanges('a', { from: 0, limit: 500 }).exchanges).toMatchObject([{ number: 1 }]);
  expect(notices).toMatchObject([{ id: 'unreadable-events' }]);
});
