import { createRouterClient } from '@orpc/server';
import { expect, test, vi } from 'vitest';
import { createMediaRoutes } from '../../electron/media/routes/media-routes.ts';
import { createRouter } from '../../electron/router.ts';
import { getResponse } from '../../shared/run-view.ts';
import { plan, row, variant } from '../fixtures/comparisons.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { refusingDisk } from '../fixtures/full-disk.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { wav } from '../fixtures/sounds.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import {
  chunk,
  jsonReply,
  lastChunk,
  reply,
  streamHead,
  type WireExchange,
} from '../fixtures/wire-server.ts';

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
      api.saved.presets.save({
        operation: 'chat',
        name: 'Long',
        settings: { params: { user: { value: long } }, extraBody: '' },
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
