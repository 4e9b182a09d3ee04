import { expect, type Page } from '@playwright/test';
import { chooseModel, sendMessage } from '../e2e/fixtures/chat-page.ts';
import { note } from './harness/figures.ts';
import { interleave, percentile } from './harness/rounds.ts';
import { appendStream, test } from './harness/stream-test.ts';

/** Tokens to skip at the start, when the page also renders the answer around them. */
const WARM = 20;
const rates = [
  { perSecond: 50, count: 150 },
  { perSecond: 500, count: 1000 },
  { perSecond: 3000, count: 6000 },
];

interface WatchedTokens {
  /**
   * Returns the number of tokens so far. Reading their ages during the stream would block the page.
   */
  count(): Promise<number>;
  /** Returns ages in milliseconds, starting with token `first`. */
  agesFrom(first: number): Promise<number[]>;
}

/** Records each token's age when it enters the document. */
async function watchTokens(page: Page): Promise<WatchedTokens> {
  const ages = await page.evaluateHandle(() => {
    const seen = new Map<string, number>();
    new MutationObserver((changes) => {
      const now = performance.timeOrigin + performance.now();
      const changed = changes.flatMap(({ type, target, addedNodes }) =>
        type === 'characterData' ? [target] : [...addedNodes],
      );
      for (const { textContent } of changed) {
        // The browser appends new text at the end.
        for (const [token] of (textContent ?? '').slice(-60_000).matchAll(/\d{13}\.\d-\d+;/g)) {
          if (!seen.has(token)) seen.set(token, now - Number.parseFloat(token));
        }
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  return {
    count: () => ages.evaluate(({ size }) => size),
    agesFrom: (first) => ages.evaluate((seen, first) => [...seen.values()].slice(first), first),
  };
}

for (const { perSecond, count } of rates) {
  test(`renders tokens from the gateway at ${perSecond} a second`, async ({
    app,
    origin,
  }, testInfo) => {
    const model = `rate-${perSecond}-${count}`;
    await chooseModel(app, model);
    const bare = await app.context().newPage();
    const watched = { ours: await watchTokens(app), bare: await watchTokens(bare) };
    /** Returns a function that runs `work` and collects the ages of its tokens. */
    const aged = (who: keyof typeof watched, work: () => Promise<void>) => async () => {
      const before = await watched[who].count();
      await work();
      await expect
        .poll(async () => (await watched[who].count()) - before, { timeout: 30_000 })
        .toBe(count);
      return watched[who].agesFrom(before + WARM);
    };
    const { ours, bare: besides } = await interleave({
      ours: aged('ours', async () => {
        await app.bringToFront();
        await app.getByRole('button', { name: 'New conversation' }).click();
        await sendMessage(app, 'What time is it?');
      }),
      bare: aged('bare', async () => {
        await bare.bringToFront();
        await appendStream(bare, `${origin}/stamped/v1/chat/completions`, model);
      }),
    });
    await bare.close();
    for (const [percent, atMost] of [
      [50, 8],
      [99, 40],
    ] as const) {
      const of = (rounds: readonly number[][]) => rounds.map((ages) => percentile(ages, percent));
      const what = `${perSecond.toLocaleString('en-US')} tokens a second, p${percent}`;
      note(testInfo, what, of(ours), 'ms', { atMost });
      note(testInfo, `${what}: a bare page`, of(besides), 'ms');
    }
  });
}
