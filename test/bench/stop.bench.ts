import { brotliCompressSync, constants } from 'node:zlib';
import { expect } from '@playwright/test';
import { type DemoEvent, startDemoGateway } from '../../electron/demo/server.ts';
import { test as base } from '../e2e/fixtures/app.ts';
import { answers, chooseModel, sendMessage, stopButton } from '../e2e/fixtures/chat-page.ts';
import { observeExchange } from '../fixtures/observe-exchange.ts';
import { reply, startWireServer } from '../fixtures/wire-server.ts';
import { note } from './harness/figures.ts';

const KEY = 'sk-at-once';

/** Starts a demo gateway; `closedByClient` resolves when the client closes its request. */
const test = base.extend<{ gateway: { baseUrl: string; closedByClient: Promise<DemoEvent> } }>({
  gateway: async ({}, use) => {
    const { promise: closedByClient, resolve } = Promise.withResolvers<DemoEvent>();
    const onEvent = (event: DemoEvent) => {
      if (event.kind === 'closed-by-client') resolve(event);
    };
    const gateway = await startDemoGateway({ port: 0, key: KEY, onEvent });
    await use({ baseUrl: gateway.baseUrl, closedByClient });
    await gateway.close();
  },
  hostEnvironment: async ({ gateway }, use) => {
    await use({ GATEHOUSE_BASE_URL: gateway.baseUrl, GATEHOUSE_API_KEY: KEY });
  },
});

for (const how of ['Stop', 'Escape'] as const) {
  test(`${how} closes the upstream socket within 100 ms`, async ({ app, gateway }, testInfo) => {
    await chooseModel(app, 'demo-story');
    await sendMessage(app, 'Tell me a story');
    await expect(answers(app)).toContainText('The Gatehouse at Saltmere');
    // Start measuring at the user's click, because Playwright's work before it doesn't count.
    const acted = await app.evaluateHandle(() => {
      const moment = { atMs: 0 };
      const note = () => {
        moment.atMs = performance.timeOrigin + performance.now();
      };
      for (const kind of ['click', 'keydown']) {
        document.addEventListener(kind, note, { capture: true, once: true });
      }
      return moment;
    });
    if (how === 'Escape') await app.keyboard.press('Escape');
    else await stopButton(app).click();
    const { atMs } = await gateway.closedByClient;
    const actedAtMs = await acted.evaluate((moment) => moment.atMs);
    note(testInfo, `${how} to the closed socket`, atMs - actedAtMs, 'ms', { atMost: 100 });
  });
}

test('stops at once while a small response decompresses to a large one', async ({}, testInfo) => {
  const bytes = brotliCompressSync(Buffer.alloc(512 * 1024 * 1024), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  });
  const headers = { 'Content-Type': 'audio/mpeg', 'Content-Encoding': 'br' };
  const server = await startWireServer(({ send }) => send(reply('200 OK', headers, bytes)));
  const stop = new AbortController();
  let stoppedAt = 0;
  await observeExchange(server.url, {
    accepts: 'bytes',
    signal: stop.signal,
    onBytes() {
      if (stoppedAt !== 0) return;
      stoppedAt = performance.now();
      stop.abort();
    },
  });
  const ms = performance.now() - stoppedAt;
  note(testInfo, 'Stop while 512 MB are decompressed, to the end', ms, 'ms', { atMost: 300 });
  await server.close();
});
