/** Checks that every procedure, including streams, fails with the same typed error. */
import { ORPCError } from '@orpc/client';
import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { jsonReply, startWireServer } from '../fixtures/wire-server.ts';

/** Starts services with one finished run, and returns a client of their router. */
async function withFinishedRun() {
  const server = await startWireServer(({ send, end }) => send(jsonReply('{"data":[]}')).then(end));
  const services = await startTestServices({ baseUrl: server.url });
  const api = createRouterClient(createRouter(services));
  const { runId } = await api.runs.start({
    connectionId: 'environment',
    operation: 'console',
    request: { method: 'GET', path: '/v1/models', headers: [], body: null },
    extraBody: {},
    wireNames: {},
  });
  for await (const _ of await api.runs.watch({ id: runId, after: null })) {
  }
  await server.close();
  return { api, runId };
}

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  const failure = await work().catch((cause: unknown) => cause);
  return failure instanceof ORPCError ? { code: failure.code, data: failure.data } : failure;
}

test('reports a deleted run as not found, and restores it', async () => {
  const { api, runId } = await withFinishedRun();
  const watched = async () => {
    for await (const { type } of await api.runs.watch({ id: runId, after: null })) return type;
    return null;
  };
  expect(await watched()).toBe('snapshot');
  const { deletionId } = await api.runs.remove({ id: runId });
  const notFound = { code: 'APP_ERROR', data: { kind: 'not-found' } };
  expect(await failureOf(() => api.runs.get({ id: runId }))).toMatchObject(notFound);
  expect(await failureOf(watched)).toMatchObject(notFound);
  await api.deletions.undo({ ids: [deletionId ?? ''] });
  expect(await watched()).toBe('snapshot');
});
