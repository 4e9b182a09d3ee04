/** Plays public bug reports about paths, names, lists and prices, from test/fixtures/wire/cases. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Services } from '../../electron/services.ts';
import {
  connectionOptionsInputSchema,
  type FormatEndpoint,
} from '../../shared/connection-options.ts';
import type { JsonObject } from '../../shared/json.ts';
import { jsonObjectSchema } from '../../shared/json-schema.ts';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';
import { ratesSchema } from '../../shared/prices.ts';
import { isRunOf, type RunView } from '../../shared/run-view.ts';
import { makePng } from '../fixtures/png.ts';
import { serveScript, testKey, untilEnded } from '../fixtures/run-operation.ts';
import { film } from '../fixtures/task-gateway.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { notedPauses } from '../fixtures/video-run.ts';
import { jsonReply, reply, type WireServer } from '../fixtures/wire-server.ts';

const caseSchema = z.object({
  input: z.object({ operation: operationNameSchema, request: jsonObjectSchema }),
  replies: z.array(
    z.object({
      to: z.string(),
      status: z.number(),
      headers: z.record(z.string(), z.string()),
      body: z.object({ text: z.string() }),
    }),
  ),
});

/** Starts a gateway that answers as in the case, and a connection to it. */
async function play(name: string, endpoints: Partial<FormatEndpoint>[] = []) {
  const file = new URL(`../fixtures/wire/cases/${name}.json`, import.meta.url);
  const { input, replies } = caseSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const server: WireServer = await serveScript(({ request, send }) => {
    const line = lineOf(request);
    const next = replies.find(
      ({ to }) => line === to || line.startsWith(to.split('{id}')[0] ?? to),
    );
    if (next === undefined) return send(jsonReply({}, '404 Not Found'));
    if (line.endsWith('.mp4')) return send(reply('200 OK', next.headers, film));
    const text = next.body.text.replaceAll('$BASE', server.url);
    return send(reply(`${next.status} Status`, next.headers, text));
  });
  const services = await startTestServices({ polling: notedPauses().polling });
  const nothing = { format: '', path: null, taskPath: null, keyHeader: null };
  const options = connectionOptionsInputSchema.parse({
    endpoints: endpoints.map((endpoint) => ({ ...nothing, ...endpoint })),
  });
  const { id } = await services.connections.create({ name: 'Own', baseUrl: server.url, options });
  await services.connections.setKey(id, testKey, 'session');
  return {
    server,
    services,
    connectionId: id,
    lines: () => server.requests.map(lineOf),
    request: input.request,
    send: (operation: OperationName, request: JsonObject) => run(services, id, operation, request),
    run: (more: JsonObject = {}) =>
      run(services, id, input.operation, { ...input.request, ...more }),
  };
}

/** Returns the request line without the HTTP version. */
const lineOf = (request: string) => request.split(' HTTP/', 1)[0] ?? '';

async function run(
  services: Services,
  connectionId: string,
  operation: OperationName,
  request: JsonObject,
): Promise<RunView> {
  const runId = await services.engine.start({ connectionId, operation, request, extraBody: {} });
  return untilEnded(services, runId);
}

const xaiPaths = {
  operation: 'video',
  path: '/v1/videos/generations',
  taskPath: '/v1/videos/{id}',
} as const;

describe('video-xai-path', () => {
  it('makes a video at the paths of the connection', async () => {
    const { run, lines } = await play('video-xai-path', [xaiPaths]);
    expect(await run()).toMatchObject({ status: 'succeeded', media: [{ kind: 'video' }] });
    expect(lines()).toEqual([
      'POST /v1/videos/generations',
      'GET /v1/videos/rq-1',
      'GET /film.mp4',
    ]);
  });

  it('suggests the other format or a path if the usual path is missing', async () => {
    const { run } = await play('video-xai-path');
    const { error } = await run({ format: 'videos' });
    expect(error).toMatchObject({
      kind: 'not-found',
      nextStep: expect.stringMatching(/try the format Video generations, or set the path/),
    });
  });
});

