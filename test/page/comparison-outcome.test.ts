import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../renderer/features/history/history-row.tsx';
import { getColumnStatus, hasFailed } from '../../renderer/run/compare/cell-status.ts';
import type { Cell } from '../../shared/comparison.ts';
import { appError } from '../../shared/errors.ts';
import type { RunStatus } from '../../shared/run.ts';
import { runSummary } from '../fixtures/run-view.ts';

describe('a comparison in History', () => {
  const none = { requests: 6, unsent: 0, running: 0, succeeded: 0, failed: 0, stopped: 0 };

  it.each([
    [{ succeeded: 6 }, 'Succeeded', 'success'],
    [{ failed: 6 }, 'Failed', 'danger'],
    [{ stopped: 6 }, 'Stopped', 'quiet'],
    [{ succeeded: 5, stopped: 1 }, '5 succeeded, 1 stopped', 'quiet'],
    [{ succeeded: 3, failed: 2, stopped: 1 }, '3 succeeded, 2 failed, 1 stopped', 'warning'],
    [{ requests: 2, failed: 1, stopped: 1 }, '1 failed, 1 stopped', 'danger'],
    [{ succeeded: 4 }, '4 succeeded, 2 not sent', 'quiet'],
    [{ succeeded: 1, unsent: 5 }, 'Not finished', 'quiet'],
    [{ failed: 1, running: 1 }, 'Running', 'active'],
  ])('shows %o as “%s”', (counts, label, tone) => {
    expect(describeOutcome({ ...none, ...counts })).toEqual({ label, tone });
  });
});

it('marks a column for failed requests, but not for stopped ones', () => {
  const cells = (...statuses: RunStatus[]): Cell[] =>
    statuses.map((status, place) => ({
      place,
      rowId: 'input',
      variantId: 'a',
      repeat: place,
      messageId: null,
      state: 'sent',
      attempts: 1,
      run: runSummary({ status }),
      problem: null,
    }));
  const stopped = { label: 'Stopped', tone: 'quiet' };
  expect(getColumnStatus(cells('succeeded', 'cancelled'))).toEqual(stopped);
  expect(getColumnStatus(cells('cancelled', 'failed'))?.tone).toBe('danger');
});

describe('Retry failed', () => {
  const problem = appError('not-found', 'Gone', 'Choose another.');
  const sent: Cell = {
    place: 0,
    rowId: 'input',
    variantId: 'a',
    repeat: 0,
    messageId: null,
    state: 'sent',
    attempts: 1,
    run: null,
    problem: null,
  };

  it.each<[string, Partial<Cell>, boolean]>([
    ['failed', { run: runSummary({ status: 'failed' }) }, true],
    ['ended unknown', { run: runSummary({ status: 'unknown' }) }, true],
    ['couldn’t be started', { state: 'dropped', problem }, true],
    ['succeeded', { run: runSummary({ status: 'succeeded' }) }, false],
    ['was stopped', { run: runSummary({ status: 'cancelled' }) }, false],
    ['was stopped before it was sent', { state: 'dropped' }, false],
    ['is held by a cap', { state: 'held', problem }, false],
    ['is waiting', { state: 'waiting', run: runSummary({ status: 'failed' }) }, false],
    ['was deleted', {}, false],
  ])('decides whether to retry a request that %s', (_name, cell, expected) => {
    expect(hasFailed({ ...sent, ...cell })).toBe(expected);
  });
});
