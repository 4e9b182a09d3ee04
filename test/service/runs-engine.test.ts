import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createEngine, type EngineOptions } from '../../electron/runs/engine.ts';
import type { Services } from '../../electron/services.ts';
import { LEDGER_NAME } from '../../electron/storage/file-names.ts';
import { createLedger, type Ledger } from '../../electron/storage/ledger.ts';
import type { StartInput } from '../../shared/contract/runs.ts';
import type { JsonObject } from '../../shared/json.ts';
import { applyPatch } from '../../shared/patch.ts';
import { isFinished } from '../../shared/run.ts';
import { getTotalMs } from '../../shared/run-times.ts';
import { getResponse, type RunView } from '../../shared/run-view.ts';
import { defaultTimeouts } from '../../shared/settings.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { everyRun, testRun } from '../fixtures/test-run.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import {
  always,
  bodyOf,
  chunk,
  jsonReply,
  readWire,
  reply,
  type Script,
  streamHead,
  streaming,
} from '../fixtures/wire-server.ts';

const request: JsonObject = { model: 'm-1', messages: [{ role: 'user', content: 'Hi' }] };

async function serve(script: Script, home?: string) {
  const server = await serveScript(script);
  const services = await startTestServices({
    onThreads: true,
    baseUrl: server.url,
    key: 'sk-test-1234567890',
    ...(home === undefined ? {} : { home }),
  });
  return { server, services };
}

async function start(
  services: Services,
  input: Pick<StartInput, 'operation' | 'request'> = { operation: 'chat', request },
): Promise<string> {
  return services.engine.start({ connectionId: 'environment', extraBody: {}, ...input });
}

const deltaFrame = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

