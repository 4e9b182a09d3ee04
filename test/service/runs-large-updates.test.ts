import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { updateView } from '../../renderer/run/live/follow-run.ts';
import type { RunUpdateMessage } from '../../shared/contract/runs.ts';
import { getResponse, type RunView } from '../../shared/run-view.ts';
import { joinUpdates } from '../../shared/update-parts.ts';
import { watchToEnd } from '../fixtures/electron/watch-to-end.ts';
import { serveScript } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { jsonReply } from '../fixtures/wire-server.ts';

const text = 'The “gate” stands open, and the keeper sleeps. 🌉\n'.repeat(40_000);

/** Starts a run whose answer of two million characters comes once `answer` is called. */
async function startLargeRun() {
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
  const body = { choices: [{ message: { role: 'assistant', content: text } }] };
  const server = await serveScript(async ({ send, end }) => {
    await asked;
    await send(jsonReply(body));
    await end();
  });
  const services = await startTestServices({ onThreads: true, baseUrl: server.url });
  const api = createRouterClient(createRouter(services));
  const { runId } = await api.runs.start({
    connectionId: 'environment',
    operation: 'chat',
    request: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  });
  return { api, runId, answer };
}

test('sends a large answer in parts, each in a turn of the event loop', async () => {
  const { api, runId, answer } = await startLargeRun();
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const turns: number[] = [];
  const messages: RunUpdateMessage[] = [];
  for await (const message of await api.runs.watch({ id: runId, after: null })) {
    if (messages.length === 0) answer();
    messages.push(message);
    if (message.type === 'part') turns.push(turn);
  }
  clearImmediate(counting);
  expect(turns.length).toBeGreaterThan(5);
  expect(new Set(turns).size).toBe(turns.length);
  for (const message of messages) expect(JSON.stringify(message).length).toBeLessThan(600_000);
});

test('shows what is stored, to a watcher of the run and to a later one', async () => {
  const { api, runId, answer } = await startLargeRun();
  answer();
  const live = await watchToEnd(api, runId);
  expect(live.text).toBe(text);
  const { view } = await api.runs.get({ id: runId });
  expect(live.view).toEqual(view);
  expect((await watchToEnd(api, runId)).view).toEqual(view);
});

test('sends everything again after the link was lost between two parts', async () => {
  const { api, runId, answer } = await startLargeRun();
  let view: RunView | null = null;
  for await (const message of await api.runs.watch({ id: runId, after: null })) {
    if (message.type === 'snapshot') {
      view = message.view;
      answer();
    }
    if (message.type === 'part') break;
  }
  const after = view?.seq ?? null;
  for await (const update of joinUpdates(await api.runs.watch({ id: runId, after })))
    view = updateView(view, update);
  expect(view && getResponse(view).text).toBe(text);
});
