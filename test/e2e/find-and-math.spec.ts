import { expect } from '@playwright/test';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

const answer = [
  'The roots are $x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$, from $5 to $6.',
  '$$\n\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}\n$$',
  '**注意：**这是**（重要）**的[^1]，见https://example.com/a。',
  '[^1]: A note about **roots**.',
].join('\n\n');

test('formulas are drawn, and find goes through the matches', async ({ app, gateway }) => {
  const refused: string[] = [];
  app.on('console', (message) => {
    if (/Content Security Policy|Failed to load/.test(message.text())) refused.push(message.text());
  });
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Where are the roots?');
  const call = await gateway.nextCall();
  for (const piece of answer.match(/[\s\S]{1,9}/g) ?? []) await call.say(piece);
  await call.finish();
  await expect(runButton(app)).toBeVisible();
  await expect(answers(app).locator('.katex-display')).toBeVisible();
  await expect(answers(app).locator('.katex')).toHaveCount(2);
  await expect(answers(app)).toContainText('from $5 to $6.');
  // The fonts are the page's own, and no style of the formulas was refused.
  await app.evaluate(() => document.fonts.ready);
  expect(await app.evaluate(() => document.fonts.check('16px KaTeX_Main'))).toBe(true);
  // Without its styles, a fraction would be one line of text.
  const fraction = await answers(app).locator('.katex-display .mfrac').boundingBox();
  expect(fraction?.height).toBeGreaterThan(15);

  await app.getByRole('textbox', { name: 'Message', exact: true }).focus();
  await app.keyboard.press('ControlOrMeta+f');
  await expect(app.getByRole('textbox', { name: 'Find in conversation' })).toBeFocused();
  await app.keyboard.type('ROOTS');
  const count = app.getByRole('search').getByRole('status');
  await expect(count).toHaveText('1 of 3');
  await app.keyboard.press('Enter');
  await expect(count).toHaveText('2 of 3');
  const marked = () =>
    app.evaluate(() => [...(CSS.highlights.get('find-current') ?? [])].map(String));
  await expect.poll(marked).toEqual(['roots']);
  await app.keyboard.press('Escape');
  await expect(app.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused();
  expect(refused).toEqual([]);
});
