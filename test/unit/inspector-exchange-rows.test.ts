import { describe, expect, it } from 'vitest';
import {
  type ExchangeRow,
  getExchangeRows,
  getShownExchange,
} from '../../renderer/features/inspector/exchanges/exchange-rows.ts';
import { appError } from '../../shared/errors.ts';
import type { Exchange } from '../../shared/exchange.ts';

const succeeded: Exchange['ending'] = { status: 'succeeded', error: null };
const failedBy = (kind: 'unreachable' | 'timeout'): Exchange['ending'] => ({
  status: 'failed',
  error: appError(kind, 'It failed.', 'Retry.'),
});

function exchange(number: number, fields: Partial<Exchange> = {}): Exchange {
  return {
    number,
    method: 'GET',
    url: 'https://g.example/v1/video/generations/t-1',
    status: 200,
    taskWord: 'in_progress',
    startedAtMs: 10 * number,
    endedAtMs: 10 * number + 5,
    timings: null,
    ending: succeeded,
    ...fields,
  };
}

const submit = exchange(0, {
  method: 'POST',
  url: 'https://g.example/v1/video/generations',
  taskWord: 'queued',
});
const waiting = { status: null, taskWord: null, endedAtMs: null, ending: null };

/** `0` for an exchange, `1-3` for a fold, `+1` for one below it. */
function numbersIn(rows: ExchangeRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === 'exchange') return `${row.inFold === null ? '' : '+'}${row.exchange.number}`;
    return row.exchanges.map(({ number }) => number).join('-');
  });
}

const closed: ReadonlySet<number> = new Set();

describe('getExchangeRows', () => {
  it('folds similar neighbors into one row that opens', () => {
    const exchanges = [submit, exchange(1), exchange(2), exchange(3), exchange(4, { url: 'x' })];
    expect(numbersIn(getExchangeRows(exchanges, closed))).toEqual(['0', '1-2-3', '4']);
    expect(numbersIn(getExchangeRows(exchanges, new Set([1])))).toEqual([
      '0',
      '1-2-3',
      '+1',
      '+2',
      '+3',
      '4',
    ]);
  });

  it.each<[string, Partial<Exchange>]>([
    ['another status of the task', { taskWord: 'completed' }],
    ['another HTTP status', { status: 503 }],
    ['another method', { method: 'POST' }],
    ['another address', { url: 'https://cdn.example/film.mp4' }],
    ['another end', { ending: failedBy('timeout') }],
  ])('keeps apart what has %s', (_name, difference) => {
    const rows = getExchangeRows([exchange(0), exchange(1, difference), exchange(2)], closed);
    expect(numbersIn(rows)).toEqual(['0', '1', '2']);
  });

  it('separates different failures', () => {
    const failed = (number: number, kind: 'unreachable' | 'timeout') =>
      exchange(number, { status: null, taskWord: null, ending: failedBy(kind) });
    const rows = getExchangeRows(
      [failed(0, 'unreachable'), failed(1, 'unreachable'), failed(2, 'timeout')],
      closed,
    );
    expect(numbersIn(rows)).toEqual(['0-1', '2']);
  });

  it('folds a pending poll with similar ones', () => {
    const exchanges = [submit, exchange(1), exchange(2), exchange(3, waiting)];
    expect(numbersIn(getExchangeRows(exchanges, closed))).toEqual(['0', '1-2-3']);
  });
});

describe('getShownExchange', () => {
  const polled = [submit, exchange(1), exchange(2)];
  const download = exchange(3, { url: 'https://cdn.example/film.mp4', taskWord: null });

  it('returns the chosen exchange', () => {
    expect(getShownExchange(polled, 1, 'failed')?.number).toBe(1);
  });

  it('stays with the submission while polls arrive', () => {
    expect(getShownExchange(polled, null, 'running')?.number).toBe(0);
    expect(getShownExchange([...polled, download], null, 'succeeded')?.number).toBe(0);
    expect(getShownExchange(polled, null, 'cancelled')?.number).toBe(0);
  });

  it.each(['failed', 'unknown', 'interrupted'] as const)(
    'is the last of a run that ended as %s',
    (status) => {
      expect(getShownExchange([...polled, download], null, status)?.number).toBe(3);
    },
  );

  it('returns the newest of a followed task', () => {
    expect(getShownExchange([exchange(0), exchange(1)], null, 'running')?.number).toBe(1);
  });
});
