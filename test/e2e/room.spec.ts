import { expect, type Locator } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { panelNames, result, showResult } from './fixtures/panel-results.ts';

const USUAL = { width: 1360, height: 860 };
const LOW = { width: 960, height: 600 };

test('a low window with the inspector open leaves 45 % of its height to what came', async ({
  app,
}) => {
  test.setTimeout(240_000);
  for (const panel of panelNames) {
    await app.setViewportSize(USUAL);
    await showResult(app, panel);
    await app.setViewportSize(LOW);
    await app.keyboard.press('ControlOrMeta+j');
    await expect(app.getByRole('region', { name: 'Inspector' })).toBeVisible();
    const outcome =
      panel === 'Chat'
        ? app.getByRole('log', { name: 'Conversation' })
        : panel === 'History'
          ? app.getByRole('article', { name: 'Run' })
          : result(app);
    const { visible, whole } = await shownHeight(outcome);
    // A result that is shown whole needs no more.
    expect.soft(visible, panel).toBeGreaterThanOrEqual(Math.min(whole, 0.45 * LOW.height) - 1);
    await app.keyboard.press('ControlOrMeta+j');
    await expect(app.getByRole('region', { name: 'Inspector' })).toBeHidden();
  }
});

/** How much of it can be seen at once when it is scrolled to, and how high all that is in it stands, both in px. */
async function shownHeight(element: Locator): Promise<{ visible: number; whole: number }> {
  return element.evaluate((node) => {
    node.scrollIntoView({ block: 'start' });
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