describe('key-header-per-format', () => {
  const keyHeader = { name: 'x-api-key', scheme: '' };

  it('names the missing header and where to set it', async () => {
    const { run } = await play('key-header-per-format');
    expect((await run()).error).toMatchObject({
      message: expect.stringContaining('Field required (header.x-api-key)'),
      nextStep: expect.stringMatching(/^Set x-api-key as key header of this format/),
    });
  });

  it('sends the key in the header of the format, hidden, and elsewhere as before', async () => {
    const endpoint = { operation: 'chat', format: 'messages', keyHeader } as const;
    const { run, send, request, server, services } = await play('key-header-per-format', [
      endpoint,
    ]);
    const messages = await run();
    const { format: _, ...chat } = request;
    await send('chat', chat);
    const [first = '', second = ''] = server.requests;
    expect(first).toContain(`x-api-key: ${testKey}\r\n`);
    expect(first).not.toContain('Authorization');
    expect(second).toContain(`Authorization: Bearer ${testKey}\r\n`);
    expect(second).not.toContain('x-api-key');
    const kinds = ['request' as const];
    const { events } = services.ledger.events(messages.id, { after: 0, limit: 10, kinds });
    expect(JSON.stringify(events)).not.toContain(testKey);
    expect(events[0]).toMatchObject({
      headers: expect.arrayContaining([['x-api-key', '[redacted]']]),
    });
  });

  it('drops the header on a redirect to another origin', async () => {
    const elsewhere = await serveScript(({ send }) => send(reply('200 OK', {}, film)));
    const gateway = await serveScript(({ request, send }) => {
      const url = `${elsewhere.url}/film.mp4`;
      if (request.startsWith('POST')) return send(jsonReply({ task_id: 't-1', status: 'queued' }));
      if (!request.includes('/file')) {
        return send(jsonReply({ task_id: 't-1', status: 'completed', url: '/file' }));
      }
      return send(reply('302 Found', { Location: url }, ''));
    });
    const services = await startTestServices({ polling: notedPauses().polling });
    const options = connectionOptionsInputSchema.parse({
      endpoints: [{ operation: 'video', format: '', path: null, taskPath: null, keyHeader }],
    });
    const input = { name: 'Own', baseUrl: gateway.url, options };
    const { id } = await services.connections.create(input);
    await services.connections.setKey(id, testKey, 'session');
    const view = await run(services, id, 'video', { model: 'v', prompt: 'a gate' });
    expect(view.status).toBe('succeeded');
    expect(gateway.requests).toHaveLength(3);
    for (const request of gateway.requests) expect(request).toContain(`x-api-key: ${testKey}`);
    expect(elsewhere.requests.join()).not.toContain(testKey);
  });
});

it('downloads a video from …/download if the gateway has no …/content', async () => {
  const task = { task_id: 't-1', status: 'completed' };
  const server = await serveScript(({ request, send }) => {
    const line = lineOf(request);
    if (line.endsWith('/download')) {
      return send(reply('200 OK', { 'Content-Type': 'video/mp4' }, film));
    }
    return send(line.endsWith('/content') ? jsonReply({}, '404 Not Found') : jsonReply(task));
  });
  const services = await startTestServices({
    baseUrl: server.url,
    key: testKey,
    polling: notedPauses().polling,
  });
  const view = await run(services, 'environment', 'video', { model: 'v', prompt: 'a gate' });
  expect(view).toMatchObject({ status: 'succeeded', media: [{ kind: 'video' }] });
  expect(server.requests.map(lineOf).slice(-3)).toEqual([
    'GET /v1/video/generations/t-1/content',
    'GET /v1/videos/t-1/content',
    'GET /v1/video/generations/t-1/download',
  ]);
});

