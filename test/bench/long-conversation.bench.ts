import { expect, type Page } from '@playwright/test';
import { answers, chooseModel, sendMessage } from '../e2e/fixtures/chat-page.ts';
import { openBenchPage } from './harness/bench-page.ts';
import { note } from './harness/figures.ts';
import { messageTexts, storeConversation } from './harness/long-conversation.ts';
import { traceTasks } from './harness/main-thread.ts';
import { interleave, ratios } from './harness/rounds.ts';
import { test as streamTest } from './harness/stream-test.ts';

declare global {
  interface Window {
    openLog(texts: readonly string[]): Promise<number>;
    countNodes(): number;
    streamInto(
      texts: readonly string[],
      words: readonly string[],
      perSecond: number,
    ): Promise<string>;
  }
}

const texts = messageTexts(2000);
const TICK_PX = 400;
const TICKS = 60;
const stream = { perSecond: 50, tokens: 150 };
const lastWord = `word${stream.tokens - 1}`;
const words = Array.from({ length: stream.tokens }, (_, at) => ` word${at % 977}`);

const test = streamTest.extend({
  hostEnvironment: async ({ origin, home }, use) => {
    await storeConversation(home, texts);
    const baseUrl = `${origin}/paced/${stream.perSecond}/${stream.tokens}`;
    await use({ GATEHOUSE_BASE_URL: baseUrl, GATEHOUSE_API_KEY: 'sk-bench-0123456789abcdef' });
  },
});

/** Returns the milliseconds from the click until the last message is painted, without a cache. */
async function openConversation(app: Page): Promise<number> {
  await app.getByRole('button', { name: 'New conversation' }).click();
  await app.reload();
  const title = app
    .getByRole('navigation', { name: 'Conversations' })
    .getByText('Long conversation');
  await expect(title).toBeVisible();
  const opened = await app.evaluateHandle((last) => {
    const clicked = new Promise<number>((resolve) => {
      const listen = () => resolve(performance.now());
      document.addEventListener('click', listen, { capture: true, once: true });
    });
    const painted = () =>
      new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const isShown = () =>
      [...document.querySelectorAll('[role=log] article')].some((article) => {
        const { top } = article.getBoundingClientRect();
        return article.textContent?.includes(last) === true && top < innerHeight;
      });
    return {
      ms: clicked.then(async (startedAt) => {
        while (!isShown()) await painted();
        await painted();
        return performance.now() - startedAt;
      }),
    };
  }, 'Answer 1999');
  await title.click();
  const ms = await opened.evaluate(({ ms }) => ms);
  await expect(app.getByText('Loading earlier messages…')).toHaveCount(0);
  return ms;
}

/** Counts frames after a wheel event in which part of the log is blank. */
function countBlankFrames(app: Page): Promise<() => Promise<number>> {
  return app
    .evaluateHandle(() => {
      const counted = { blank: 0 };
      const log = document.querySelector('[role=log]');
      const look = () => {
        if (log === null) return;
        const { left, right, top, bottom } = log.getBoundingClientRect();
        let empty = 0;
        for (let y = top + 8; y < bottom - 8 && empty < 3; y += 40) {
          const at = document.elementFromPoint((left + right) / 2, y);
          empty = at?.closest('article, button, form') == null ? empty + 1 : 0;
        }
        if (empty >= 3) counted.blank += 1;
      };
      log?.addEventListener('scroll', () => requestAnimationFrame(() => setTimeout(look)));
      return counted;
    })
    .then((counted) => () => counted.evaluate(({ blank }) => blank));
}

test('opens and scrolls a conversation of 2,000 messages', async ({
  app,
  chromiumProcess,
}, testInfo) => {
  const { page, close } = await openBenchPage(chromiumProcess, 'full-log-page.js');
  const open = await interleave({
    ours: () => openConversation(app),
    full: () => page.evaluate((texts) => window.openLog(texts), texts),
  });
  const log = app.getByRole('log', { name: 'Conversation' });
  const nodes = {
    ours: await log.evaluate((element) => {
      const walker = document.createTreeWalker(element);
      let count = 0;
      while (walker.nextNode() !== null) count += 1;
      return count;
    }),
    full: await page.evaluate(() => window.countNodes()),
  };

  const blankFrames = await countBlankFrames(app);
  await log.hover();
  for (let tick = 0; tick < TICKS; tick += 1) await app.mouse.wheel(0, -TICK_PX);
  const blank = await blankFrames();
  await expect(log.getByRole('article').first()).toBeVisible();
  await app.getByRole('button', { name: 'Jump to end' }).click();

  await chooseModel(app, 'steady-model');
  const perToken = async (of: Page, work: () => Promise<void>) =>
    (await traceTasks(of, work)).totalMs / stream.tokens;
  const streamed = await interleave({
    ours: () =>
      perToken(app, async () => {
        await app.bringToFront();
        await sendMessage(app, 'And then?');
        // This check costs the page almost nothing; rounds without a trace check the content.
        await app.waitForFunction(
          (last) => [...document.querySelectorAll('article')].at(-1)?.textContent?.includes(last),
          lastWord,
          { polling: 200 },
        );
      }).then(async (ms) => {
        await expect(answers(app).last()).toContainText(words.join('').trim());
        await expect(app.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
        return ms;
      }),
    full: () =>
      perToken(page, async () => {
        await page.bringToFront();
        const shown = await page.evaluate(
          ([texts, words, perSecond]) => window.streamInto(texts, words, perSecond),
          [texts, words, stream.perSecond] as const,
        );
        expect(shown.trim()).toBe(words.join('').trim());
      }),
  });
  await close();
  note(testInfo, 'Opened, beside full DOM', ratios(open.ours, open.full), '×', { atMost: 0.1 });
  note(testInfo, 'Opened', open.ours, 'ms');
  note(testInfo, 'Nodes, beside full DOM', nodes.ours / nodes.full, '×', { atMost: 0.005 });
  note(testInfo, 'Nodes', nodes.ours, 'nodes');
  note(testInfo, `Blank frames in ${TICKS} turns of the wheel`, blank, 'frames', { atMost: 0 });
  const token = 'Main thread for a streamed token';
  const beside = ratios(streamed.ours, streamed.full);
  note(testInfo, `${token}, beside full DOM`, beside, '×', { atMost: 0.12 });
  note(testInfo, token, streamed.ours, 'ms');
});
