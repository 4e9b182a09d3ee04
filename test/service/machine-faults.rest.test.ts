/** Simulates a full disk, a read-only folder, a jumping clock and a folder in use. */
import { mkdirSync } from 'node:fs';
import { createRouterClient } from '@orpc/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { getResponse } from '../../shared/run-view.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { completed, film, running, startTaskGateway } from '../fixtures/task-gateway.ts';
import { everyRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { notedPauses, startVideo, videoServices } from '../fixtures/video-run.ts';
import { chunk, lastChunk, streamHead, type WireExchange } from '../fixtures/wire-server.ts';
import { startHost } from '../torture/started-host.ts';

const key = 'sk-test-1234567890';
const connectionId = 'environment';
const completion = { operation: 'completion', connectionId } as const;

/** Starts services whose gateway waits until the test answers. */
async function heldServices(home: string) {
  const lines: string[] = [];
  const exchanges: WireExchange[] = [];
  const server = await serveScript((exchange) => void exchanges.push(exchange));
  const log = (line: string) => void lines.push(line);
  const services = await startTestServices({
    baseUrl: server.url,
    key,
    home,
    log,
    onThreads: true,
  });
  const api = createRouterClient(createRouter(services));
  return { exchanges, services, api, lines };
}

const start = (api: Awaited<ReturnType<typeof heldServices>>['api'], prompt: string) =>
  api.runs.start({ ...completion, request: { model: 'm', prompt, stream: true } });

const word = (text: string) =>
  chunk(`data: ${JSON.stringify({ choices: [{ index: 0, text }] })}\n\n`);

async function streamBegun(exchanges: WireExchange[], text: string): Promise<WireExchange> {
  await vi.waitUntil(() => exchanges.length > 0);
  const exchange = exchanges.shift();
  if (exchange === undefined) throw new Error('Nothing was sent.');
  await exchange.send(streamHead);
  await exchange.send(word(text));
  return exchange;
}

async function finish(exchange: WireExchange): Promise<void> {
  await exchange.send(chunk('data: [DONE]\n\n'));
  await exchange.send(lastChunk);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates a clock that the test can shift, as a user or a time server would. */
function shiftableClock() {
  const { now } = Date;
  let shiftMs = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now.call(Date) + shiftMs);
  onTestFinished(() => void vi.restoreAllMocks());
  return (days: number) => {
    shiftMs = days * DAY_MS;
  };
}

test('ignores a clock that jumps by a day during a stream', async () => {
  const setDays = shiftableClock();
  const home = temporaryFolder();
  const { exchanges, services, api } = await heldServices(home);
  const { runId } = await start(api, 'Prompt');
  const stream = await streamBegun(exchanges, 'Today ');
  for (const [days, text] of [
    [1, 'tomorrow '],
    [-1, 'yesterday '],
    [0, 'and today'],
  ] as const) {
    setDays(days);
    await stream.send(word(text));
    await vi.waitUntil(async () =>
      getResponse(await services.engine.view(runId)).text.endsWith(text),
    );
  }
  setDays(-1);
  await finish(stream);
  const view = await untilEnded(services, runId);
  const text = 'Today tomorrow yesterday and today';
  expect([view.status, getResponse(view).text]).toEqual(['succeeded', text]);
  expect(view.timings?.endAtMs).toBeLessThan(DAY_MS / 24);
  expect((view.finishedAt ?? 0) - view.createdAt).toBeLessThan(DAY_MS / 24);
  const { events } = await api.runs.events({ id: runId, after: 0, limit: 100, kinds: null });
  const times = events.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // The page sorts it above or below runs that started while the clock was wrong.
  expect((await api.runs.list(everyRun)).runs.map(({ id }) => id)).toEqual([runId]);
});

test.each([1, -1])(
  'ignores a clock that jumps by %i day while a task is polled, and across a restart',
  async (days) => {
    const setDays = shiftableClock();
    const home = temporaryFolder();
    let isDone = false;
    const { pauses, polling } = notedPauses();
    const gateway = await startTaskGateway({
      polls: [(exchange) => (isDone ? completed() : running)(exchange)],
    });
    const services = await videoServices(gateway.url, { home, polling });
    const runId = await startVideo(services);
    await vi.waitUntil(() => gateway.polls().length > 2);
    setDays(days);
    const before = gateway.polls().length;
    await vi.waitUntil(() => gateway.polls().length > before + 2);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000);
    await services.close();

    const again = await videoServices(gateway.url, { home });
    const resumed = gateway.polls().length;
    await vi.waitUntil(() => gateway.polls().length > resumed);
    isDone = true;
    const view = await untilEnded(again, runId);
    expect(view).toMatchObject({ status: 'succeeded', media: [{ sizeBytes: film.length }] });
    expect(gateway.submits()).toHaveLength(1);
    const { events } = again.ledger.events(runId, { after: 0, limit: 1000, kinds: null });
    const times = events.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  },
);

test('exits and reports the process ID of another host that uses the folder', async () => {
  const home = temporaryFolder();
  mkdirSync(home, { recursive: true });
  const first = startHost(home, 'http://127.0.0.1:9');
  onTestFinished(() => void first.child.kill('SIGKILL'));
  const { pid } = await first.ready;
  const second = startHost(home, 'http://127.0.0.1:9');
  await expect(second.ready).rejects.toThrow(
    `Another Gatehouse is already using this data folder (in the browser, process ${pid}). ` +
      'Switch to it, close it, or set GATEHOUSE_HOME to another folder.',
  );
  expect(await second.exit).toBe(1);
  // However the first host exits, the folder is free afterwards.
  first.child.kill('SIGKILL');
  await first.exit;
  const third = startHost(home, 'http://127.0.0.1:9');
  onTestFinished(() => void third.child.kill('SIGKILL'));
  await third.ready;
});
