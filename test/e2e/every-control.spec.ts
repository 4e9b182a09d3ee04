import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { panelNames, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

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

for (const panel of ['Completion', 'Rerank']) {
  test(`${panel} with a result and the inspector: every control is reached`, async ({ app }) => {
    await showResult(app, panel);
    await app.keyboard.press('ControlOrMeta+j');
    await expect(app.getByRole('listbox', { name: 'Runs' }).getByRole('option')).not.toHaveCount(0);
    await expectAllReached(app, panel);
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
 * Goes once round the page: with Tab from stop to stop, with the arrow keys through what is one stop. Reached is what
 * had the focus, or, in a tree, what the arrow keys named; each control by itself.
 */
async function expectAllReached(app: Page, panel: string): Promise<void> {
  await app.getByRole('link', { name: panel, exact: true }).focus();
  for (let count = 0; count < 300 && (await reach(app)).isNew; count += 1) {
    await goThroughStop(app);
    await app.keyboard.press('Tab');
  }
  expect.soft(await takeMissed(app), `of ${panel}`).toEqual([]);
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
    const isNew = reached.some(({ dataset }) => dataset.met === undefined);
    for (const { dataset } of reached) dataset.met = 'yes';
    return { isNew };
  });
}

/** What of all that can be used has not been reached, by name; the marks go. */
function takeMissed(app: Page): Promise<string[]> {
  return app.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, textarea, select, summary, audio[controls], video[controls], ' +
        '[tabindex="0"], [role="option"], [role="treeitem"]',
    );
    const missed = [...controls]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => !control.matches(':disabled') && control.closest('[inert]') === null)
      // Only for the pointer: its field opens the same by key.
      .filter((control) => control.closest('[aria-hidden="true"]') === null)
      .filter(({ dataset }) => dataset.met === undefined)
      .map(
        (control) =>
          `${control.tagName} ${control.getAttribute('aria-label') ?? control.innerText}`,
      );
    for (const element of document.querySelectorAll('[data-met]')) {
      element.removeAttribute('data-met');
    }
    return missed;
  });
}
