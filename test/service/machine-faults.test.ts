/** Simulates a full disk, a read-only folder, a jumping clock and a folder in use. */
import { mkdirSync } from 'node:fs';
import { createRouterClient } from '@orpc/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMediaRoutes } from '../../electron/media/routes/media-routes.ts';
import { createRouter } from '../../electron/router.ts';
import { getResponse } from '../../shared/run-view.ts';
import { plan, row, variant } from '../fixtures/comparisons.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { refusingDisk } from '../fixtures/full-disk.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { wav } from '../fixtures/sounds.ts';
import { completed, film, running, startTaskGateway } from '../fixtures/task-gateway.ts';
import { everyRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { notedPauses, startVideo, videoServices } from '../fixtures/video-run.ts';
import {
  chunk,
  jsonReply,
  lastChunk,
  reply,
  streamHead,
  type WireExchange,
} from '../fixtures/wire-server.ts';
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

const long = 'x'.repeat(20_000);
const notSaved = 'Some results couldn’t be saved.';

test.each([
  ['fill', /: the disk is full\.$/, 'Free some space on the disk that holds the data folder.'],
  ['makeReadOnly', /: the data folder isn’t writable\.$/, 'Make the data folder writable.'],
] as const)(
  'rejects new runs on a faulty disk (%s), sends none of them, and keeps all data',
  async (fault, message, nextStep) => {
    const disk = await refusingDisk();
    const home = temporaryFolder();
    const { exchanges, services, api, lines } = await heldServices(home);
    const { id: conversationId } = await api.conversations.create();
    const { runId } = await start(api, 'Before');
    const stream = await streamBegun(exchanges, 'Before. ');
    await vi.waitUntil(async () => getResponse(await services.engine.view(runId)).text !== '');
    const whole = await start(api, 'At once');
    await vi.waitUntil(() => exchanges.length > 0);
    const [unanswered] = exchanges.splice(0);

    disk[fault]();
    const written = { role: 'user', content: long } as const;
    const send = { conversationId, connectionId, parentId: null, message: written };
    const refused = { data: { kind: 'file', message: expect.stringMatching(message), nextStep } };
    const begun = [
      start(api, long),
      api.conversations.send({ ...send, request: { model: 'm' } }),
      api.comparisons.start(plan([variant('one')], { rows: [row('r', { prompt: long })] })),
      api.presets.save({
        operation: 'chat',
        name: 'Long',
        settings: {
          parameters: { user: long },
          cleared: {},
          typed: {},
          wireNames: {},
          extraBody: '',
        },
      }),
    ];
    for (const { status, reason } of await Promise.allSettled(begun).then((all) =>
      all.map((each) => ({ status: each.status, reason: Reflect.get(each, 'reason') })),
    )) {
      expect([status, reason]).toMatchObject(['rejected', refused]);
    }
    expect(exchanges).toEqual([]);
    expect((await api.conversations.get({ id: conversationId })).messages).toEqual([]);

    await stream.send(word('During. '));
    await finish(stream);
    const view = await untilEnded(services, runId);
    expect([view.status, getResponse(view).text]).toEqual(['succeeded', 'Before. During. ']);
    expect((await api.runs.get({ id: runId })).view.status).toBe('succeeded');
    const answer = JSON.stringify({ choices: [{ index: 0, text: long }] });
    await unanswered?.send(jsonReply(answer));
    expect(getResponse(await untilEnded(services, whole.runId)).text).toBe(long);
    const { notices } = await api.system.info();
    expect(notices).toMatchObject([
      { id: 'ledger-problem', message: expect.stringMatching(message), nextStep },
    ]);

    disk.restore();
    await vi.waitFor(() => expect(services.ledger.listUnfinished()).toEqual([]));
    const after = await start(api, 'After');
    await finish(await streamBegun(exchanges, 'After.'));
    expect((await untilEnded(services, after.runId)).status).toBe('succeeded');
    await services.close();
    expect(lines).not.toContain(notSaved);
    const again = await startTestServices({ home });
    expect(getResponse(await again.engine.view(runId)).text).toBe('Before. During. ');
    expect(getResponse(await again.engine.view(whole.runId)).text).toBe(long);
    expect(getResponse(await again.engine.view(after.runId)).text).toBe('After.');
  },
);

test('logs results that a full disk still rejects when Gatehouse closes', async () => {
  const disk = await refusingDisk();
  const home = temporaryFolder();
  const { exchanges, services, api, lines } = await heldServices(home);
  const { runId } = await start(api, 'At once');
  await vi.waitUntil(() => exchanges.length > 0);
  disk.fill();
  const answer = JSON.stringify({ choices: [{ index: 0, text: long }] });
  const head = { 'Content-Type': 'application/json' };
  await exchanges[0]?.send(reply('200 OK', head, answer));
  expect((await untilEnded(services, runId)).status).toBe('succeeded');
  expect(lines).not.toContain(notSaved);
  await services.close();
  expect(lines).toContain(notSaved);
});

test('continues a recording once a full disk has room again', async () => {
  const disk = await refusingDisk();
  const { services } = await heldServices(temporaryFolder());
  const routes = createMediaRoutes(services.media, services.log);
  const call = async (method: string, url: string, body = new Uint8Array()) => {
    const answer = await routes({ method, url, header: () => null, body: async () => body });
    const { body: said } = answer;
    const json: unknown =
      said instanceof Uint8Array ? JSON.parse(Buffer.from(said).toString()) : null;
    return { status: answer.status, json };
  };
  const bytes = new Uint8Array(wav({ seconds: 1 }));
  const id = (await call('POST', '/media?role=recording&name=a.wav')).json;
  const url = `/media/${Reflect.get(Object(id), 'id')}`;
  expect((await call('PUT', `${url}?offset=0`, bytes.subarray(0, 8000))).status).toBe(204);
  disk.fill();
  const refused = await call('PUT', `${url}?offset=8000`, bytes.subarray(8000));
  expect(refused.json).toMatchObject({
    kind: 'file',
    message: 'The file couldn’t be stored: the disk is full.',
    nextStep: 'Free some space on the disk that holds the data folder.',
  });
  disk.restore();
  expect((await call('PUT', `${url}?offset=8000`, bytes.subarray(8000))).status).toBe(204);
  const finished = await call('POST', `${url}/finish`);
  expect(finished.json).toMatchObject({ complete: true, sizeBytes: bytes.length });
});

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
