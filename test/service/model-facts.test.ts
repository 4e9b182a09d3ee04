/** Follows facts that a gateway reports about its models, from the list to a run's cost. */
import { expect, test } from 'vitest';
import type { Services } from '../../electron/services.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { type Rates, ratesSchema } from '../../shared/prices.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { serveScript, untilEnded } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { jsonReply, type Script, type WireServer } from '../fixtures/wire-server.ts';

const completion = {
  choices: [{ index: 0, text: 'gates', finish_reason: 'stop' }],
  usage: { prompt_tokens: 1000, completion_tokens: 1000 },
};

/** Answers the given paths and completions, and everything else with 404. */
function gateway(documents: Record<string, JsonValue | undefined>): Script {
  return ({ request, send }) => {
    const path = request.split(' ')[1] ?? '';
    const document = path === '/v1/completions' ? completion : documents[path];
    return send(
      document === undefined
        ? jsonReply('{}', '404 Not Found')
        : jsonReply(JSON.stringify(document)),
    );
  };
}

const listOf = (...rows: JsonObject[]) => ({ object: 'list', data: rows });
const priced = (id: string, prompt: string, completion: string) => ({
  id,
  context_length: 8192,
  pricing: { prompt, completion },
});

async function start(script: Script, home = temporaryFolder()) {
  const server = await serveScript(script);
  const services = await startTestServices({
    baseUrl: server.url,
    key: 'sk-test-0123456789',
    home,
  });
  return { server, services };
}

const asked = ({ requests }: WireServer) =>
  requests.map((request) => request.split(' ').slice(0, 2).join(' '));

const rates = (input: number, output: number): Rates =>
  ratesSchema.parse({ inputPerMillionTokens: input, outputPerMillionTokens: output });

/** Reads the list and waits for the details. */
async function readList({ models, changes }: Services): Promise<void> {
  const feed = changes.subscribe(undefined);
  await models.suggest('environment', 'completion');
  for await (const { topic } of feed) if (topic === 'models') break;
}

async function run(services: Services, model = 'm'): Promise<number | null> {
  const runId = await services.engine.start({
    connectionId: 'environment',
    operation: 'completion',
    request: { model, prompt: 'Once' },
  });
  return (await untilEnded(services, runId)).cost;
}

const costs = ({ ledger }: Services) =>
  ledger
    .list({ connectionId: null, operation: null, status: null, before: null, limit: 10 })
    .runs.map(({ cost }) => cost);

test('requests facts that LiteLLM’s list lacks, once per refresh', async () => {
  const info = (input: number) => ({
    mode: 'chat',
    max_input_tokens: 128000,
    input_cost_per_token: input / 1e6,
    output_cost_per_token: 1e-5,
    supports_vision: true,
  });
  const { server, services } = await start(
    gateway({
      '/v1/models': listOf({ id: 'm' }, { id: 'balanced' }, { id: 'bare' }),
      '/v1/model/info': {
        data: [
          { model_name: 'm', model_info: info(2) },
          { model_name: 'balanced', model_info: info(2) },
          { model_name: 'balanced', model_info: info(3) },
        ],
      },
    }),
  );
  await readList(services);
  const { models } = await services.models.suggest('environment', 'chat');
  expect(models).toMatchObject([
    {
      id: 'm',
      fits: true,
      facts: { contextTokens: 128000, inputs: ['text', 'image'] },
      price: { rates: { inputPerMillionTokens: 2 }, source: { kind: 'gateway' } },
    },
    { id: 'balanced', facts: { contextTokens: 128000 }, price: null },
    { id: 'bare', facts: null, price: null },
  ]);
  expect(asked(server).sort()).toEqual([
    'GET /v1/audio/voices',
    'GET /v1/model/info',
    'GET /v1/models',
  ]);
  expect(server.requests.every((one) => one.includes('Bearer sk-test-0123456789'))).toBe(true);
});

