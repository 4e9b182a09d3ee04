import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, chooseModel, sendMessage } from './fixtures/chat-page.ts';
import { expectFocusHeld } from './fixtures/hold-focus.ts';
import { result, showResult } from './fixtures/panel-results.ts';
import { enterPanel, expectAllReached } from './fixtures/reached-controls.ts';

// Where the focus is, is asked after each key.
test.use({ demoSpeed: 20, holdsFocus: false });

test.describe.configure({ timeout: 600_000 });

/** The tabs of the inspector, each with words that are there once it has read what it shows. */
const tabWords = [
  ['Request', '"demo-echo"'],
  ['Response', 'total_tokens'],
  ['Events', /\d+ events/],
  ['Timing', 'Longest gap'],
  ['Code', '--data-raw'],
] as const;

test('the keys reach every control of each tab of the inspector', async ({ app }) => {
  // Few events: each is a row.
  await chooseModel(app, 'demo-echo');
  await sendMessage(app, 'Hi');
  await expect(answers(app)).toContainText('Total');
  await app.keyboard.press('ControlOrMeta+j');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  const tabs = inspector.getByRole('tab');
  await expect(tabs).toHaveText(tabWords.map(([name]) => name));
  await tabs.first().focus();
  for (const [name, words] of tabWords) {
    await app.keyboard.press(name === 'Request' ? 'Home' : 'ArrowRight');
    const tab = inspector.getByRole('tab', { name, exact: true });
    await expect(tab).toBeFocused();
    await app.keyboard.press('Enter');
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(inspector.getByRole('tabpanel')).toContainText(words);
    await expectAllReached(app, 'Chat', inspector);
    await pressEach(app, 'Chat', inspector.getByRole('tabpanel'));
    await tab.focus();
  }
});

test('every control of a message and of an answer is used by its key', async ({ app }) => {
  await showResult(app, 'Chat');
  await pressEach(app, 'Chat', app.getByRole('article', { name: 'user' }), 3);
  await app.getByRole('main').getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(answers(app)).toHaveCount(1);
  await pressEach(app, 'Chat', answers(app).first(), 3);
});

test('every control of a record is used by its key', async ({ app }) => {
  await showResult(app, 'Speech');
  await showResult(app, 'History');
  await pressEach(app, 'History', app.getByRole('article', { name: 'Run' }), 3);
});

test('every control of the tasks and of a task is used by its key', async ({ app }) => {
  await showResult(app, 'Video');
  await pressEach(app, 'Video', app.getByRole('region', { name: 'Tasks' }), 1);
  await pressEach(app, 'Video', result(app), 3);
});

/**
 * Presses each button with Enter, what deletes last; what opens over the page is closed, and another panel left.
 * `least`: how many buttons there must be at least.
 */
async function pressEach(app: Page, panel: string, part: Locator, least = 0): Promise<void> {
  const used = new Set<string>();
  for (;;) {
    const names = await buttonNames(part);
    const name = names.find((one) => !used.has(one) && !/Delete/.test(one));
    const next = name ?? names.find((one) => !used.has(one));
    if (next === undefined) break;
    used.add(next);
    const button = part.getByRole('button', { name: next, exact: true }).first();
    const opens = (await button.getAttribute('aria-haspopup')) !== null;
    await button.focus();
    await app.keyboard.press('Enter');
    if (opens) await expect(over(app)).not.toHaveCount(0);
    if (/^Open (in|conversation)\b/.test(next)) await expect(headingOf(app, panel)).toBeHidden();
    await expectFocusHeld(app, `after ${next}`);
    await leaveWhatOpened(app, panel);
    await expectFocusHeld(app, `after ${next} was closed`);
    if (!/Delete/.test(next)) await expect(part).toBeVisible();
    else if ((await part.count()) === 0) break;
  }
  expect(used.size).toBeGreaterThanOrEqual(least);
}

const over = (app: Page) =>
  app
    .locator('dialog:modal, [role="menu"], [role="dialog"]')
    .or(app.getByRole('textbox', { name: 'Edit message' }));

const headingOf = (app: Page, panel: string) =>
  app.getByRole('heading', { name: panel, exact: true, level: 1 });

function buttonNames(part: Locator): Promise<string[]> {
  return part.locator('button').evaluateAll((buttons: HTMLElement[]) =>
    buttons
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .filter((button) => !button.matches(':disabled, [role], [aria-disabled="true"]'))
      .map((button) => button.getAttribute('aria-label') ?? button.innerText.trim()),
  );
}

async function leaveWhatOpened(app: Page, panel: string): Promise<void> {
  await expect(async () => {
    if ((await over(app).count()) > 0) await app.keyboard.press('Escape');
    await expect(over(app)).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  const stop = app.getByRole('button', { name: 'Stop', exact: true });
  await expect(stop).toHaveCount(0);
  if (!(await headingOf(app, panel).isVisible())) await enterPanel(app, panel);
}
