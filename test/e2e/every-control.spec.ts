import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { holdFocus } from './fixtures/hold-focus.ts';
import { panelResults } from './fixtures/panel-results.ts';

test.describe.configure({ timeout: 240_000 });

const panels = [
  'Chat',
  'Completion',
  'Image',
  'Video',
  'Rerank',
  'Speech',
  'Transcription',
  'Console',
  'History',
  'Library',
  'Settings',
];

test('Tab, and the arrows within a list, reach every control of every panel', async ({ app }) => {
  for (const panel of panels) {
    await enterPanel(app, panel);
    await expectAllReached(app, panel);
  }
});

for (const panel of ['Chat', 'Completion', 'Rerank']) {
  test(`${panel} with a result and the inspector: every control is reached`, async ({ app }) => {
    await app.getByRole('link', { name: panel, exact: true }).click();
    await panelResults[panel]?.(app);
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

/** Goes once round the page with Tab, the focus always on something, and lists what it has not met. */
async function expectAllReached(app: Page, panel: string): Promise<void> {
  holdFocus(app);
  await app.getByRole('link', { name: panel, exact: true }).focus();
  for (let count = 0; count < 300; count += 1) {
    const isRound = await app.evaluate(() => {
      const active = document.activeElement;
      if (!(active instanceof HTMLElement) || active.dataset.reached !== undefined) return true;
      active.dataset.reached = 'yes';
      return false;
    });
    if (isRound) break;
    await app.keyboard.press('Tab');
  }
  const missed = await app.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, textarea, select, summary, [tabindex="0"]',
    );
    const isReached = (control: HTMLElement) => {
      if (control.dataset.reached !== undefined) return true;
      // One of a group is its stop, and arrows reach the others. A log is drawn where it is shown.
      const group = control.closest(
        '[data-row], [role="tablist"], [role="radiogroup"], [role="tree"], [role="toolbar"], [role="log"], fieldset',
      );
      if (group === null) return false;
      const list = group.matches('[data-row]') ? group.parentElement?.parentElement : group;
      return list?.querySelector('[data-reached]') != null;
    };
    return (
      [...controls]
        .filter((control) => control.checkVisibility({ visibilityProperty: true }))
        .filter((control) => !control.matches(':disabled') && control.closest('[inert]') === null)
        // Only for the pointer: its field opens the same by key.
        .filter((control) => control.closest('[aria-hidden="true"]') === null)
        .filter((control) => !isReached(control))
        .map(
          (control) =>
            `${control.tagName} ${control.getAttribute('aria-label') ?? control.innerText}`,
        )
    );
  });
  await app.evaluate(() => {
    for (const element of document.querySelectorAll('[data-reached]')) {
      element.removeAttribute('data-reached');
    }
  });
  expect(missed, `of ${panel}`).toEqual([]);
}
