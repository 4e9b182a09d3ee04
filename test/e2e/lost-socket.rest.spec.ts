import { expect, type Locator, type Page } from '@playwright/test';
import {
  answers,
  chooseModel,
  messageBox,
  openAddress,
  sendButton,
  sendMessage,
} from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { startTcpProxy } from './fixtures/tcp-proxy.ts';

test('keeps all data when the socket drops, retries missing chunks, and asks for a new URL', async ({
  app,
  host,
  gateway,
}) => {
  const address = new URL(await host.freshAddress());
  const tunnel = await startTcpProxy(Number(address.port));
  try {
    address.port = String(tunnel.port);
    await loadNothingAhead(app);
    await openAddress(app, address.href);
    await chooseModel(app, 'steady-model');
    await sendMessage(app, 'Count');
    const call = await gateway.nextCall();
    await call.say('one ');
    await expect(answers(app)).toContainText('one');
    await messageBox(app).fill('What I was about to write');

    tunnel.cut();
    const banner = app.getByText(/Lost connection to Gatehouse.*Your text is kept/);
    await expect(banner).toBeVisible();
    await call.say('two ');
    // An action without a connection must show an error and keep the input.
    const stop = app.getByRole('button', { name: 'Stop', exact: true });
    await expect(answers(app)).toContainText('Connection lost');
    await expect(stop).toHaveCount(0);
    await messageBox(app).press('ControlOrMeta+Enter');
    await expect(app.getByRole('alert')).toContainText(/connection/i);

    // A chunk that fails to load must show an error in its place.
    const inspector = app.getByRole('region', { name: 'Inspector' });
    const missing = inspector.getByRole('alert');
    await app.keyboard.press('ControlOrMeta+j');
    await expect(missing).toContainText('Couldn’t load this section. Gatehouse isn’t reachable.');
    await inspector.getByRole('button', { name: 'Try again' }).click();
    await expect(missing).toContainText('Couldn’t load this section. Gatehouse isn’t reachable.');

    tunnel.restore();
    await expect(banner).toBeHidden();
    await expect(stop).toBeVisible();
    await expect(answers(app).getByText('one two', { exact: true })).toBeVisible();
    await call.say('three');
    await call.finish();
    await expect(answers(app).getByText('one two three', { exact: true })).toBeVisible();
    await expect(sendButton(app)).toBeVisible();
    await expect(messageBox(app)).toHaveValue('What I was about to write');
    expect(gateway.calls).toHaveLength(1);
    await expect(inspector.getByRole('button', { name: 'Close inspector' })).toBeVisible();
    await expectStyled(inspector);

    await app.context().clearCookies();
    await app.reload();
    await expect(app.getByRole('heading')).toContainText('expired');
    await openAddress(app, await host.freshAddress());
    await expect(app.getByRole('heading', { name: 'Chat' })).toBeVisible();
  } finally {
    await tunnel.close();
  }
});

/** Keeps the page from preloading the remaining chunks. */
async function loadNothingAhead(app: Page): Promise<void> {
  await app.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
}

/** Expects every style sheet to have loaded and to style the element. */
async function expectStyled(part: Locator): Promise<void> {
  const { missing, isStyled } = await part.evaluate((element) => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
    const sheets = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    const text = sheets.map(({ cssText }) => cssText).join('');
    return {
      missing: links.filter(({ sheet }) => sheet === null).map(({ href }) => href),
      isStyled: [...element.classList].every((name) => text.includes(`.${name}`)),
    };
  });
  expect(missing).toEqual([]);
  expect(isStyled).toBe(true);
}
