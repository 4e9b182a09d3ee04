/** Measures how many updates and bytes a stream sends over oRPC to a page that reads at once. */
import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { os, type RouterClient } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { expect, it, onTestFinished } from 'vitest';
import { createLiveRun, createUpdatePace, streamUpdates } from '../../electron/runs/live-run.ts';
import { exactNumberCodec } from '../../shared/contract/exact-number-codec.ts';
import { applyPatch } from '../../shared/patch.ts';
import type { RunView } from '../../shared/run-view.ts';
import { runView } from '../fixtures/run-view.ts';
import { chunk, finish } from './support/fold-events.ts';

/** One token arrives per millisecond. */
const TOKENS = 2000;
/** The pause between two updates while no other run streams. */
const REST_MS = 16;

const word = (at: number) => ` word${at % 977}`;
const token = (at: number) =>
  chunk({
    id: 'chatcmpl-9f8a7b6c5d4e3f2a1b0c',
    object: 'chat.completion.chunk',
    created: 1_732_200_000,
    model: 'gpt-4o-mini-2024-07-18',
    choices: [{ index: 0, delta: { content: word(at) }, logprobs: null, finish_reason: null }],
    usage: null,
  });

/** Simulates time that passes only when the test advances it. */
function createTime() {
  let nowMs = 0;
  const due = new Map<() => void, number>();
  return {
    now: () => nowMs,
    pause: (ms: number) =>
      new Promise<void>((resolve) => {
        due.set(resolve, nowMs + ms);
      }),
    async pass(ms: number) {
      nowMs += ms;
      for (const [resolve, atMs] of due) {
        if (atMs > nowMs) continue;
        due.delete(resolve);
        resolve();
      }
      await turn();
    },
  };
}

it('sends 1,000 tokens per second in an update of less than 400 bytes every 16 ms', async () => {
  const time = createTime();
  const run = createLiveRun(runView('chat', { seq: 0, status: 'queued' }), time.now);
  run.record([
    { kind: 'request', exchange: 0, method: 'POST', url: 'http://x/', headers: [], body: null },
  ]);
  const router = {
    watch: os.handler(({ signal }) =>
      streamUpdates(run, null, signal, createUpdatePace(), () => undefined, time.pause),
    ),
  };
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const sizes: number[] = [];
  new RPCHandler(router, { customJsonSerializers: [exactNumberCodec] }).upgrade({
    addEventListener: port2.addEventListener.bind(port2),
    postMessage(message: string) {
      sizes.push(Buffer.byteLength(message));
      port2.postMessage(message);
    },
  });
  port1.start();
  port2.start();
  const link = new RPCLink({ port: port1, customJsonSerializers: [exactNumberCodec] });
  const page: RouterClient<typeof router> = createORPCClient(link);
  let view: RunView | null = null;
  async function read(): Promise<void> {
    for await (const update of await page.watch()) {
      if (update.type === 'snapshot') view = update.view;
      else if (view !== null) view = applyPatch<RunView>(view, update.patch);
    }
  }
  const reading = read();
  await expect.poll(() => view).not.toBeNull();
  const first = sizes.length;
  for (let at = 0; at < TOKENS; at += 1) {
    run.record([token(at)]);
    await time.pass(1);
  }
  await time.pass(REST_MS);
  const updates = sizes.slice(first);
  run.record([finish]);
  await reading;

  const text = Array.from({ length: TOKENS }, (_, at) => word(at)).join('');
  expect(view).toMatchObject({
    status: 'succeeded',
    state: { choices: [{ message: { content: text } }] },
  });
  expect(updates.length).toBeGreaterThan(TOKENS / REST_MS / 2);
  expect(updates.length).toBeLessThanOrEqual(Math.ceil(TOKENS / REST_MS) + 1);
  // The first two updates also carry fields that are sent only once.
  expect(Math.max(...updates.slice(2))).toBeLessThan(400);
  expect(updates.reduce((sum, size) => sum + size, 0)).toBeLessThan(50 * TOKENS);
});
