import { expect, type Locator, type Page } from '@playwright/test';
import { messageBox, openAddress } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { startTcpProxy } from './fixtures/tcp-proxy.ts';

const missing = 'Couldn’t load this section. Gatehouse isn’t reachable.';

test("parts that can't be loaded show an error in place, and load when Gatehouse is back", async ({
  app,
  host,
}) => {
  const address = new URL(await host.freshAddress());
  const tunnel = await startTcpProxy(Number(address.port));
  try {
    address.port = String(tunnel.port);
    await loadNothingAhead(app);
    await openAddress(app, address.href);
    await messageBox(app).fill('What I was about to write');
    tunnel.cut();
    await expect(app.getByText('Lost connection to Gatehouse')).toBeVisible();

    const inspector = app.getByRole('region', { name: 'Inspector' });
    await app.keyboard.press('ControlOrMeta+j');
    await expect(inspector.getByRole('alert')).toContainText(missing);
    await expectDraft(app);
    // The button works, and shows the same error while nothing has changed.
    await inspector.getByRole('button', { name: 'Try again' }).click();
    await expect(inspector.getByRole('alert')).toContainText(missing);

    await app.keyboard.press('ControlOrMeta+k');
    const palette = app.getByRole('dialog', { name: 'Command palette' });
    await expectMissing(palette);
    await app.keyboard.press('Escape');
    await expect(palette).toBeHidden();
    await expectDraft(app);

    await app.getByRole('button', { name: 'Presets', exact: true }).click();
    const presets = app.getByRole('dialog', { name: /presets/i });
    await expectMissing(presets);

    tunnel.restore();
    await expect(app.getByText('Lost connection to Gatehouse')).toBeHidden();
    await expect(presets.getByRole('textbox', { name: 'Save settings as' })).toBeVisible();
    await expectStyled(presets);
    await app.keyboard.press('Escape');
    await expect(inspector.getByRole('button', { name: 'Close inspector' })).toBeVisible();
    await expectStyled(inspector);
    await app.keyboard.press('ControlOrMeta+k');
    await expect(palette.getByRole('combobox', { name: 'Command' })).toBeVisible();
    await expectStyled(palette);
    await app.keyboard.press('Escape');
    await expectDraft(app);
  } finally {
    await tunnel.close();
  }
});

/** Acts as if the page had not had time to load the rest. */
async function loadNothingAhead(app: Page): Promise<void> {
  await app.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

async function expectMissing(place: Locator): Promise<void> {
  await expect(place.getByRole('alert')).toContainText(missing);
  await expect(place.getByRole('button', { name: 'Try again' })).toBeVisible();
}

async function expectDraft(app: Page): Promise<void> {
  await expect(messageBox(app)).toHaveValue('What I was about to write');
  await expect(messageBox(app)).toBeVisible();
}

/** Expects styles on the element and everything in it. */
async function expectStyled(part: Locator): Promise<void> {
  await expectEverySheet(part.page());
  const rules = await part.evaluate((element) => {
    const sheets = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    const text = sheets.map(({ cssText }) => cssText).join('');
    return [...element.classList].every((name) => text.includes(`.${name}`));
  });
  expect(rules).toBe(true);
}

/** Expects every style sheet to have loaded. */
async function expectEverySheet(app: Page): Promise<void> {
  const missing = await app.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
      .filter(({ sheet }) => sheet === null)
      .map(({ href }) => href),
  );
  expect(missing).toEqual([]);
}