test.each<[string, JsonObject, string, Record<string, JsonValue>, JsonObject]>([
  [
    'LM Studio',
    { id: 'm', owned_by: 'organization_owner' },
    'GET /api/v0/models',
    { '/api/v0/models': listOf({ id: 'm', type: 'vlm', max_context_length: 4096 }) },
    { contextTokens: 4096, inputs: ['text', 'image'] },
  ],
  [
    'new-api',
    { id: 'm', supported_endpoint_types: ['openai'] },
    'GET /api/pricing',
    {
      '/api/pricing': {
        success: true,
        data: [
          {
            model_name: 'm',
            quota_type: 0,
            model_ratio: 1.5,
            completion_ratio: 5,
            cache_ratio: 0.1,
            create_cache_ratio: 1.25,
            enable_groups: ['default', 'vip'],
          },
        ],
        group_ratio: { default: 1, vip: 0.5 },
      },
    },
    {
      rates: ratesSchema.parse({
        inputPerMillionTokens: 3,
        outputPerMillionTokens: 15,
        cachedInputPerMillionTokens: 0.3,
        cacheWritePerMillionTokens: 3.75,
        hourCacheWritePerMillionTokens: 6,
      }),
    },
  ],
  [
    'llama.cpp',
    { id: 'm', owned_by: 'llamacpp', meta: { n_ctx_train: 131072 } },
    'GET /props',
    { '/props': { default_generation_settings: { n_ctx: 2048 } } },
    { contextTokens: 2048 },
  ],
  [
    'Ollama',
    { id: 'm', owned_by: 'library' },
    'POST /api/show',
    {
      '/api/show': {
        capabilities: ['completion', 'tools'],
        parameters: 'stop "x"\nnum_ctx 16384',
        model_info: { 'llama.context_length': 131072 },
      },
    },
    { contextTokens: 16384, tools: true },
  ],
])('requests facts from the native list of %s', async (_name, row, question, documents, facts) => {
  const { server, services } = await start(gateway({ '/v1/models': listOf(row), ...documents }));
  await readList(services);
  expect(services.models.facts('environment', 'm').facts).toMatchObject(facts);
  expect(asked(server)).toContain(question);
});

test('requests only voices if the list is complete', async () => {
  const { server, services } = await start(
    gateway({
      '/v1/models': listOf(priced('m', '0.000002', '0.000008')),
      '/v1/audio/voices': ['a'],
    }),
  );
  await readList(services);
  expect(asked(server)).toEqual(['GET /v1/models', 'GET /v1/audio/voices']);
  expect(services.models.voices('environment')).toEqual([{ id: 'a', name: null, model: null }]);
});

test.each<[string, Script]>([
  ['refuses', ({ send }) => send(jsonReply('{}', '500 Internal Server Error'))],
  ['hangs up on', ({ socket }) => void socket.destroy()],
  ['never answers', () => undefined],
  ['answers with a page to', ({ send }) => send(jsonReply('<html>'))],
])('keeps the model list if the gateway %s requests for details', async (_name, details) => {
  const list = gateway({ '/v1/models': listOf({ id: 'm' }) });
  const { services } = await start((exchange) =>
    exchange.request.startsWith('GET /v1/models ') ? list(exchange) : details(exchange),
  );
  expect(await services.models.suggest('environment', 'chat')).toMatchObject({
    models: [{ id: 'm', facts: null }],
    listProblem: null,
  });
});

test('keeps facts and voices across a restart until the key changes', async () => {
  const home = temporaryFolder();
  const script = gateway({
    '/v1/models': listOf(priced('m', '0.000002', '0.000008')),
    '/v1/audio/voices': { voices: ['bella'] },
  });
  const first = await start(script, home);
  const { id } = await first.services.connections.create({
    name: 'Mine',
    baseUrl: first.server.url,
  });
  await first.services.models.suggest(id, 'chat');
  await expect.poll(() => first.services.models.voices(id)).toHaveLength(1);
  await first.services.close();
  await first.server.close();

  const services = await startTestServices({ home });
  expect(services.models.facts(id, 'm')).toMatchObject({
    facts: { contextTokens: 8192 },
    price: { rates: rates(2, 8), source: { kind: 'gateway' } },
  });
  expect(services.models.voices(id)).toHaveLength(1);
  // The gateway is down, so the last list is shown, with the reason.
  await expect
    .poll(() => services.models.suggest(id, 'chat'))
    .toMatchObject({ models: [{ id: 'm' }], listProblem: expect.any(String) });
  await services.connections.setKey(id, 'sk-other-0123', 'session');
  expect(services.models.facts(id, 'm')).toEqual({ facts: null, price: null });
});

test('estimates with the gateway’s price, unless the user gives another', async () => {
  const { services } = await start(
    gateway({ '/v1/models': listOf(priced('m', '0.000002', '0.000008')) }),
  );
  await services.models.suggest('environment', 'completion');
  expect(await run(services)).toBeCloseTo(0.01);
  const own = services.prices.save(null, {
    connectionId: 'environment',
    model: 'm',
    rates: rates(1, 1),
  });
  expect(services.models.facts('environment', 'm').price?.source).toEqual({
    kind: 'own',
    id: own.id,
  });
  await expect.poll(() => costs(services)).toEqual([expect.closeTo(0.002)]);
  services.prices.remove(own.id);
  await expect.poll(() => costs(services)).toEqual([expect.closeTo(0.01)]);
});