it('img-edit-field-name: repeats the field image if the form says so', async () => {
  const { run, server, services } = await play('img-edit-field-name');
  const [first, second] = [await storePng(services, 'a'), await storePng(services, 'b')];
  const parts = [
    { text: 'both in one picture' },
    { inlineData: { mimeType: 'image/png', data: `media:${first}` } },
    { inlineData: { mimeType: 'image/png', data: `media:${second}` } },
  ];
  const contents = [{ role: 'user', parts }];
  const rejected = await run({ contents });
  expect(rejected.error?.message).toContain('Field required (body.image)');
  await run({ contents, image_field: 'image' });
  const names = server.requests.map((request) =>
    [...request.matchAll(/name="(image[^"]*)"/g)].map(([, name]) => name),
  );
  expect(names).toEqual([
    ['image[]', 'image[]'],
    ['image', 'image'],
  ]);
});

async function storePng({ media }: Services, name: string): Promise<string> {
  const writer = media.begin({ name: `${name}.png`, declaredType: 'image/png', role: 'upload' });
  await writer.write(makePng(2, 2, () => [0, 0, 0, 255]));
  return (await writer.finish()).id;
}

it('emb-index-all-zero: takes the vectors in the order of the list, with a note', async () => {
  const { run } = await play('emb-index-all-zero');
  const view = await run();
  expect(view).toMatchObject({ status: 'succeeded', state: { vectorCount: 3, missing: [] } });
  expect(view.state).toMatchObject({
    warnings: ['The indexes repeat or are wrong, so the vectors are in the order of the list.'],
  });
});

it('rerank-rankings-logit: reads the order and the scores', async () => {
  const { run } = await play('rerank-rankings-logit');
  const view = await run();
  const { results } = isRunOf(view, 'rerank') ? view.state : expect.fail(view.operation);
  expect(results.map(({ index, relevanceScore }) => [index, relevanceScore])).toEqual([
    [0, 0.76],
    [2, -1.1],
    [1, -4.2],
  ]);
});

it('usage-cache-write: counts written tokens at their own price', async () => {
  const { run, services, connectionId } = await play('usage-cache-write');
  const rates = ratesSchema.parse({
    inputPerMillionTokens: 3,
    cachedInputPerMillionTokens: 0.3,
    cacheWritePerMillionTokens: 3.75,
    outputPerMillionTokens: 15,
  });
  services.prices.save(null, { connectionId, model: 'm', rates });
  expect((await run()).cost).toBeCloseTo(0.37545, 12);
});

it.each([
  ['ranking', { query: { text: 'q' }, passages: [{ text: 'a' }, { text: 'b' }] }, '/v1/ranking'],
  ['texts', { query: 'q', texts: ['a', 'b'] }, '/rerank'],
])('sends documents in the rerank format %s', async (format, sent, path) => {
  const body =
    format === 'texts'
      ? [
          { index: 1, score: 0.9, text: 'b' },
          { index: 0, score: 0.1 },
        ]
      : {
          rankings: [
            { index: 1, logit: 2 },
            { index: 0, logit: -2 },
          ],
        };
  const server = await serveScript(({ send }) => send(jsonReply(body)));
  const services = await startTestServices({ baseUrl: server.url, key: testKey });
  const request = { model: 'm', format, query: 'q', documents: ['a', 'b'] };
  const view = await run(services, 'environment', 'rerank', request);
  expect(view.state).toMatchObject({ documentCount: 2, results: [{ index: 1 }, { index: 0 }] });
  const [received = ''] = server.requests;
  expect(lineOf(received)).toBe(`POST ${path}`);
  expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n')))).toEqual({ model: 'm', ...sent });
});

it('sends a voice as an object under the name voice.id', async () => {
  const server = await serveScript(({ send }) =>
    send(reply('200 OK', { 'Content-Type': 'audio/mpeg' }, 'ID3')),
  );
  const services = await startTestServices({ baseUrl: server.url, key: testKey });
  const runId = await services.engine.start({
    connectionId: 'environment',
    operation: 'speech',
    request: { model: 'm', input: 'Hi', voice: 'voice_123' },
    extraBody: {},
    wireNames: { voice: 'voice.id' },
  });
  await untilEnded(services, runId);
  const [received = ''] = server.requests;
  expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n')))).toEqual({
    model: 'm',
    input: 'Hi',
    voice: { id: 'voice_123' },
  });
});
