import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { panelNames } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

/** The maximum number of controls on a panel's first screen; lower one when a panel gets calmer. */
const maxControls: Readonly<Record<string, number>> = {
  Chat: 35,
  Completion: 38,
  Image: 38,
  Video: 40,
  Rerank: 35,
  Embeddings: 34,
  Speech: 34,
  Transcription: 38,
  Console: 28,
  History: 31,
  Library: 19,
};

test('shows few controls on the first screen of each panel', async ({ app }) => {
  await app.setViewportSize({ width: 1360, height: 860 });
  const counts: Record<string, number> = {};
  for (const panel of [...panelNames, 'Library']) {
    await openPanel(app, panel);
    // The sidebar is empty until the panel can be used.
    const sidebar = app.getByRole('complementary', { name: 'Parameters' });
    if ((await sidebar.count()) > 0) await expect(sidebar).not.toBeEmpty();
    counts[panel] = await countControls(app);
  }
  test.info().annotations.push({ type: 'controls', description: JSON.stringify(counts) });
  console.log(JSON.stringify(counts));
  for (const [panel, most] of Object.entries(maxControls)) {
    expect.soft(counts[panel], panel).toBeLessThanOrEqual(most);
  }
});

/** Counts the visible elements in the viewport that Tab can reach. */
function countControls(app: Page): Promise<number> {
  return app.evaluate(() => {
    const focusable =
      'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]';
    return [...document.querySelectorAll<HTMLElement>(focusable)].filter((element) => {
      const { top, left, right, bottom, width, height } = element.getBoundingClientRect();
      const isInView =
        width > 1 &&
        height > 1 &&
        bottom > 0 &&
        right > 0 &&
        top < innerHeight &&
        left < innerWidth;
      // Skip links are visible only while focused.
      const isHidden = element.closest('[aria-label="Skip links"]') !== null;
      // Tab reaches only the chosen radio button of a group.
      const isPassed = element.matches('[type="radio"]:not(:checked)');
      return (
        isInView &&
        !isHidden &&
        !isPassed &&
        element.tabIndex >= 0 &&
        element.checkVisibility({ visibilityProperty: true })
      );
    }).length;
  });
}