test('prices earlier runs once the gateway states a price, and keeps their cost if it changes', async () => {
  let row: JsonObject = { id: 'm' };
  const { services } = await start((exchange) => gateway({ '/v1/models': listOf(row) })(exchange));
  const refresh = () => services.connections.test('environment');
  await refresh();
  expect(await run(services)).toBeNull();
  row = priced('m', '0.000001', '0.000001');
  await refresh();
  await expect.poll(() => costs(services)).toEqual([expect.closeTo(0.002)]);
  row = priced('m', '0.000002', '0.000002');
  await refresh();
  expect(await run(services)).toBeCloseTo(0.004);
  expect(costs(services)).toEqual([expect.closeTo(0.004), expect.closeTo(0.002)]);
  row = { id: 'another' };
  await refresh();
  await run(services, 'another');
  expect(costs(services)).toEqual([null, expect.closeTo(0.004), expect.closeTo(0.002)]);
  // The user's own price applies to all runs.
  services.prices.save(null, { connectionId: 'environment', model: 'm', rates: rates(1, 0) });
  const own = expect.closeTo(0.001);
  await expect.poll(() => costs(services)).toEqual([null, own, own]);
});

test('counts the gateway’s price toward the daily cap', async () => {
  const { services } = await start(
    gateway({ '/v1/models': listOf(priced('m', '0.0001', '0.0001')) }),
  );
  await services.models.suggest('environment', 'completion');
  expect(await run(services)).toBeCloseTo(0.2);
  services.settings.update({ dailyCaps: { environment: 0.1 } });
  await expect(run(services)).rejects.toMatchObject({ error: { kind: 'beyond-cap' } });
});

test('uses list prices only if enabled, and prefers the gateway’s', async () => {
  const { services } = await start(
    gateway({ '/v1/models': listOf({ id: 'openai/gpt-4o' }, priced('gpt-4.1', '0', '0.000001')) }),
  );
  await services.models.suggest('environment', 'completion');
  expect(await run(services, 'openai/gpt-4o')).toBeNull();
  services.settings.update({ usesListPrices: true });
  await expect.poll(() => costs(services)).toEqual([expect.closeTo(0.0125)]);
  expect(services.models.facts('environment', 'openai/gpt-4o').price).toEqual({
    rates: { ...rates(2.5, 10), cachedInputPerMillionTokens: 1.25 },
    source: { kind: 'list', date: expect.stringMatching(/^20/) },
  });
  expect(services.models.facts('environment', 'gpt-4.1').price?.source.kind).toBe('gateway');
  services.settings.update({ usesListPrices: false });
  await expect.poll(() => costs(services)).toEqual([null]);
});

test('describes the demo models without pricing their runs', async () => {
  const { services } = await start(gateway({}));
  const { models } = await services.models.suggest('demo', 'chat');
  expect(models.find(({ id }) => id === 'demo-echo')?.facts).toMatchObject({
    inputs: expect.arrayContaining(['image']),
    tools: true,
  });
  expect(services.models.facts('demo', 'demo-echo')).toMatchObject({
    facts: { contextTokens: 131_072 },
    price: null,
  });
});

test('lists prices of used models, or of those that match a search', async () => {
  const { services } = await start(
    gateway({
      '/v1/models': listOf(
        priced('used', '0.000001', '0.000001'),
        priced('other-one', '0.000001', '0.000001'),
        { id: 'gpt-4o' },
      ),
    }),
  );
  await services.models.suggest('environment', 'completion');
  await run(services, 'used');
  const found = (search: string) =>
    services.otherPrices(search).prices.map(({ model, source }) => [model, source.kind]);
  expect(found('')).toEqual([['used', 'gateway']]);
  expect(found('ONE other')).toEqual([['other-one', 'gateway']]);
  expect(found('gpt')).toEqual([]);
  expect(services.otherPrices('')).toMatchObject({ total: 2 });
  services.settings.update({ usesListPrices: true });
  await expect.poll(() => found('gpt')).toEqual([['gpt-4o', 'list']]);
  services.prices.save(null, { connectionId: 'environment', model: 'used', rates: rates(1, 1) });
  expect(found('used')).toEqual([]);
});

test('gives a new model the format of the connection’s last run, unless the list names one', async () => {
  const typed = (id: string, type: string) => ({ id, supported_endpoint_types: [type] });
  const { services } = await start(
    gateway({ '/v1/models': listOf({ id: 'used' }, { id: 'new' }, typed('typed', 'openai')) }),
  );
  const listFormats = async () => {
    const { models } = await services.models.suggest('environment', 'chat');
    return Object.fromEntries(models.map(({ id, format }) => [id, format]));
  };
  expect(await listFormats()).toEqual({ used: '', new: '', typed: '' });
  const chat = { connectionId: 'environment', operation: 'chat', model: 'used' } as const;
  services.models.remember({ ...chat, format: 'messages' });
  expect(await listFormats()).toEqual({ used: 'messages', new: 'messages', typed: '' });
});
