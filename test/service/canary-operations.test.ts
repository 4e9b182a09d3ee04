/** Checks that the key, which the gateway repeats in every way, is never stored or shown. */
import { createRouterClient } from '@orpc/server';
import { expect, it } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { goodReply, targets } from '../faults/targets.ts';
import {
  expectNoKey,
  isStream,
  KEY,
  loudHeaders,
  repeating,
  startRedirectTarget,
} from '../fixtures/canary.ts';
import { finished, plan, row, variant } from '../fixtures/comparisons.ts';
import { exportText } from '../fixtures/conversation-files.ts';
import { placesOfKey } from '../fixtures/key-files.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { jsonReply, reply } from '../fixtures/wire-server.ts';

const getRedirectTarget = startRedirectTarget();

// `canary-operations.rest.test.ts` covers the other operations.
it.each(targets.filter(({ name }) => name === 'chat' || name === 'transcription'))(
  '$name: sends the key, but never stores or shows it',
  expectNoKey,
);

it('keeps the key and the gateway’s address out of exported conversations', async () => {
  const target = targets.find(({ operation }) => operation === 'chat');
  if (target === undefined) throw new Error('There is a chat target.');
  const server = await serveScript((wire) =>
    wire.send(goodReply(repeating(target, `Alpha ${KEY} `))),
  );
  const services = await startTestServices({ baseUrl: server.url, key: KEY });
  const { conversations } = services;
  const { id } = conversations.create();
  const [connection] = services.connections.list().filter(({ kind }) => kind !== 'demo');
  const { runId } = await conversations.send({
    conversationId: id,
    connectionId: connection?.id ?? '',
    parentId: null,
    message: { role: 'user', content: 'Hello' },
    request: { model: 'm', stream: isStream(target) },
  });
  for await (const _update of services.engine.watch(runId, null, undefined));
  for (const format of ['json', 'markdown', 'jsonl'] as const) {
    const file = await exportText(services, [id], format);
    expect(file).toContain('Hello');
    expect(placesOfKey(KEY, file)).toEqual([]);
    expect(file).not.toContain(server.url);
  }
});

it('keeps the key out of responses to the model list and the connection test', async () => {
  let list = jsonReply({ data: [{ id: `model-${KEY}` }] });
  const server = await serveScript(({ send }) => send(list));
  const services = await startTestServices({ baseUrl: server.url, key: KEY });
  const api = createRouterClient(createRouter(services));
  const stranger = getRedirectTarget();
  const before = stranger.requests.length;
  for (const answer of [
    list,
    jsonReply(`{"error":{"message":"No: ${KEY}"}}`, '401 Unauthorized', { ...loudHeaders }),
    reply('302 Found', { Location: `${stranger.url}/models` }, KEY),
    reply('307 Temporary Redirect', { Location: `./elsewhere?key=${KEY}` }, KEY),
    reply('200 OK', { 'Content-Type': 'text/html' }, `<html>${KEY}</html>`),
  ]) {
    list = answer;
    const sent = server.requests.length;
    const tested = await api.connections.test({ id: 'environment' });
    const models = await api.models.suggest({ connectionId: 'environment', operation: 'chat' });
    // The test of a connection also lists the models without the key.
    expect(server.requests.slice(sent).join()).toContain(`Bearer ${KEY}`);
    expect(placesOfKey(KEY, JSON.stringify([tested, models]))).toEqual([]);
  }
  const connections = await api.connections.list();
  expect(placesOfKey(KEY, JSON.stringify(connections))).toEqual([]);
  const leaked = stranger.requests.slice(before).filter((sent) => sent.includes('Bearer'));
  expect(leaked).toEqual([]);
});

it('keeps the key out of a comparison’s stored prompts and exported replies', async () => {
  const server = await serveScript(({ send }) =>
    send(jsonReply(`{"choices":[{"index":0,"text":"after ${KEY} it"}]}`)),
  );
  const services = await startTestServices({ baseUrl: server.url, key: KEY });
  const withKey = plan([variant('one')], { rows: [row('once', { prompt: `My key is ${KEY}` })] });
  await expect(services.comparisons.start(withKey)).rejects.toThrow('contains an API key');
  expect(server.requests).toEqual([]);
  const id = await services.comparisons.start(plan([variant('one')]));
  await finished(services, id);
  let exported = '';
  for await (const piece of services.comparisons.export(id)) exported += piece;
  expect(exported).toContain('after [redacted] it');
  expect(placesOfKey(KEY, exported)).toEqual([]);
});
