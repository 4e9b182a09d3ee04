import { expect } from '@playwright/test';
import { answers, chooseModel, messageBox, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

test('focuses the message and keeps the scroll position after a reload', async ({
  app,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  const long = Array.from({ length: 90 }, (_, line) => `Line ${line + 1}.`).join('\n\n');
  await sendMessage(app, 'A long one');
  const call = await gateway.nextCall();
  await call.say(long);
  await call.finish();
  const log = app.getByRole('log', { name: 'Conversation' });
  await expect(answers(app)).toContainText('Line 90.');
  await log.hover();
  await app.mouse.wheel(0, -600);
  await expect(app.getByRole('button', { name: 'Jump to end' })).toBeVisible();
  // Don't compare the offset, because heights above are estimates until they render.
  const firstLine = () =>
    log.evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      const lines = [...element.querySelectorAll('p')];
      return lines.find((line) => line.getBoundingClientRect().top >= top)?.textContent ?? '';
    });
  let before = '';
  await expect
    .poll(async () => {
      const last = before;
      before = await firstLine();
      return before !== '' && before === last;
    })
    .toBe(true);
  // The page saves the position once scrolling has ended.
  await app.waitForFunction(() => {
    const kept = localStorage.getItem('gatehouse:chat') ?? '{}';
    return Object.keys(JSON.parse(kept).state?.places ?? {}).length > 0;
  });
  await app.reload();
  await expect(messageBox(app)).toBeFocused();
  await expect(app.getByRole('button', { name: 'Jump to end' })).toBeVisible();
  await expect.poll(firstLine).toBe(before);
});
