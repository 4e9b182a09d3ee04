import { expect, type Page } from '@playwright/test';
import { chooseModel, messageBox, sendMessage, stopButton } from '../e2e/fixtures/chat-page.ts';
import { note } from './harness/figures.ts';
import { traceTasks } from './harness/main-thread.ts';
import { interleave, percentile, ratios } from './harness/rounds.ts';
import { appendStream, test } from './harness/stream-test.ts';

const TOKEN_LENGTH = 20;
const MB = 1024 * 1024;

async function writeMessage(app: Page): Promise<void> {
  await app.getByRole('button', { name: 'New conversation' }).click();
  await messageBox(app).fill('Tell me all of it');
}

/** Queries no roles, because that would cost the page more time than the answer does. */
async function streamAnswer(app: Page): Promise<void> {
  await app.keyboard.press('ControlOrMeta+Enter');
  for (const isRunning of [true, false]) {
    // Poll rarely, because each check costs the page time.
    await app.waitForFunction(
      (isRunning) =>
        isRunning ===
        [...document.querySelectorAll('button')].some(({ textContent }) =>
          textContent?.startsWith('Stop'),
        ),
      isRunning,
      { polling: 250, timeout: 120_000 },
    );
  }
}

test('streams 48 kB of Markdown at 200 chunks a second', async ({ app, origin }, testInfo) => {
  const count = 2400;
  const model = `markdown-200-${count}`;
  await chooseModel(app, model);
  const raw = await app.context().newPage();
  const { ours, bare } = await interleave({
    async ours() {
      await app.bringToFront();
      await writeMessage(app);
      return traceTasks(app, () => streamAnswer(app));
    },
    async bare() {
      await raw.bringToFront();
      return traceTasks(raw, async () => {
        const length = await appendStream(raw, `${origin}/stamped/v1/chat/completions`, model);
        expect(length).toBe(count * TOKEN_LENGTH);
      });
    },
  });
  const total = (of: typeof ours) => of.map(({ totalMs }) => totalMs);
  const beside = ratios(total(ours), total(bare));
  const what = 'Main thread, beside a bare page that appends raw text';
  note(testInfo, what, beside, '×', { atMost: 1.8 });
  note(testInfo, 'Main thread', total(ours), 'ms');
  const longest = ours.map(({ longestMs }) => longestMs);
  note(testInfo, 'Longest task', longest, 'ms', { atMost: 50 });
});

test('responds to a key press while an answer streams', async ({ app }, testInfo) => {
  await chooseModel(app, 'markdown-200-2400');
  const presses = await app.evaluateHandle(() => {
    const durations: number[] = [];
    const options = { type: 'event', durationThreshold: 16 };
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (name === 'keydown') durations.push(duration);
      }
    }).observe(options);
    return durations;
  });
  await sendMessage(app, 'Tell me all of it');
  await stopButton(app).waitFor();
  const typed = 'a question typed while the answer still arrives '.repeat(2);
  await messageBox(app).pressSequentially(typed, { delay: 80 });
  await expect(messageBox(app)).toHaveValue(typed);
  await expect(stopButton(app)).toBeVisible();
  // The browser doesn't report events shorter than 16 ms.
  const slow = await presses.evaluate((durations) => durations);
  const all = [...Array.from({ length: typed.length - slow.length }, () => 16), ...slow];
  note(testInfo, 'Key press to paint, p95', percentile(all, 95), 'ms', { atMost: 50 });
});

for (const { kB, atMost } of [
  { kB: 200, atMost: 30 },
  { kB: 800, atMost: 60 },
]) {
  test(`limits the page's heap after ${kB} kB at 500 chunks a second`, async ({
    app,
  }, testInfo) => {
    test.setTimeout(180_000);
    await chooseModel(app, `markdown-500-${(kB * 1000) / TOKEN_LENGTH}`);
    await writeMessage(app);
    await streamAnswer(app);
    const session = await app.context().newCDPSession(app);
    await session.send('HeapProfiler.enable');
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    note(testInfo, `Page heap after ${kB} kB`, usedSize / MB, 'MB', { atMost });
  });
}
