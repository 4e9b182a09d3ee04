import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { chooseModel, sendMessage } from './fixtures/chat-page.ts';
import { expectNothingCut, expectRoom, LOW } from './fixtures/layout.ts';
import { result } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.describe('at any pace', () => {
  test.use({ demoSpeed: 20 });

  test('four choices are not cut off', async ({ app }) => {
    await chooseModel(app, 'demo-echo');
    await app.getByRole('spinbutton', { name: 'Choices (n)' }).fill('4');
    await sendMessage(app, 'Four answers, side by side');
    await expect(app.getByRole('tab', { name: 'Choice 4' })).toBeVisible();
    await expectNothingCut(app, 'four choices');
  });
});

test('scrolls to the start of a result, and leaves focus and scrolling to the user', async ({
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

test('the list of conversations keeps the width it is dragged to', async ({ app }) => {
  const list = app.getByRole('navigation', { name: 'Conversations' });
  const edge = app.getByRole('separator', { name: 'Conversation list width' });
  await expect(edge).toBeVisible();
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
  await expect(edge).toBeVisible();
  expect(await width()).toBe(300);
  await edge.dblclick();
  await expect.poll(width).toBe(before.width);
});
