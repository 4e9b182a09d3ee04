import { afterEach, describe, expect, it } from 'vitest';
import { createKeyAccess } from '../../electron/gateway/access.ts';
import { createNetwork } from '../../electron/gateway/network.ts';
import { testKey } from '../../electron/models/key-test.ts';
import { fetchModelList, parseModels, testConnection } from '../../electron/models/model-list.ts';
import { startBench } from '../fixtures/run-operation.ts';
import {
  jsonReply,
  readWire,
  reply,
  startWireServer,
  type WireServer,
} from '../fixtures/wire-server.ts';

const html = { 'Content-Type': 'text/html' };

const access = createKeyAccess('sk-test-key-1234');
const timeouts = { connectSeconds: 5, firstByteSeconds: 5, stallSeconds: 5 };
const network = createNetwork({ environment: {}, systemProxy: null });
let server: WireServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function connectionTo(bytes: Uint8Array) {
  server = await startWireServer(({ send }) => send(bytes));
  return { baseUrl: `${server.url}/v1/`, access, network, timeouts };
}

describe('the model list', () => {
  it('fetches the list with the key, and lists each name once', async () => {
    const models = await fetchModelList(await connectionTo(jsonReply(readWire('models.json'))));
    expect(models).toEqual([
      { id: 'gpt-4o-mini', ownedBy: 'openai', endpointTypes: ['openai'], facts: null },
      { id: 'deepseek-chat', ownedBy: 'deepseek', endpointTypes: null, facts: null },
    ]);
    expect(server?.requests[0]).toMatch(/^GET \/v1\/models HTTP\/1\.1\r\n/);
    expect(server?.requests[0]).toContain('Authorization: Bearer sk-test-key-1234');
  });

  it('follows the gateway’s redirect to the list, in Test too', async () => {
    server = await startWireServer(({ request, send }) =>
      send(
        request.startsWith('GET /v1/models ')
          ? reply('307 Temporary Redirect', { Location: '/v1/models/' }, '')
          : jsonReply('{"data":[{"id":"m"}]}'),
      ),
    );
    const connection = { baseUrl: server.url, access, network, timeouts };
    expect(await fetchModelList(connection)).toMatchObject([{ id: 'm' }]);
    expect(server.requests[1]).toContain('Authorization: Bearer sk-test-key-1234');
    const { test } = await testConnection(connection);
    expect(test).toMatchObject({ ok: true, status: 200, modelCount: 1 });
  });

  it.each([
    ['{"success":false,"message":"No permission"}', 'No permission'],
    ['{"code":1102,"msg":"Token expired"}', 'Token expired'],
  ])('rejects with the reason in %s', async (text, reason) => {
    const failing = fetchModelList(await connectionTo(jsonReply(text)));
    await expect(failing).rejects.toMatchObject({
      error: { message: expect.stringContaining(reason) },
    });
    await server?.close();
    const { test } = await testConnection(await connectionTo(jsonReply(text)));
    expect(test.summary).toContain(reason);
  });

  it('uses the timeout from Settings for each operation, and the Chat timeout for Test', async () => {
    const bench = await startBench(() => undefined);
    const { models, connections, settings } = bench.services;
    const silent = (firstByteSeconds: number) => ({ ...timeouts, firstByteSeconds });
    settings.update({ timeouts: { rerank: silent(0.1), chat: silent(0.2) } });
    const { listProblem } = await models.suggest('environment', 'rerank');
    expect(listProblem).toBe('No response after 0.1 seconds.');
    const { error } = await connections.test('environment');
    expect(error?.message).toBe('No response after 0.2 seconds.');
  });

  it.each([
    ['["a",{"id":"b"}]', ['a', 'b']],
    ['{"models":[{"id":"c","owned_by":7}]}', ['c']],
    ['{"models":[{"name":"models/gemini-pro"}]}', ['gemini-pro']],
    ['[{"id":"a"},{"id":"a"},{"id":"b"}]', ['a', 'b']],
    ['{"models":[{"name":"llama3:latest"},{"name":"models/x"}]}', ['llama3:latest', 'x']],
    ['{"data":[null,{"id":""},{"name":"x"}]}', []],
    ['{"data":[{"id":{"length":{"toString":1}}},{"id":"m"}]}', ['m']],
    ['{"object":"list"}', null],
    ['<html>', null],
  ])('reads the list from %s', (text, ids) => {
    expect(parseModels(text)?.map(({ id }) => id) ?? null).toEqual(ids);
  });
});

