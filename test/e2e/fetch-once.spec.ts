import { expect, type Page } from '@playwright/test';
import {
  answers,
  chooseModel,
  messageBox,
  openAddress,
  runButton,
  sendMessage,
} from './fixtures/chat-page.ts';
import { listenToCalls } from './fixtures/contract-calls.ts';
import { test } from './fixtures/gateway-app.ts';
import type { ScriptedGateway } from './fixtures/scripted-gateway.ts';
import { startTcpProxy } from './fixtures/tcp-proxy.ts';

test.beforeEach(({ hostKind }) => {
  test.skip(hostKind !== 'browser', 'Its calls are read off the socket.');
});

const ofChat = ['conversations.get', 'conversations.list'];
const onceEach = { 'conversations.get': 1, 'conversations.list': 1 };

test('fetches once after each change of a conversation', async ({ app, gateway }) => {
  const calls = await listenToCalls(app);
  await chooseModel(app, 'steady-model');

  calls.forget();
  await sendMessage(app, 'First question');
  const first = await gateway.nextCall();
  // Shown from the response of the main process.
  const counts = await calls.count(ofChat);
  expect(counts['conversations.get'] ?? 0).toBeLessThanOrEqual(1);
  expect(counts['conversations.list']).toBe(1);
  await finish(app, first, 'First answer');

  await calls.count(ofChat);
  calls.forget();
  await sendMessage(app, 'Second question');
  const second = await gateway.nextCall();
  await expect(messageBox(app)).toHaveValue('');
  expect(await calls.count([...ofChat, 'models.suggest'])).toEqual({
    ...onceEach,
    'models.suggest': 1,
  });

  calls.forget();
  await finish(app, second, 'Second answer');
  expect(await calls.count(ofChat)).toEqual(onceEach);

  calls.forget();
  const list = app.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('button', { name: 'Actions for First question' }).click();
  await app.getByRole('menuitem', { name: 'Rename' }).click();
  const name = list.getByRole('textbox', { name: 'Conversation name' });
  await name.fill('Renamed');
  await name.press('Enter');
  await expect(list.getByRole('button', { name: 'Renamed', exact: true })).toBeVisible();
  expect(await calls.count(ofChat)).toEqual(onceEach);

  calls.forget();
  await answers(app).last().hover();
  await answers(app).last().getByRole('button', { name: 'Delete' }).click();
  await expect(app.getByText('Second answer')).toHaveCount(0);
  expect(await calls.count(ofChat)).toEqual(onceEach);
});

test('fetches everything shown once after a lost connection', async ({ app, host, gateway }) => {
  const address = new URL(await host.freshAddress());
  const tunnel = await startTcpProxy(Number(address.port));
  try {
    address.port = String(tunnel.port);
    await openAddress(app, address.href);
    const calls = await listenToCalls(app);
    await chooseModel(app, 'steady-model');
    await sendMessage(app, 'Question');
    await finish(app, await gateway.nextCall(), 'Answer');
    await calls.count(ofChat);
    const banner = app.getByText('Lost connection to Gatehouse');
    tunnel.cut();
    await expect(banner).toBeVisible();
    calls.forget();
    tunnel.restore();
    await expect(banner).toBeHidden();
    await expect.poll(() => calls.soFar('conversations.get')).toBeGreaterThan(0);
    const shown = [...ofChat, 'connections.list', 'models.suggest', 'tools.list', 'system.info'];
    expect(await calls.count([...shown, 'system.changes', 'system.describe'])).toEqual({
      ...Object.fromEntries(shown.map((procedure) => [procedure, 1])),
      'system.changes': 1,
      'system.describe': 0,
    });
  } finally {
    await tunnel.close();
  }
});

async function finish(
  app: Page,
  call: Awaited<ReturnType<ScriptedGateway['nextCall']>>,
  answer: string,
): Promise<void> {
  await call.say(answer);
  await call.finish();
  await expect(answers(app).last()).toContainText(answer);
  await expect(runButton(app)).toBeVisible();
}
