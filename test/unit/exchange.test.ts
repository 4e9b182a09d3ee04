import { describe, expect, it } from 'vitest';
import { type AppError, appError } from '../../shared/errors.ts';
import { getExchanges } from '../../shared/exchange.ts';
import type { RunEvent, RunEventBody, Timings } from '../../shared/run.ts';
import { makeTimings } from '../fixtures/timings.ts';
import { body } from './support/fold-events.ts';

const timingsAt = (startedAtMs: number, endAtMs: number): Timings =>
  makeTimings({
    startedAtMs,
    sentAtMs: startedAtMs + 1,
    headAtMs: startedAtMs + 2,
    endAtMs,
    sentBytes: 3,
    receivedBytes: 40,
  });

/** Reads events that arrive ten milliseconds apart. */
const read = (...bodies: RunEventBody[]) =>
  getExchanges(bodies.map((body, at): RunEvent => ({ ...body, seq: at + 1, atMs: 10 * (at + 1) })));

const request = (exchange: number, method: string, url: string): RunEventBody => ({
  kind: 'request',
  exchange,
  method,
  url,
  headers: [],
  body: null,
});
const response = (exchange: number): RunEventBody => ({
  kind: 'response',
  exchange,
  status: 200,
  headers: [],
});
const task = (exchange: number, word: string): RunEventBody => ({
  kind: 'task',
  exchange,
  taskId: 't-1',
  status: 'unknown',
  word,
  reply: null,
});
const end = (
  exchange: number,
  timings: Timings,
  status: 'succeeded' | 'failed' | 'cancelled' = 'succeeded',
  error: AppError | null = null,
): RunEventBody => ({ kind: 'exchange-end', exchange, status, error, timings });

const submit = 'https://g.example/v1/video/generations';
const poll = `${submit}/t-1`;
const film = 'https://cdn.example/film.mp4';
const cut = appError('stream-cut', 'The connection broke.', 'Retry.');
const stopped = appError('cancelled', 'You stopped this run.', '');
const died = appError('interrupted', 'Gatehouse closed during this run.', '');

describe('getExchanges', () => {
  it('returns the status, timings and ending of each exchange', () => {
    const exchanges = read(
      request(0, 'POST', submit),
      response(0),
      { ...body('{}'), exchange: 0 },
      end(0, timingsAt(9, 35)),
      task(0, 'queued'),
      request(1, 'GET', poll),
      response(1),
      { ...body('{}'), exchange: 1 },
      end(1, timingsAt(59, 80)),
      task(1, 'completed'),
      request(2, 'GET', film),
      response(2),
      end(2, timingsAt(109, 130), 'failed', cut),
    );
    expect(exchanges).toEqual([
      {
        number: 0,
        method: 'POST',
        url: submit,
        status: 200,
        taskWord: 'queued',
        startedAtMs: 10,
        endedAtMs: 35,
        timings: timingsAt(9, 35),
        ending: { status: 'succeeded', error: null },
      },
      expect.objectContaining({ number: 1, taskWord: 'completed', endedAtMs: 80 }),
      expect.objectContaining({
        number: 2,
        url: film,
        taskWord: null,
        ending: { status: 'failed', error: cut },
      }),
    ]);
  });

  it('leaves an exchange open until its end is recorded', () => {
    const open = { endedAtMs: null, timings: null, ending: null };
    expect(read(request(0, 'POST', submit))).toMatchObject([{ status: null, ...open }]);
    expect(read(request(0, 'POST', submit), response(0))).toMatchObject([{ status: 200, ...open }]);
  });

  it('returns no exchange for a followed task before its first poll', () => {
    expect(read(task(0, ''))).toEqual([]);
    const polled = read(task(0, ''), request(0, 'GET', poll));
    expect(polled).toMatchObject([{ number: 0, taskWord: null }]);
  });

  it('marks an exchange as interrupted if the main process died and another followed', () => {
    const [first, next] = read(request(0, 'GET', poll), response(0), request(1, 'GET', poll));
    const ending = { status: 'interrupted', error: null };
    expect(first).toMatchObject({ endedAtMs: null, timings: null, ending });
    expect(next?.ending).toBeNull();
  });

  const stop: Extract<RunEventBody, { kind: 'error' }> = {
    kind: 'error',
    exchange: 0,
    status: 'cancelled',
    error: stopped,
    timings: null,
  };
  const death = { ...stop, status: 'interrupted', error: died } as const;

  it('ends the last exchange like the run if the main process died during it', () => {
    const [last] = read(request(0, 'POST', submit), response(0), death);
    const ending = { status: 'interrupted', error: died };
    expect(last).toMatchObject({ endedAtMs: 30, timings: null, ending });
  });

  it('distinguishes a stop by the user from a shutdown', () => {
    const poller = [request(0, 'GET', poll), end(0, timingsAt(9, 15), 'cancelled', stopped)];
    const endingBefore = (event: RunEventBody) => read(...poller, event)[0]?.ending;
    expect(endingBefore(stop)).toEqual({ status: 'cancelled', error: stopped });
    expect(endingBefore(death)).toEqual({ status: 'interrupted', error: died });
    const ending = { status: 'interrupted', error: null };
    expect(endingBefore(request(1, 'GET', poll))).toEqual(ending);
  });
});