describe('the run engine', () => {
  /** Returns what another process would read. */
  function readDisk(home: string) {
    const file = new DatabaseSync(join(home, LEDGER_NAME), { readOnly: true });
    const [run] = file.prepare('SELECT status FROM runs').all();
    const events = file.prepare('SELECT kind FROM events').all();
    file.close();
    return { status: run?.status, events: events.map(({ kind }) => kind) };
  }

  it('records the request before the gateway sees it', async () => {
    const home = temporaryFolder();
    const recorded: unknown[] = [];
    const { services } = await serve(async ({ send, end }) => {
      recorded.push(readDisk(home));
      await send(jsonReply(readWire('chat.json')));
      end();
    }, home);
    const view = await untilEnded(services, await start(services));
    expect(recorded).toEqual([{ status: 'running', events: ['request'] }]);
    expect(view).toMatchObject({ status: 'succeeded', httpStatus: 200 });
    expect(getResponse(view).text).not.toBe('');
  });

  it('records the end before anyone hears of it', async () => {
    const home = temporaryFolder();
    const server = await serveScript(always(jsonReply(readWire('chat.json'))));
    const recorded: unknown[] = [];
    const services = await startTestServices({
      baseUrl: server.url,
      key: 'sk-test-1234567890',
      home,
      onRun: ({ status }) => isFinished(status) && recorded.push(readDisk(home).status),
    });
    await start(services);
    await expect.poll(() => recorded).toEqual(['succeeded']);
  });

  it('folds recorded events into the watched view', async () => {
    const { services } = await serve(streaming(readWire('chat-stream.sse')));
    const runId = await start(services);
    let watched: RunView | null = null;
    for await (const update of services.engine.watch(runId, null, undefined)) {
      if (update.type === 'snapshot') watched = update.view;
      else if (watched !== null) watched = applyPatch<RunView>(watched, update.patch);
    }
    const folded = await services.engine.view(runId);
    expect(folded.status).toBe('succeeded');
    expect(folded.timings?.deltaCount).toBeGreaterThan(0);
    expect(watched).toEqual(folded);
  });

  it('compares the response with the request once the run has ended', async () => {
    const { services } = await serve(always(jsonReply(readWire('chat.json'))));
    const runId = await start(services, { operation: 'chat', request: { ...request, n: 2 } });
    const { findings } = await untilEnded(services, runId);
    const note = 'Asked for n = 2, got 1.';
    expect(findings).toContainEqual({ name: 'choices', holds: false, note });
    expect(services.ledger.summary(runId)?.findings).toEqual(findings);
  });

  it('redacts a key typed into a request from the record, but sends it', async () => {
    const { server, services } = await serve(always(jsonReply('{}')));
    const key = 'sk-test-1234567890';
    const runId = await services.engine.start({
      connectionId: 'environment',
      operation: 'console',
      request: {
        method: 'POST',
        path: `/v1/keys/${key}`,
        headers: [['Authorization', `Bearer ${key}`]],
        body: JSON.stringify({ check: key }),
      },
      extraBody: {},
    });
    await untilEnded(services, runId);
    const { request, preview } = services.ledger.run(runId) ?? {};
    expect(JSON.stringify({ request, preview })).not.toContain(key);
    expect((await services.ledger.search({ ...everyRun, search: 'check' })).runs).toHaveLength(1);
    expect((await services.ledger.search({ ...everyRun, search: key })).runs).toEqual([]);
    expect(server.requests[0]).toContain(`POST /v1/keys/${key} `);
    expect(server.requests[0]).toContain(`{"check":"${key}"}`);
  });

  it('keeps streamed text when the connection drops', async () => {
    const { services } = await serve(async ({ send, socket }) => {
      await send(streamHead);
      await send(chunk(deltaFrame('Half an ')));
      await send(chunk(deltaFrame('answer')));
      socket.destroy();
    });
    const view = await untilEnded(services, await start(services));
    expect(view).toMatchObject({ status: 'failed', error: { kind: 'stream-cut' } });
    expect(getResponse(view).text).toBe('Half an answer');
  });

  it('reports an unknown outcome if a sent request gets no response, and never resends it', async () => {
    const { server, services } = await serve(({ socket }) => {
      socket.destroy();
    });
    const view = await untilEnded(services, await start(services));
    expect(view).toMatchObject({ status: 'unknown', error: { kind: 'outcome-unknown' } });
    expect(server.requests).toHaveLength(1);
  });

  it('reports an unknown outcome if Gatehouse closes before a response arrives', async () => {
    const home = temporaryFolder();
    const { server, services } = await serve(() => undefined, home);
    const runId = await start(services);
    await expect.poll(() => server.requests.length).toBe(1);
    await services.close();

    const again = await startTestServices({ home });
    const view = await again.engine.view(runId);
    expect(view).toMatchObject({ status: 'unknown', error: { kind: 'interrupted' } });
    expect(server.requests).toHaveLength(1);
  });

  it('counts active runs by operation', async () => {
    const answering = Promise.withResolvers<void>();
    const { services } = await serve(async ({ send }) => {
      await answering.promise;
      await send(jsonReply('{"choices":[]}'));
    });
    const { engine } = services;
    const completion = {
      operation: 'completion',
      request: { model: 'm-1', prompt: 'Hi' },
    } as const;
    const inputs = [undefined, completion, undefined];
    const ids = await Promise.all(inputs.map((input) => start(services, input)));
    expect(engine.activeCounts()).toEqual({ chat: 2, completion: 1 });
    await engine.cancel(ids[0] ?? '');
    await untilEnded(services, ids[0] ?? '');
    expect(engine.activeCounts()).toEqual({ chat: 1, completion: 1 });
    answering.resolve();
    await Promise.all(ids.map((id) => untilEnded(services, id)));
    expect(engine.activeCounts()).toEqual({});
  });

  it('interrupts a run when Gatehouse closes, and keeps its text', async () => {
    const home = temporaryFolder();
    let arrived: () => void = () => undefined;
    const streaming = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { services } = await serve(async ({ send }) => {
      await send(streamHead);
      await send(chunk(deltaFrame('So far')));
      arrived();
    }, home);
    const runId = await start(services);
    await streaming;
    await expect
      .poll(async () => getResponse(await services.engine.view(runId)).text)
      .toBe('So far');
    await services.close();

    const again = await startTestServices({ home });
    const view = await again.engine.view(runId);
    expect(view).toMatchObject({ status: 'interrupted', error: { kind: 'interrupted' } });
    expect(getResponse(view).text).toBe('So far');
  });

  it('deletes an active run once for two windows, and restores it', async () => {
    const { services } = await serve(async ({ send }) => {
      await send(streamHead);
      await send(chunk(deltaFrame('So far')));
    });
    const runId = await start(services);
    await expect
      .poll(async () => getResponse(await services.engine.view(runId)).text)
      .toBe('So far');
    const both = await Promise.all([services.engine.remove(runId), services.engine.remove(runId)]);
    const [deletionId, ...others] = both.filter((id) => id !== null);
    expect(others).toEqual([]);
    expect(services.ledger.run(runId)).toBeNull();
    services.deletions.undo([deletionId ?? '']);
    expect(services.ledger.run(runId)).not.toBeNull();
  });

  it('rejects a request outside the limits before it is recorded or sent', async () => {
    const { server, services } = await serve(() => undefined);
    await expect(
      services.engine.start({
        connectionId: 'environment',
        operation: 'chat',
        request: { ...request, temperature: 2.1, n: 0 },
        extraBody: {},
      }),
    ).rejects.toMatchObject({
      error: {
        kind: 'invalid-request',
        fields: [{ path: ['temperature'] }, { path: ['n'] }],
      },
    });
    expect(server.requests).toEqual([]);
    expect(services.ledger.list(everyRun).runs).toEqual([]);
  });

  it('sends an empty prompt as it is', async () => {
    const { server, services } = await serve(always(jsonReply('{"choices":[{"text":"Once"}]}')));
    const empty = { model: 'm', prompt: '' };
    await untilEnded(services, await start(services, { operation: 'completion', request: empty }));
    expect(bodyOf(server.requests[0])).toEqual(empty);
  });

  it('doesn’t preselect a model that the gateway doesn’t list', async () => {
    const { services } = await serve(async ({ send, end }) => {
      const missing = '{"error": {"message": "The model m-1 does not exist."}}';
      await send(reply('404 Not Found', { 'Content-Type': 'application/json' }, missing));
      end();
    });
    const remember = (model: string) =>
      services.models.remember({ connectionId: 'environment', operation: 'chat', model });
    remember('m-0');
    await untilEnded(services, await start(services));
    const { models, preselected } = await services.models.suggest('environment', 'chat');
    expect(preselected).toBe('m-0');
    expect(models.map(({ id }) => id)).toEqual(['m-0']);
  });
});

