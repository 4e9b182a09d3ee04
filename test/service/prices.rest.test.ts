import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import type { Services } from '../../electron/services.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Rates } from '../../shared/prices.ts';
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

test('reprices recorded runs after a price changed, and announces that once', async () => {
  const services = await startTestServices();
  const client = clientOf(services);
  const runs = [await speak(client), await speak(client)];
  const [first = ''] = runs;
  expect(await costOf(client, first)).toBeNull();
  expect(await client.runs.metrics(filter)).toMatchObject({ dollars: null, pricedRuns: 0 });

  const announced: (string | null)[] = [];
  services.changes.listen(({ topic, id }) => {
    if (topic === 'runs') announced.push(id);
  });
  const price = await client.prices.save({
    id: null,
    connectionId: 'demo',
    model: 'demo-speech',
    rates: { ...noRates, perMillionCharacters: 10 },
  });
  await expect.poll(() => announced).toEqual([null]);
  const cost = (await costOf(client, first)) ?? 0;
  // 10 × $10 / 1M
  expect(cost).toBeCloseTo(0.0001, 12);
  expect((await client.runs.get({ id: first })).view.cost).toBe(cost);
  const sum = await client.runs.metrics(filter);
  expect(sum.pricedRuns).toBe(2);
  expect(sum.dollars).toBeCloseTo(2 * cost, 12);
  expect(await client.runs.metrics({ ...filter, operation: 'chat' })).toMatchObject({
    pricedRuns: 0,
  });
  expect(await client.runs.metrics({ ...filter, status: 'succeeded' })).toMatchObject({
    pricedRuns: 2,
  });
  expect(await client.runs.metrics({ ...filter, search: 'blue' })).toMatchObject({ pricedRuns: 2 });
  expect(await client.runs.metrics({ ...filter, search: 'zebra' })).toMatchObject({
    pricedRuns: 0,
  });

  await client.prices.save({ ...price, rates: { ...noRates, perMillionCharacters: 20 } });
  await expect.poll(() => costOf(client, first)).toBeCloseTo(0.0002, 12);

  const { deletionId } = await client.prices.remove({ id: price.id });
  await expect.poll(() => costOf(client, first)).toBeNull();
  await client.deletions.undo({ ids: [deletionId ?? ''] });
  await expect.poll(() => costOf(client, first)).toBeCloseTo(2 * cost, 12);
});
