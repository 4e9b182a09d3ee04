import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { chooseModel, sendMessage } from './fixtures/chat-page.ts';
import { compareField, comparison, runCompared } from './fixtures/compared.ts';
import { panelNames, result, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

const USUAL = { width: 1360, height: 860 };
const LOW = { width: 960, height: 600 };

/** Where it is not the region Result. */
const outcomes: Record<string, (app: Page) => Locator> = {
  Chat: (app) => app.getByRole('log', { name: 'Conversation' }),
  History: (app) => app.getByRole('article', { name: 'Run' }),
  Library: (app) => app.getByRole('list', { name: 'Media' }),
};

test.describe('every panel with a result', () => {
  test.use({ demoSpeed: 20 });

  test('nothing is cut off, and a low window with the inspector open leaves 45 % of its height to what came', async ({
    app,
  }) => {
    test.setTimeout(240_000);
    for (const panel of panelNames) {
      await app.setViewportSize(USUAL);
      await showResult(app, panel);
      expect.soft(await cutOff(app), `${panel} at 1360`).toEqual([]);
      await app.setViewportSize(LOW);
      expect.soft(await cutOff(app), `${panel} at 960`).toEqual([]);
      await app.keyboard.press('ControlOrMeta+j');
      await expect(app.getByRole('region', { name: 'Inspector' })).toBeVisible();
      const outcome = outcomes[panel] ?? result;
      await expectRoom(outcome(app), `${panel}, as it is shown`);
      await openPanel(app, 'Settings');
      await openPanel(app, panel);
      await expectRoom(outcome(app), `${panel}, on the way back`);
      await app.keyboard.press('ControlOrMeta+j');
      await expect(app.getByRole('region', { name: 'Inspector' })).toBeHidden();
    }
  });

  for (const [panel, field, values] of [
    ['Completion', 'Max tokens', '20, 40, 60'],
    ['Rerank', 'Top n', '1, 2, 3'],
    ['Speech', 'Speed', '1, 1.2, 1.4'],
    ['Image', 'Aspect ratio', '1:1, 16:9, 9:16'],
    ['Video', 'Duration', '1, 2, 3'],
    ['Transcription', 'Temperature', '0, 0.5, 1'],
  ] as const) {
    test(`${panel}: nothing of a comparison is cut off`, async ({ app }) => {
      await app.setViewportSize(USUAL);
      // It transcribes what was spoken.
      if (panel === 'Transcription') await showResult(app, 'Speech');
      await showResult(app, panel);
      await compareField(app, field, values);
      await runCompared(app);
      expect.soft(await cutOff(app), 'at 1360').toEqual([]);
      await app.setViewportSize(LOW);
      expect.soft(await cutOff(app), 'at 960').toEqual([]);
      await comparison(app).getByText('Figures', { exact: true }).click();
      expect.soft(await cutOff(app), 'figures at 960').toEqual([]);
      await comparison(app).getByText('Results', { exact: true }).click();
    });
  }

  test('four choices are not cut off', async ({ app }) => {
    await chooseModel(app, 'demo-echo');
    await app.getByRole('spinbutton', { name: 'Choices (n)' }).fill('4');
    await sendMessage(app, 'Four answers, side by side');
    await expect(app.getByRole('tab', { name: 'Choice 4' })).toBeVisible();
    expect(await cutOff(app)).toEqual([]);
  });
});

test('a result comes into view where it starts, and leaves focus and scrolling to the user', async ({
  app,
}) => {
  await app.setViewportSize(LOW);
  await openPanel(app, 'Completion');
  await app.keyboard.press('ControlOrMeta+j');
  const prompt = app.getByRole('textbox', { name: 'Prompt', exact: true });
  await prompt.fill(Array.from({ length: 12 }, (_, line) => `Line ${line + 1} of many`).join('\n'));
  await chooseModel(app, 'demo-story');
  await prompt.press('ControlOrMeta+Enter');
  await expectRoom(result(app), 'while it runs');
  await expect(prompt).toBeFocused();
  await expect(result(app).getByText('Succeeded', { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  await expectRoom(result(app), 'when it is done');
  const scroller = app
    .getByRole('main')
    .locator('div', { has: prompt })
    .filter({ has: result(app) });
  await scroller.last().evaluate((panel) => panel.scrollTo(0, 0));
  await app.setViewportSize({ ...LOW, height: LOW.height - 20 });
  await expect(prompt).toBeInViewport({ ratio: 0.9 });
  expect(await scroller.last().evaluate((panel) => panel.scrollTop)).toBe(0);
});

test('the list of conversations takes the width that it is dragged to, and keeps it', async ({
  app,
}) => {
  const list = app.getByRole('navigation', { name: 'Conversations' });
  const edge = app.getByRole('separator', { name: 'Conversation list width' });
  await expect(edge).toBeVisible({ timeout: 30_000 });
  const start = await edge.boundingBox();
  const before = await list.boundingBox();
  if (start === null || before === null) throw new Error('The list is not shown.');
  await app.mouse.move(start.x + start.width / 2, 400);
  await app.mouse.down();
  await app.mouse.move(before.x + 300, 400, { steps: 4 });
  await app.mouse.up();
  const width = async () => (await list.boundingBox())?.width;
  expect(await width()).toBe(300);
  await app.reload();
  await expect(edge).toBeVisible({ timeout: 30_000 });
  expect(await width()).toBe(300);
  await edge.dblclick();
  await expect.poll(width).toBe(before.width);
});

/** What is outside the window at its sides, or hidden there by what it is in, and cannot be scrolled to. */
async function cutOff(app: Page): Promise<string[]> {
  return app.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type="file"]), textarea, select, h1, h2, h3, [role="tab"]',
    );
    return [...controls]
      .filter((control) => control.checkVisibility({ opacityProperty: true }))
      .filter((control) => control.closest('.visually-hidden') === null)
      .filter((control) => {
        const { left, right, width } = control.getBoundingClientRect();
        if (width === 0) return false;
        let [from, to] = [0, window.innerWidth];
        for (let outer = control.parentElement; outer !== null; outer = outer.parentElement) {
          const { overflowX } = getComputedStyle(outer);
          // What scrolls sideways shows it there.
          if (overflowX === 'auto' || overflowX === 'scroll') {
            if (outer.scrollWidth > outer.clientWidth + 1) return false;
            continue;
          }
          if (overflowX === 'visible') continue;
          const clip = outer.getBoundingClientRect();
          from = Math.max(from, clip.left);
          to = Math.min(to, clip.right);
        }
        return left < from - 1 || right > to + 1;
      })
      .map((control) => control.getAttribute('aria-label') ?? control.innerText);
  });
}

/** Without scrolling to it. A result that is shown whole needs no more. */
async function expectRoom(outcome: Locator, when: string): Promise<void> {
  const share = async () => {
    const { visible, whole } = await shownHeight(outcome);
    return visible / Math.min(whole, 0.45 * LOW.height);
  };
  await expect.soft.poll(share, { message: when, timeout: 5000 }).toBeGreaterThan(0.99);
}

/** How much of it can be seen, and how high all that is in it stands, both in px. */
async function shownHeight(element: Locator): Promise<{ visible: number; whole: number }> {
  return element.evaluate((node) => {
    const rectangle = node.getBoundingClientRect();
    let { top, bottom } = rectangle;
    for (let outer = node.parentElement; outer !== null; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflowY === 'visible') continue;
      const clip = outer.getBoundingClientRect();
      top = Math.max(top, clip.top);
      bottom = Math.min(bottom, clip.bottom);
    }
    const scrolling = [node, ...node.querySelectorAll('*')]
      .filter((inner) => /auto|scroll/.test(getComputedStyle(inner).overflowY))
      .map((inner) => inner.scrollHeight - inner.clientHeight);
    return { visible: bottom - top, whole: rectangle.height + Math.max(0, ...scrolling) };
  });
}
