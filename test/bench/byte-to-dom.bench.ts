import { setTimeout as pause } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { chooseModel, sendMessage } from '../e2e/fixtures/chat-page.ts';
import { test } from '../e2e/fixtures/gateway-app.ts';
import type { GatewayCall } from '../e2e/fixtures/scripted-gateway.ts';
import { note } from './harness/figures.ts';
import { percentile } from './harness/rounds.ts';

const PER_SECOND = 50;
const TOKENS = 400;
/** The first ones draw the answer itself. */
const WARM = 20;

/** Each token is the time at which it is written to the socket. */
async function sendTimes(call: GatewayCall): Promise<void> {
  await call.open();
  const startedAt = performance.now();
  for (let at = 0; at < TOKENS; at += 1) {
    const dueAt = startedAt + (at * 1000) / PER_SECOND;
    await pause(Math.max(0, dueAt - performance.now()));
    await call.say(` ${(performance.timeOrigin + performance.now()).toFixed(1)};`);
  }
}

/** Notes the age of each token when it comes into the document, in milliseconds. */
async function watchTokens(app: Page): Promise<() => Promise<number[]>> {
  const ages = await app.evaluateHandle(() => {
    const seen = new Map<string, number>();
    new MutationObserver(() => {
      const now = performance.timeOrigin + performance.now();
      const text = [...document.querySelectorAll('article')].at(-1)?.textContent ?? '';
      // What came before stands in front of it.
      for (const [, token = ''] of text.slice(-400).matchAll(/ (\d{13}\.\d);/g)) {
        if (!seen.has(token)) seen.set(token, now - Number(token));
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  return () => ages.evaluate((seen) => [...seen.values()]);
}

test('a byte of the gateway is in the document at once', async ({ app, gateway }, testInfo) => {
  await chooseModel(app, 'steady-model');
  const ages = await watchTokens(app);
  await sendMessage(app, 'What time is it?');
  const call = await gateway.nextCall();
  await sendTimes(call);
  await expect.poll(async () => (await ages()).length).toBe(TOKENS);
  await call.finish();
  const warm = (await ages()).slice(WARM);
  note(testInfo, 'byte to document, p50', warm, 'ms', { atMost: 8 });
  note(testInfo, 'byte to document, p99', percentile(warm, 99), 'ms', { atMost: 40 });
});
