import { expect, type Page } from '@playwright/test';
import { chooseModel, messageBox } from '../e2e/fixtures/chat-page.ts';
import { note } from './harness/figures.ts';
import { interleave, percentile } from './harness/rounds.ts';
import { appendStream, OTHER_BUILD, test } from './harness/stream-test.ts';
import { watchTokens } from './harness/watch-tokens.ts';

/** Tokens to skip at the start, when the page also renders the answer around them. */
const WARM = 20;
/** A page that renders each token immediately has no time for anything else at a high rate. */
const rates = [
  { perSecond: 50, count: 150, goals: { 50: 8, 99: 40 } },
  { perSecond: 500, count: 1000, goals: { 50: 40, 99: null } },
  { perSecond: 3000, count: 6000, goals: { 50: 40, 99: null } },
];

for (const { perSecond, count, goals } of rates) {
  test(`renders tokens from the gateway at ${perSecond} a second`, async ({
    app,
    otherApp,
    origin,
  }, testInfo) => {
    const model = `rate-${perSecond}-${count}`;
    /** Returns a function that runs `work` in the page and collects the ages of its tokens. */
    const age = async (page: Page, work: () => Promise<void>) => {
      const tokens = await watchTokens(page);
      return async () => {
        const before = await tokens.count();
        await page.bringToFront();
        await work();
        await expect
          .poll(async () => (await tokens.count()) - before, { timeout: 30_000 })
          .toBe(count);
        return tokens.agesFrom(before + WARM);
      };
    };
    const ageAnswer = async (page: Page) => {
      await chooseModel(page, model);
      return age(page, async () => {
        // The list, with its button, isn't there before the first conversation.
        await page.keyboard.press('ControlOrMeta+Shift+O');
        await messageBox(page).fill('What time is it?');
        // The button has another name in older builds.
        await page.keyboard.press('ControlOrMeta+Enter');
      });
    };
    const bare = await app.context().newPage();
    const samples = await interleave({
      ours: await ageAnswer(app),
      other: otherApp && (await ageAnswer(otherApp)),
      bare: await age(bare, async () => {
        await appendStream(bare, `${origin}/stamped/v1/chat/completions`, model);
      }),
    });
    await bare.close();
    for (const percent of [50, 99] as const) {
      const of = (rounds: readonly number[][]) => rounds.map((ages) => percentile(ages, percent));
      const what = `${perSecond.toLocaleString('en-US')} tokens a second, p${percent}`;
      const atMost = goals[percent];
      note(testInfo, what, of(samples.ours), 'ms', atMost === null ? null : { atMost });
      note(testInfo, `${what}${OTHER_BUILD}`, of(samples.other), 'ms');
      note(testInfo, `${what}: a bare page`, of(samples.bare), 'ms');
    }
  });
}
