import { createRouterClient } from '@orpc/server';
import { expect, onTestFinished, test } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { Services } from '../../electron/services.ts';
import { openStorage } from '../../electron/storage/database.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Rates } from '../../shared/prices.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const rates: Rates = {
  inputPerMillionTokens: 2,
  cachedInputPerMillionTokens: null,
  cacheWritePerMillionTokens: null,
  hourCacheWritePerMillionTokens: null,
  outputPerMillionTokens: 8,
  perImage: null,
  perVideoSecond: null,
  perMillionCharacters: null,
  perSoundMinute: null,
};
const noRates: Rates = { ...rates, inputPerMillionTokens: null, outputPerMillionTokens: null };

const clientOf = (services: Services) => createRouterClient(createRouter(services));
type Client = ReturnType<typeof clientOf>;

const filter = { connectionId: null, operation: null, status: null } as const;

async function finished(
  client: Client,
  operation: OperationName,
  request: object,
): Promise<string> {
  const { runId } = await client.runs.start({
    connectionId: 'demo',
    operation,
    request: JSON.parse(JSON.stringify(request)),
    extraBody: {},
    wireNames: {},
    follow: null,
  });
  await expect
    .poll(async () => (await client.runs.get({ id: runId })).view.status)
    .toBe('succeeded');
  return runId;
}

/** Runs speech of 10 characters. */
const speak = (client: Client) =>
  finished(client, 'speech', { model: 'demo-speech', input: 'Blue river', voice: 'alloy' });

const costOf = async (client: Client, id: string) =>
  (await client.runs.list({ ...filter, before: null, limit: 200 })).runs.find(
    (run) => run.id === id,
  )?.cost;

test('sends the cost to watchers at the end of a run', async () => {
  const services = await startTestServices();
  const client = clientOf(services);
  await client.prices.save({
    id: null,
    connectionId: 'demo',
    model: 'demo-speech',
    rates: { ...noRates, perMillionCharacters: 15 },
  });
  const request = { model: 'demo-speech', input: 'Blue river', voice: 'alloy' };
  const input = { request, extraBody: {}, wireNames: {}, follow: null };
  const { runId } = await client.runs.start({
    connectionId: 'demo',
    operation: 'speech',
    ...input,
  });
  const updates: unknown[] = [];
  for await (const update of await client.runs.watch({ id: runId, after: null })) {
    updates.push(update);
  }
  expect(updates.at(-1)).toMatchObject({
    type: 'update',
    patch: expect.arrayContaining([{ op: 'set', path: ['cost'], value: expect.closeTo(0.00015) }]),
  });
});

test('finishes repricing at the next start', async () => {
  const home = temporaryFolder();
  const before = await startTestServices({ home });
  const id = await speak(clientOf(before));
  before.prices.save(null, {
    connectionId: 'demo',
    model: 'demo-speech',
    rates: { ...noRates, perMillionCharacters: 10 },
  });
  await before.close();
  const client = clientOf(await startTestServices({ home }));
  await expect.poll(() => costOf(client, id)).toBeGreaterThan(0);
});

test('keeps one price per connection and model', async () => {
  const client = clientOf(await startTestServices());
  const save = (model: string, id: string | null = null, perImage = 1) =>
    client.prices.save({ id, connectionId: 'demo', model, rates: { ...noRates, perImage } });
  const first = await save(' one ');
  expect(first.model).toBe('one');
  expect(await save('one', null, 2)).toEqual({ ...first, rates: { ...noRates, perImage: 2 } });
  const other = await save('other');
  await expect(save('one', other.id)).rejects.toMatchObject({
    data: { kind: 'invalid-request', fields: [{ path: ['model'] }] },
  });
  expect(await client.prices.list()).toHaveLength(2);
  expect(await client.prices.remove({ id: 'none' })).toEqual({ deletionId: null });

  const { deletionId } = await client.prices.remove({ id: first.id });
  await save('one');
  await expect(client.deletions.undo({ ids: [deletionId ?? ''] })).rejects.toMatchObject({
    data: { message: 'The price for one has changed.' },
  });
});

