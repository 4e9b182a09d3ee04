import { expect, it } from 'vitest';
import { endAtShutdown } from '../../electron/runs/ending.ts';
import { appError } from '../../shared/errors.ts';
import { runView } from '../fixtures/run-view.ts';
import { makeTimings } from '../fixtures/timings.ts';

const cancelled = appError('cancelled', 'Stopped.', '');
const timings = makeTimings({ sentAtMs: null, headAtMs: null, endAtMs: 9 });

it.each([
  ['before it was sent', null, 1, timings, 'interrupted', 'before sending this request'],
  ['on its way', null, 1, { ...timings, sentAtMs: 2 }, 'unknown', 'may have been processed'],
  ['on its way, unmeasured', null, 1, null, 'unknown', 'may have been processed'],
  ['before anything', null, null, null, 'interrupted', 'before sending this request'],
  ['during its response', 200, 1, timings, 'interrupted', 'Partial response kept'],
])(
  'describes a run that Gatehouse ends %s',
  (_name, httpStatus, startedAt, measured, status, words) => {
    const view = runView('chat', { httpStatus, startedAt });
    const ending = endAtShutdown(view, {
      status: 'cancelled',
      error: cancelled,
      timings: measured,
    });
    expect(ending).toMatchObject({ status, error: { message: expect.stringContaining(words) } });
  },
);
