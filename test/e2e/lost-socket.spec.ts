import { expect } from '@playwright/test';
import {
  answers,
  chooseModel,
  messageBox,
  openAddress,
  runButton,
  sendMessage,
} from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { startTcpProxy } from './fixtures/tcp-proxy.ts';

test('reconnects a dropped socket, and says how to get a new URL once its session ended', async ({
  app,
  host,
  gateway,
}) => {
  const address = new URL(await host.freshAddress());
  const tunnel = await startTcpProxy(Number(address.port));
  try {
    address.port = String(tunnel.port);
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
    // An action without a connection shows an error and loses nothing.
    const stop = app.getByRole('button', { name: 'Stop', exact: true });
    await expect(answers(app)).toContainText('Connection lost');
    await expect(stop).toHaveCount(0);
    await messageBox(app).press('ControlOrMeta+Enter');
    await expect(app.getByRole('alert')).toContainText(/connection/i);

    tunnel.restore();
    await expect(banner).toBeHidden();
    await expect(stop).toBeVisible();
    await expect(answers(app).getByText('one two', { exact: true })).toBeVisible();
    await call.say('three');
    await call.finish();
    await expect(answers(app).getByText('one two three', { exact: true })).toBeVisible();
    await expect(runButton(app)).toBeVisible();
    await expect(messageBox(app)).toHaveValue('What I was about to write');
    expect(gateway.calls).toHaveLength(1);

    await app.context().clearCookies();
    await app.reload();
    await expect(app.getByRole('heading')).toContainText('expired');
    await openAddress(app, await host.freshAddress());
    await expect(app.getByRole('heading', { name: 'Chat' })).toBeVisible();
  } finally {
    await tunnel.close();
  }
});