describe('recovery after the main process died', () => {
  async function recoveredFrom(record: (ledger: Ledger) => void) {
    const home = temporaryFolder();
    const storage = openTestStorage(home);
    const ledger = createLedger(storage);
    ledger.createRun(testRun({ id: 'run-1' }));
    record(ledger);
    await ledger.close();
    await storage.close();
    const services = await startTestServices({ home });
    return services.engine.view('run-1');
  }

  const sent = {
    kind: 'request' as const,
    seq: 1,
    atMs: 1,
    exchange: 0,
    method: 'POST',
    url: 'http://127.0.0.1:1/v1/chat/completions',
    headers: [],
    body: '{}',
  };

  it('interrupts a run before its request and reports that nothing was sent', async () => {
    const view = await recoveredFrom(() => undefined);
    expect(view).toMatchObject({ status: 'interrupted', error: { kind: 'interrupted' } });
    expect(view.error?.message).toContain('before sending this request');
  });

  it('reports an unknown outcome after the request', async () => {
    const view = await recoveredFrom((ledger) => ledger.append('run-1', [sent]));
    expect(view).toMatchObject({ status: 'unknown', error: { kind: 'interrupted' } });
  });

  it('interrupts a run after the response started, and keeps its text', async () => {
    const view = await recoveredFrom((ledger) =>
      ledger.append('run-1', [
        sent,
        { kind: 'response', seq: 2, atMs: 5, exchange: 0, status: 200, headers: [] },
        {
          kind: 'chunk',
          seq: 3,
          atMs: 9,
          exchange: 0,
          data: JSON.stringify({ choices: [{ index: 0, delta: { content: 'Once' } }] }),
          event: null,
          comment: false,
        },
      ]),
    );
    expect(view).toMatchObject({ status: 'interrupted', seq: 4 });
    expect(getResponse(view).text).toBe('Once');
  });
});

it('sends nothing for a run that waited for the keyring when Gatehouse closed', async () => {
  const { services, server } = await serve(({ end }) => end());
  const { ledger, connections } = services;
  const keyring = Promise.withResolvers<void>();
  const engine = createTestEngine(services, {
    resolve: async (id) => {
      await keyring.promise;
      return connections.resolve(id);
    },
  });
  const input = { connectionId: 'environment', operation: 'chat', request } as const;
  const starting = engine.start(input);
  const closed = engine.close();
  keyring.resolve();
  await expect(starting).rejects.toMatchObject({ error: { kind: 'cancelled' } });
  await closed;
  expect(server.requests).toEqual([]);
  expect(ledger.list(everyRun).runs).toEqual([]);
});

it('counts the time that a run waits to be recorded', async () => {
  const { services } = await serve(({ end }) => end());
  const { ledger } = services;
  let time = 1000;
  const engine = createTestEngine(services, {
    now: () => time,
    clock: () => 0,
    ledger: {
      ...ledger,
      async writeTogether(work) {
        await ledger.writeTogether(work);
        time += 60_000;
      },
    },
  });
  const id = await engine.start({ connectionId: 'environment', operation: 'chat', request });
  for await (const _ of engine.watch(id, null, undefined)) void _;
  const view = await engine.view(id);
  expect(view.createdAt).toBe(1000);
  expect(view.timings?.startedAtMs).toBe(60_000);
  expect(getTotalMs(view)).toBe(0);
});

function createTestEngine(services: Services, more: Partial<EngineOptions>) {
  const { network, media, ledger, changes, connections, deletions, spending } = services;
  return createEngine({
    ledger,
    media,
    network,
    documents: null,
    changes,
    deletions,
    reportDefect: services.reportDefect,
    resolve: connections.resolve,
    getTimeouts: (operation) => defaultTimeouts[operation],
    onChange: () => undefined,
    onEnd: () => undefined,
    estimateCost: () => null,
    spending,
    now: () => Date.now(),
    clock: () => performance.now(),
    ...more,
  });
}