test('exports and imports prices by connection names', async () => {
  const client = clientOf(await startTestServices());
  await client.prices.save({ id: null, connectionId: 'demo', model: 'a', rates });
  await client.prices.save({ id: null, connectionId: 'demo', model: 'b', rates });
  const table = await client.prices.export();
  expect(table.prices).toEqual([
    { connection: 'Demo', model: 'a', ...rates },
    { connection: 'Demo', model: 'b', ...rates },
  ]);

  const second = clientOf(await startTestServices());
  await second.prices.save({
    id: null,
    connectionId: 'demo',
    model: 'b',
    rates: { ...noRates, perImage: 9 },
  });
  await second.prices.save({ id: null, connectionId: 'demo', model: 'c', rates });
  expect(await second.prices.import({ text: JSON.stringify(table) })).toEqual({ count: 2 });
  const models = (await second.prices.list()).map((price) => [price.model, price.rates]);
  expect(models).toEqual([
    ['a', rates],
    ['b', rates],
    ['c', rates],
  ]);
});

test.each([
  ['not JSON', 'This file isn’t a Gatehouse price table.'],
  ['{"prices": 4}', 'This file isn’t a Gatehouse price table.'],
  [
    '[{"connection": "Demo", "model": "x", "perImage": 1}, {"connection": "Demo", "model": "y", "perImage": "free"}]',
    'Row 2: perImage: Enter a number.',
  ],
  ['[{"connection": "Demo", "model": "x"}]', 'Row 1: Enter at least one price.'],
  [
    '[{"connection": "Elsewhere", "model": "x", "perImage": 1}]',
    'Row 1: There is no connection named “Elsewhere”.',
  ],
  ['["x"]', 'Row 1: Enter an object with a connection, a model and prices.'],
  [
    '[{"connection": "Demo", "model": "x", "perPixel": 1}]',
    'Row 1: Unknown price field “perPixel”.',
  ],
  [
    '[{"connection": "Demo", "model": "x", "perImage": 1}, {"connection": "Demo", "model": "x", "perImage": 2}]',
    'Row 2: x already has a price in row 1.',
  ],
])('rejects an import of %s', async (text, message) => {
  const client = clientOf(await startTestServices());
  await expect(client.prices.import({ text })).rejects.toMatchObject({ data: { message } });
  expect(await client.prices.list()).toEqual([]);
});

test('rejects an import whose connection name is ambiguous', async () => {
  const client = clientOf(await startTestServices());
  await client.connections.create({ name: 'Demo', baseUrl: 'http://127.0.0.1:9' });
  const text = '[{"connection": "Demo", "model": "x", "perImage": 1}]';
  await expect(client.prices.import({ text })).rejects.toMatchObject({
    data: { message: 'Row 1: Several connections are named “Demo”. Rename all but one.' },
  });
});

test('deletes prices with their connection, and rejects new or restored ones for it', async () => {
  const client = clientOf(await startTestServices());
  const { id } = await client.connections.create({ name: 'Own', baseUrl: 'http://127.0.0.1:9' });
  const input = { id: null, connectionId: id, model: 'a', rates };
  const { deletionId } = await client.prices.remove({ id: (await client.prices.save(input)).id });
  await client.prices.save({ ...input, model: 'b' });
  await client.connections.remove({ id });
  expect(await client.prices.list()).toEqual([]);
  const data = { message: 'This connection was deleted.' };
  await expect(client.prices.save(input)).rejects.toMatchObject({ data });
  await expect(client.deletions.undo({ ids: [deletionId ?? ''] })).rejects.toMatchObject({ data });
});

test('sums the costs of a filter from an index only', async () => {
  const storage = openStorage({ home: temporaryFolder(), now: Date.now });
  onTestFinished(() => storage.close());
  const { db } = storage;
  db.write(() => {
    for (let index = 0; index < 1000; index += 1) {
      db.sql(`INSERT INTO runs (id, operation, connection_id, connection_name, base_url, model, status,
        created_at, preview, request, extra_body, seq, cost)
        VALUES (?, 'chat', 'demo', 'Demo', '', 'm', 'succeeded', ?, '', '{}', '{}', 0, 0.5)`).run(
        `run-${index}`,
        index,
      );
    }
  });
  const query = { ...filter, search: '' };
  expect(await storage.search.metrics(query)).toMatchObject({
    runs: 1000,
    failures: 0,
    dollars: 500,
    pricedRuns: 1000,
  });
  const plan = db
    .sql(`EXPLAIN QUERY PLAN SELECT sum(cost), count(*) FROM shown_runs
      WHERE cost IS NOT NULL AND operation = 'chat' AND model = 'm'`)
    .all()
    .map(({ detail }) => String(detail));
  expect(plan.join()).toContain('COVERING INDEX runs_by_cost');
});
