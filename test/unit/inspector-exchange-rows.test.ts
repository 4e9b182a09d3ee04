import { describe, expect, it } from 'vitest';
import {
  type ExchangeRow,
  getExchangeRows,
  getShownExchange,
} from '../../renderer/features/inspector/exchanges/exchange-rows.ts';
import { appError } from '../../shared/errors.ts';
import type { Exchange } from '../../shared/exchange.ts';
import type { RunStatus } from '../../shared/run.ts';

const succeeded: Exchange['ending'] = { status: 'succeeded', error: null };
const failedBy = (kind: 'unreachable' | 'timeout'): Exchange['ending'] => ({
  status: 'failed',
  error: appError(kind, 'It failed.', 'Retry.'),
});

function exchange(number: number, fields: Partial<Exchange> = {}): Exchange {
  const url = 'https://g.example/v1/video/generations/t-1';
  return {
    number,
    method: 'GET',
    url,
    status: 200,
    taskWord: 'in_progress',
    timings: null,
    startedAtMs: 10 * number,
    endedAtMs: 10 * number + 5,
    ending: succeeded,
    ...fields,
  };
}

const submit = exchange(0, { method: 'POST', url: 'https://g.example/v1', taskWord: 'queued' });
const waiting = { status: null, taskWord: null, endedAtMs: null, ending: null };

/** Formats an exchange as `0`, a fold as `1-3`, and an exchange in a fold as `+1`. */
function numbersIn(rows: ExchangeRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === 'exchange') return `${row.inFold === null ? '' : '+'}${row.exchange.number}`;
    return row.exchanges.map(({ number }) => number).join('-');
  });
}

const closed: ReadonlySet<number> = new Set();

describe('getExchangeRows', () => {
  it('folds similar neighbors into one row that opens, even a pending poll', () => {
    const exchanges = [submit, exchange(1), exchange(2), exchange(3), exchange(4, { url: 'x' })];
    expect(numbersIn(getExchangeRows(exchanges, closed))).toEqual(['0', '1-2-3', '4']);
    const open = ['0', '1-2-3', '+1', '+2', '+3', '4'];
    expect(numbersIn(getExchangeRows(exchanges, new Set([1])))).toEqual(open);
    const pending = [submit, exchange(1), exchange(2), exchange(3, waiting)];
    expect(numbersIn(getExchangeRows(pending, closed))).toEqual(['0', '1-2-3']);
  });

  it.each<[string, Partial<Exchange>]>([
    ['another status of the task', { taskWord: 'completed' }],
    ['another HTTP status', { status: 503 }],
    ['another method', { method: 'POST' }],
    ['another address', { url: 'https://cdn.example/film.mp4' }],
    ['another end', { ending: failedBy('timeout') }],
  ])('separates an exchange with %s', (_name, difference) => {
    const rows = getExchangeRows([exchange(0), exchange(1, difference), exchange(2)], closed);
    expect(numbersIn(rows)).toEqual(['0', '1', '2']);
  });

  it('separates different failures', () => {
    const failed = (number: number, kind: 'unreachable' | 'timeout') =>
      exchange(number, { status: null, taskWord: null, ending: failedBy(kind) });
    const all = [failed(0, 'unreachable'), failed(1, 'unreachable'), failed(2, 'timeout')];
    expect(numbersIn(getExchangeRows(all, closed))).toEqual(['0-1', '2']);
  });
});

describe('getShownExchange', () => {
  const polled = [submit, exchange(1), exchange(2)];
  const all = [...polled, exchange(3, { url: 'https://cdn.example/film.mp4', taskWord: null })];
  const followed = [exchange(0), exchange(1)];

  it.each<[string, Exchange[], number | null, RunStatus, number]>([
    ['the chosen exchange', polled, 1, 'failed', 1],
    ['the submission while polls arrive', polled, null, 'running', 0],
    ['the submission of a completed task', all, null, 'succeeded', 0],
    ['the submission of a stopped task', polled, null, 'cancelled', 0],
    ['the last of a failed run', all, null, 'failed', 3],
    ['the last of an unknown run', all, null, 'unknown', 3],
    ['the last of an interrupted run', all, null, 'interrupted', 3],
    ['the newest of a followed task', followed, null, 'running', 1],
  ])('selects %s', (_name, exchanges, chosen, status, shown) => {
    expect(getShownExchange(exchanges, chosen, status)?.number).toBe(shown);
  });
});