describe('a key test', () => {
  it.each<[string, Uint8Array, boolean, string]>([
    ['an answer', jsonReply(readWire('chat.json')), true, 'The key works: m answered.'],
    [
      '401',
      jsonReply(readWire('unauthorized.json'), '401 Unauthorized'),
      false,
      'rejected the key',
    ],
    [
      '402',
      jsonReply('{"error":{"message":"No credits"}}', '402 Payment Required'),
      false,
      'No credits',
    ],
  ])('sends a request for one token and reads %s', async (_name, bytes, ok, summary) => {
    const result = await testKey(await connectionTo(bytes), [], 'm');
    expect(result).toMatchObject({ ok, summary: expect.stringContaining(summary) });
    const [sent = ''] = server?.requests ?? [];
    expect(sent).toMatch(/^POST \/v1\/chat\/completions HTTP/);
    expect(sent).toContain('Authorization: Bearer sk-test-key-1234');
    expect(sent).toContain('"max_tokens":1');
  });

  it('uses the connection’s own path and key header', async () => {
    const endpoint = {
      operation: 'chat' as const,
      format: '',
      path: '/inference/chat/completions',
      taskPath: null,
      keyHeader: { name: 'api-key', scheme: '' },
    };
    await testKey(await connectionTo(jsonReply('{}')), [endpoint], 'm');
    expect(server?.requests[0]).toMatch(/^POST \/inference\/chat\/completions HTTP/);
    expect(server?.requests[0]).toContain('api-key: sk-test-key-1234');
  });
});

describe('a connection test', () => {
  it.each<[string, Uint8Array, boolean, string]>([
    ['a list', jsonReply(readWire('models.json')), true, 'lists 2 models'],
    [
      '404',
      jsonReply(readWire('task-not-exist.json'), '404 Not Found'),
      false,
      'doesn’t list models at http://127.0.0.1',
    ],
    ['501', jsonReply('{}', '501 Not Implemented'), false, '/v1/models. Check the base URL'],
    [
      '401',
      jsonReply(readWire('unauthorized.json'), '401 Unauthorized'),
      false,
      'rejected the key',
    ],
    ['403', jsonReply('{}', '403 Forbidden'), false, 'can’t list'],
    [
      'a web page',
      reply('200 OK', html, readWire('bad-gateway.html')),
      false,
      'returned a web page',
    ],
    ['a 404 page', reply('404 Not Found', html, readWire('bad-gateway.html')), false, 'a web page'],
    ['other JSON', jsonReply('{"hello":1}'), false, 'not with a list of models'],
  ])('describes the response: %s', async (_name, bytes, ok, summary) => {
    const { test } = await testConnection(await connectionTo(bytes));
    expect(test).toMatchObject({ ok, summary: expect.stringContaining(summary) });
    expect(test.url).toBe(`${server?.url}/v1/models`);
  });

  it.each([404, 405, 501])(
    'warns, instead of failing, if the list is missing (%i)',
    async (status) => {
      const { test } = await testConnection(
        await connectionTo(jsonReply('{}', `${status} Status`)),
      );
      expect(test).toMatchObject({ ok: false, status, error: null, modelCount: null });
    },
  );

  it.each([
    ['without a key too', true, 'gpt-4o-mini'],
    ['only with the key', false, null],
  ])('names a model for a key test if the list comes %s', async (_name, isPublic, model) => {
    server = await startWireServer(({ request, send }) =>
      send(
        isPublic || request.includes('sk-test-key-1234')
          ? jsonReply(readWire('models.json'))
          : jsonReply(readWire('unauthorized.json'), '401 Unauthorized'),
      ),
    );
    const { test } = await testConnection({ baseUrl: server.url, access, network, timeouts });
    expect(test.keyModel).toBe(model);
    expect(test.summary.includes('the key isn’t tested yet')).toBe(isPublic);
    expect(server.requests[1]).not.toContain('sk-test-key-1234');
  });

  it('reports when nothing responds', async () => {
    const connection = await connectionTo(jsonReply('{}'));
    await server?.close();
    server = null;
    const { test } = await testConnection(connection);
    expect(test).toMatchObject({ ok: false, status: null, error: { kind: 'unreachable' } });
  });
});
