import { expect, type Page } from '@playwright/test';
import { answers, messageBox, sendButton, stopButton } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { letFocusGo } from './fixtures/hold-focus.ts';
import { tabTo } from './fixtures/tab-to.ts';

const named = (app: Page, name: string) =>
  app
    .getByLabel(name, { exact: true })
    .or(app.getByRole('tab', { name, exact: true }))
    .first();

const panels = [
  'Chat',
  'Completion',
  'Image',
  'Video',
  'Rerank',
  'Embeddings',
  'Speech',
  'Transcription',
];

test('sends, stops and inspects a run and opens every panel by keyboard', async ({
  app,
  gateway,
}) => {
  await expect(messageBox(app)).toBeVisible();
  await tabTo(app, named(app, 'Model'));
  await app.keyboard.type('steady-model');
  await app.keyboard.press('Enter');
  await tabTo(app, named(app, 'Message'));
  await app.keyboard.type('First line');
  await app.keyboard.press('Shift+Enter');
  await app.keyboard.type('second line');
  await app.keyboard.press('ControlOrMeta+Enter');
  const call = await gateway.nextCall();
  expect(call.body.messages).toEqual([{ role: 'user', content: 'First line\nsecond line' }]);
  await call.say('Here it ');
  await expect(answers(app)).toContainText('Here it');
  await expect(stopButton(app)).toBeVisible();
  await expect(messageBox(app)).toBeFocused();
  await expect(messageBox(app)).toHaveValue('');

  await app.keyboard.press('Escape');
  await call.closedAt;
  await expect(sendButton(app)).toBeVisible();
  await expect(answers(app)).toContainText('Here it');

  await app.keyboard.press('ControlOrMeta+J');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  await expect(inspector).toBeVisible();
  await tabTo(app, named(app, 'Request'));
  await app.keyboard.press('ArrowRight');
  await app.keyboard.press('Enter');
  await expect(inspector.getByRole('tab', { name: 'Response' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await app.keyboard.press('ControlOrMeta+J');
  await expect(inspector).toBeHidden();
  await expectOrderedStops(app);

  for (const [index, panel] of [...panels, 'Console'].entries()) {
    await app.keyboard.press(`ControlOrMeta+${index + 1}`);
    await expect(app.getByRole('heading', { level: 1 })).toHaveText(panel);
  }
  await app.keyboard.press('ControlOrMeta+,');
  await expect(app.getByRole('heading', { level: 1 })).toHaveText('Settings');

  const palette = app.getByRole('dialog', { name: 'Command palette' });
  await app.keyboard.press('ControlOrMeta+K');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await app.keyboard.type('complet');
  await app.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(app.getByRole('heading', { level: 1 })).toHaveText('Completion');

  await app.keyboard.press('ControlOrMeta+K');
  await app.keyboard.type('dark');
  await app.keyboard.press('Enter');
  await expect(app.locator('html')).toHaveAttribute('data-theme', 'dark');

  // Text typed while the palette loads must go to the palette.
  await app.keyboard.press('ControlOrMeta+1');
  const gate = Promise.withResolvers<void>();
  await app.route(/command-palette[^/]*\.js$/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await app.reload();
  await expect(messageBox(app)).toBeFocused();
  await app.keyboard.press('ControlOrMeta+K');
  await app.keyboard.type('histx');
  await app.keyboard.press('Backspace');
  await app.keyboard.press('Enter');
  gate.resolve();
  await expect(app.getByRole('heading', { level: 1 })).toHaveText('History');
  await app.keyboard.press('ControlOrMeta+1');
  await expect(messageBox(app)).toHaveValue('');
});

/** Checks that Tab follows the visual order and that every stop has a name and an outline. */
async function expectOrderedStops(app: Page): Promise<void> {
  await app.getByRole('link', { name: 'Chat', exact: true }).focus();
  await app.keyboard.press('Shift+Tab');
  const stops: Stop[] = [];
  await letFocusGo(app, async () => {
    stops.push(...(await tabStops(app)));
    await messageBox(app).focus();
  });
  expect(stops.filter(({ name }) => name === '')).toEqual([]);
  const names = stops.map(({ name }) => name);
  const inOrder = ['Chat', 'Settings', 'Connection', 'Model', 'Message'];
  expect(names.filter((name) => inOrder.includes(name))).toEqual(inOrder);
  for (const { name, outline } of stops) expect(outline, name).toBe(true);
}

interface Stop {
  name: string;
  outline: boolean;
}

/** Presses Tab until it returns to the first stop. */
async function tabStops(app: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let count = 0; count < 120; count += 1) {
    await app.keyboard.press('Tab');
    const stop = await app.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      if (element.dataset.visited) return null;
      element.dataset.visited = 'true';
      // Labels can be siblings or parents.
      const label =
        document.querySelector<HTMLElement>(`label[for="${element.id}"]`) ??
        element.closest<HTMLElement>('label');
      const name = element.getAttribute('aria-label') ?? label?.innerText ?? element.innerText;
      const isOutlined = (shown: Element | null) => {
        if (shown === null) return false;
        const { outlineStyle, outlineWidth } = getComputedStyle(shown);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
      };
      // A slider outlines its thumb, which has no computed style.
      const isSlider = element instanceof HTMLInputElement && element.type === 'range';
      // The box around a text area shows its outline.
      let around: Element | null = element;
      // A separator highlights its line.
      let outline = isSlider || element.getAttribute('role') === 'separator';
      for (let depth = 0; depth < 4 && around !== null && !outline; depth += 1) {
        outline = isOutlined(around);
        around = around.parentElement;
      }
      return { name: name.trim(), outline };
    });
    if (stop === null) return stops;
    stops.push(stop);
  }
  return stops;
}
