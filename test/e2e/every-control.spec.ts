import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { answers, chooseModel, sendMessage } from './fixtures/chat-page.ts';
import { expectFocusHeld } from './fixtures/hold-focus.ts';
import { panelNames, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

// Where the focus is, is asked after each key.
test.use({ demoSpeed: 20, holdsFocus: false });

test.describe.configure({ timeout: 600_000 });

const emptyPanels = [...panelNames, 'Library', 'Settings'];

test('the keys reach every control of every panel', async ({ app }) => {
  for (const panel of emptyPanels) {
    await enterPanel(app, panel);
    await expectAllReached(app, panel);
  }
});

test('the keys reach every control of the panels with a result', async ({ app }) => {
  for (const panel of ['Completion', 'Image', 'Rerank', 'Speech', 'Transcription', 'Console']) {
    await showResult(app, panel);
    await expectAllReached(app, panel);
  }
  await openPanel(app, 'Library');
  await app
    .getByRole('button', { name: /^Show / })
    .first()
    .click();
  await expectAllReached(app, 'Library');
});

for (const panels of [['Chat'], ['Video'], ['Speech', 'History']]) {
  test(`the keys reach every control of ${panels.at(-1)} with a result`, async ({ app }) => {
    for (const panel of panels) await showResult(app, panel);
    await expectAllReached(app, panels.at(-1) ?? '');
  });
}

for (const panel of ['Completion', 'Rerank']) {
  test(`${panel} with a result and the inspector: every control is reached`, async ({ app }) => {
    await showResult(app, panel);
    await app.keyboard.press('ControlOrMeta+j');
    await expect(app.getByRole('listbox', { name: 'Runs' }).getByRole('option')).not.toHaveCount(0);
    await expectAllReached(app, panel);
  });
}

test('the keys reach every control of each tab of the inspector', async ({ app }) => {
  // Few events: each is a row.
  await chooseModel(app, 'demo-echo');
  await sendMessage(app, 'Hi');
  await expect(answers(app)).toContainText('Total', { timeout: 30_000 });
  await app.keyboard.press('ControlOrMeta+j');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  const tabs = inspector.getByRole('tab');
  await expect(tabs).toHaveCount(5);
  await tabs.first().focus();
  for (const name of await tabs.allInnerTexts()) {
    await app.keyboard.press(name === 'Request' ? 'Home' : 'ArrowRight');
    const tab = inspector.getByRole('tab', { name, exact: true });
    await expect(tab).toBeFocused();
    await app.keyboard.press('Enter');
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expectAllReached(app, 'Chat', inspector);
    await pressEach(app, 'Chat', inspector.getByRole('tabpanel'));
    await tab.focus();
  }
});

/** What is pressed in each, once the panels before the last have their results. */
const parts: [string, string[], (app: Page) => Locator][] = [
  ['an answer', ['Chat'], (app) => app.getByRole('article', { name: 'assistant' })],
  ['a message', ['Chat'], (app) => app.getByRole('article', { name: 'user' })],
  ['a record', ['Speech', 'History'], (app) => app.getByRole('article', { name: 'Run' })],
  ['the tasks', ['Video'], (app) => app.getByRole('region', { name: 'Tasks' })],
  ['a task', ['Video'], (app) => app.getByRole('region', { name: 'Result' })],
];

for (const [name, panels, part] of parts) {
  test(`every control of ${name} is used by its key`, async ({ app }) => {
    for (const panel of panels) await showResult(app, panel);
    await pressEach(app, panels.at(-1) ?? '', part(app).first());
  });
}

async function enterPanel(app: Page, name: string): Promise<void> {
  const link = app.getByRole('link', { name, exact: true });
  await link.focus();
  await app.keyboard.press('Enter');
  await expect(app.getByRole('heading', { name, exact: true, level: 1 })).toBeVisible();
  const connection = app.getByRole('main').getByRole('combobox', { name: 'Connection' });
  if ((await connection.count()) > 0) await expect(connection).toBeEnabled();
}

/**
 * Goes once round the page, or through one part of it: with Tab from stop to stop, with the arrow keys through what
 * is one stop. Reached is what had the focus, or, in a tree, what the arrow keys named; each control by itself.
 */
async function expectAllReached(app: Page, panel: string, part?: Locator): Promise<void> {
  const stops = part?.locator('button, [tabindex="0"]');
  await (stops ?? app.getByRole('link', { name: panel, exact: true })).first().focus();
  for (let count = 0; count < 300 && (await reach(app)).isNew; count += 1) {
    await goThroughStop(app);
    await app.keyboard.press('Tab');
    if (part !== undefined && (await part.locator(':focus').count()) === 0) break;
  }
  // What a long conversation did not draw above its end is reached backward.
  for (let count = 0; count < 300 && (await missedIn(app, part)).length > 0; count += 1) {
    await app.keyboard.press('Shift+Tab');
    await reach(app);
  }
  expect.soft(await missedIn(app, part), `of ${panel}`).toEqual([]);
  await app.evaluate(() => {
    delete document.body.dataset.metRows;
    for (const element of document.querySelectorAll('[data-met]')) {
      element.removeAttribute('data-met');
    }
  });
}

/** Presses each button with Enter, what deletes last; what opens over the page is closed, and another panel left. */
async function pressEach(app: Page, panel: string, part: Locator): Promise<void> {
  const used = new Set<string>();
  for (;;) {
    const names = await buttonNames(part);
    const name = names.find((one) => !used.has(one) && !/Delete/.test(one));
    const next = name ?? names.find((one) => !used.has(one));
    if (next === undefined) break;
    used.add(next);
    const button = part.getByRole('button', { name: next, exact: true }).first();
    await button.focus();
    await app.keyboard.press('Enter');
    await expectFocusHeld(app, `after ${next}`);
    await leaveWhatOpened(app, panel);
    await expectFocusHeld(app, `after ${next} was closed`);
    if ((await part.count()) === 0) break;
  }
}

function buttonNames(part: Locator): Promise<string[]> {
  return part.locator('button').evaluateAll((buttons: HTMLElement[]) =>
    buttons
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .filter((button) => !button.matches(':disabled, [role], [aria-disabled="true"]'))
      .map((button) => button.getAttribute('aria-label') ?? button.innerText.trim()),
  );
}

async function leaveWhatOpened(app: Page, panel: string): Promise<void> {
  const over = app.locator('dialog:modal, [role="menu"], [role="dialog"]');
  const editor = app.getByRole('textbox', { name: 'Edit message' });
  if ((await over.or(editor).count()) > 0) await app.keyboard.press('Escape');
  await expect(over.or(editor)).toHaveCount(0);
  const stop = app.getByRole('button', { name: 'Stop', exact: true });
  await expect(stop).toHaveCount(0, { timeout: 30_000 });
  const heading = app.getByRole('heading', { name: panel, exact: true, level: 1 });
  if (!(await heading.isVisible())) await enterPanel(app, panel);
}

/** The arrow keys of the list, tree, tab list or group of radio buttons that the focus is in. */
async function goThroughStop(app: Page): Promise<void> {
  switch (await stopKind(app)) {
    case 'rows':
      await goes(app, 'Home');
      await goThroughRow(app);
      while (await goes(app, 'ArrowDown')) await goThroughRow(app);
      await app.keyboard.press('Home');
      break;
    case 'tree':
      while (await goes(app, 'ArrowDown'));
      break;
    case 'media':
      // Its own controls are stops within it.
      for (let count = 0; count < 20 && (await stopKind(app)) === 'media'; count += 1) {
        await app.keyboard.press('Tab');
      }
      await app.keyboard.press('Shift+Tab');
      break;
    case 'group':
      // Round, back to where it began.
      while (await goes(app, 'ArrowRight'));
      break;
    default:
  }
}

/** The further controls of a row and back, also from one that has arrow keys of its own. */
async function goThroughRow(app: Page): Promise<void> {
  let way = 0;
  while (await goes(app, 'ArrowRight')) {
    way += 1;
    if ((await app.locator(':focus').and(app.getByRole('slider')).count()) === 0) continue;
    await app.keyboard.press('Shift+Tab');
    return;
  }
  for (; way > 0; way -= 1) await app.keyboard.press('ArrowLeft');
}

/** Whether the key leads to something that was not reached before. */
async function goes(app: Page, key: string): Promise<boolean> {
  await app.keyboard.press(key);
  if ((await reach(app)).isNew) return true;
  // A row out of view is drawn before it takes the focus.
  await app.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  return (await reach(app)).isNew;
}

function stopKind(app: Page): Promise<'rows' | 'tree' | 'group' | 'media' | null> {
  return app.evaluate(() => {
    const active = document.activeElement;
    if (active?.matches('[role="tree"]')) return 'tree';
    if (active?.matches('video, audio')) return 'media';
    if (active?.matches('[role="tab"], [type="radio"], [role="radio"]')) return 'group';
    return active?.closest('[data-row]') != null ? 'rows' : null;
  });
}

function reach(app: Page): Promise<{ isNew: boolean }> {
  return app.evaluate(() => {
    const active = document.activeElement;
    const named = active?.getAttribute('aria-activedescendant') ?? null;
    const descendant = named === null ? null : document.getElementById(named);
    const isOpenTree = active?.matches('[role="tree"]') === true;
    const reached = [active, isOpenTree ? descendant : null].filter(
      (element) => element instanceof HTMLElement,
    );
    // The rows of a long list are made again when they come back into view: their controls are known by their
    // list and their place in it.
    const known = new Set(document.body.dataset.metRows?.split('\n'));
    for (const row of document.querySelectorAll<HTMLElement>('[data-row]')) {
      const parent = row.parentElement;
      const name = parent?.closest('[aria-label]')?.getAttribute('aria-label');
      const list = `${name}/${parent?.className}`;
      row.querySelectorAll<HTMLElement>('*').forEach((control, place) => {
        const key = `${list}/${row.dataset.row}/${place}/${control.tagName}`;
        if (known.has(key)) control.dataset.met = 'yes';
        else if (control.dataset.met !== undefined || control === active) known.add(key);
      });
    }
    document.body.dataset.metRows = [...known].join('\n');
    const isNew = reached.some(({ dataset }) => dataset.met === undefined);
    for (const { dataset } of reached) dataset.met = 'yes';
    return { isNew };
  });
}

/** What of all that can be used has not been reached, by name. */
function missedIn(app: Page, part = app.locator('body')): Promise<string[]> {
  return part.evaluate((root) => {
    const controls = root.querySelectorAll<HTMLElement>(
      'a[href], button, input, textarea, select, summary, audio[controls], video[controls], ' +
        '[tabindex="0"], [role="option"], [role="treeitem"]',
    );
    return (
      [...controls]
        .filter((control) => control.checkVisibility({ visibilityProperty: true }))
        .filter((control) => !control.matches(':disabled') && control.closest('[inert]') === null)
        // Only for the pointer: its field opens the same by key.
        .filter((control) => control.closest('[aria-hidden="true"]') === null)
        .filter(({ dataset }) => dataset.met === undefined)
        .map(
          (control) =>
            `${control.tagName} ${control.getAttribute('aria-label') ?? control.innerText}`,
        )
    );
  });
}
