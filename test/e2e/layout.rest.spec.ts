import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { chooseModel } from './fixtures/chat-page.ts';
import { expectRoom, LOW } from './fixtures/layout.ts';
import { result } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

test('scrolls to the start of a result, then keeps focus and scroll position', async ({ app }) => {
  await app.setViewportSize(LOW);
  await openPanel(app, 'Completion');
  await app.keyboard.press('ControlOrMeta+j');
  const prompt = app.getByRole('textbox', { name: 'Prompt', exact: true });
  await prompt.fill(Array.from({ length: 12 }, (_, line) => `Line ${line + 1} of many`).join('\n'));
  await chooseModel(app, 'demo-story');
  await prompt.press('ControlOrMeta+Enter');
  await expectRoom(result(app), 'while it runs');
  await expect(prompt).toBeFocused();
  await expect(result(app).getByText('Succeeded', { exact: true })).toBeVisible();
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
