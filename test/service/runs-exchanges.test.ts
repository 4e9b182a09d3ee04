import { describe, expect, it } from 'vitest';
import { withProblem } from '../../electron/operations/run-result.ts';
import { appError } from '../../shared/errors.ts';
import { startBench, testKey } from '../fixtures/run-operation.ts';
import { completed, film, json, running, startTaskGateway } from '../fixtures/task-gateway.ts';
import { makeTimings } from '../fixtures/timings.ts';
import { ended, startVideo, videoServices } from '../fixtures/video-run.ts';
import { chunk, streamHead, streaming } from '../fixtures/wire-server.ts';

const hello = { model: 'm-1', messages: [{ role: 'user', content: 'Hi' }], stream: true };
const frame = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n';

describe('the exchange of a chat run', () => {
  it('records its timings and how it ended', async () => {
    const bench = await startBench(streaming(frame, 'data: [DONE]\n\n'));
    const runId = await bench.start('chat', hello);
    const view = await bench.ended('chat', runId);
    const [exchange, ...more] = bench.services.ledger.exchanges(runId, {
      from: 0,
      limit: 500,
    }).exchanges;
    expect(more).toEqual([]);
    expect(exchange).toMatchObject({
      number: 0,
      method: 'POST',
      url: `${bench.server.url}/v1/chat/completions`,
      status: 200,
      taskWord: null,
      timings: { deltaCount: 1 },
      ending: { status: 'succeeded', error: null },
    });
    expect(exchange?.timings).toEqual(view.timings);
    expect(exchange?.endedAtMs).toBe(view.timings?.endAtMs);
    expect(bench.services.ledger.lastExchange(runId)).toBe(0);
  });

  it('reports a broken connection, with the key redacted', async () => {
    const bench = await startBench(async ({ send, socket }) => {
      await send(streamHead);
      await send(chunk(frame));
      await send(chunk(`data: {"half": "${testKey}`));
      socket.destroy();
    });
    const runId = await bench.start('chat', hello);
    await bench.ended('chat', runId);
    expect(bench.services.ledger.exchanges(runId, { from: 0, limit: 500 }).exchanges).toMatchObject(
      [{ status: 200, ending: { status: 'failed', error: { kind: 'stream-cut' } } }],
    );
    expect(JSON.stringify(bench.events(runId, 'exchange-end'))).not.toContain(testKey);
  });
});

describe('the exchanges of a video run', () => {
  it('records the submit, every poll and the download', async () => {
    const gateway = await startTaskGateway({
      polls: [
        json({ error: { message: 'Busy' } }, '503 Service Unavailable'),
        running,
        completed(),
      ],
    });
    const services = await videoServices(gateway.url);
    const runId = await startVideo(services);
    await ended(services, runId);
    const exchanges = services.ledger.exchanges(runId, { from: 0, limit: 500 }).exchanges;
    expect(
      exchanges.map(({ method, url, status, taskWord, ending }) => [
        method,
        new URL(url).pathname,
        status,
        taskWord,
        ending?.status,
      ]),
    ).toEqual([
      ['POST', '/v1/video/generations', 200, 'queued', 'succeeded'],
      ['GET', '/v1/video/generations/t-1', 503, null, 'failed'],
      ['GET', '/v1/video/generations/t-1', 200, 'in_progress', 'succeeded'],
      ['GET', '/v1/video/generations/t-1', 200, 'completed', 'succeeded'],
      ['GET', '/files/film.mp4', 200, null, 'succeeded'],
    ]);
    expect(exchanges.at(-1)?.timings?.receivedBytes).toBe(film.length);
    expect(services.ledger.exchanges(runId, { from: 3, limit: 500 }).exchanges).toEqual(
      exchanges.slice(3),
    );
    expect(services.ledger.lastExchange(runId)).toBe(4);
  });
});

it.each([
  [false, { status: 'failed', error: { kind: 'file' } }],
  [true, { status: 'cancelled', error: { kind: 'cancelled' } }],
])('reports a storage problem unless the user stopped the run: %s', (isStopped, expected) => {
  const full = appError('file', 'The disk is full.', 'Free some space.');
  const stop = new AbortController();
  if (isStopped) stop.abort();
  const outcome = { status: 'succeeded', timings: makeTimings() } as const;
  expect(withProblem(outcome, full, stop.signal)).toMatchObject(expected);
});
