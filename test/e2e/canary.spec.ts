import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { filesWithKey } from '../fixtures/key-files.ts';
import { startBrowserHostProcess } from './fixtures/browser-host-process.ts';
import {
  actOn,
  answers,
  chooseModel,
  openAddress,
  runButton,
  sendButton,
  sendMessage,
} from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { expectNoKey, expectNoKeyInPage, recordFrames } from './fixtures/key-search.ts';
import { type GatewayCall, jsonReply, modelList } from './fixtures/scripted-gateway.ts';
import { addConnection, openPanel } from './fixtures/settings-page.ts';

const KEY = 'sk-canary/Zq7+Xw93kLmN0pRstUv';

/** Responses that repeat the key; the answer must still show the words around it. */
const repeats: {
  name: string;
  /** True if the key arrives in chunks, which may reach the page until the answer ends. */
  isInPieces?: boolean;
  reply(call: GatewayCall): Promise<void>;
  shows: string;
}[] = [
  {
    name: 'split over two frames',
    isInPieces: true,
    async reply(call) {
      await call.say(`Before ${KEY.slice(0, 12)}`);
      await call.say(`${KEY.slice(12)} after-frames`);
      await call.finish();
    },
    shows: 'after-frames',
  },
  {
    name: 'in a document with headers',
    reply: (call) =>
      call.reply(
        jsonReply(
          '200 OK',
          {
            id: KEY,
            system_fingerprint: KEY,
            choices: [{ index: 0, message: { role: 'assistant', content: `${KEY} after-json` } }],
          },
          { 'x-request-id': KEY, 'x-debug': `authorization: Bearer ${KEY}` },
        ),
      ),
    shows: 'after-json',
  },
  {
    name: 'in a 401',
    reply: (call) =>
      call.reply(
        jsonReply(
          '401 Unauthorized',
          { error: { message: `Incorrect API key provided: ${KEY}. after-401`, code: KEY } },
          { 'WWW-Authenticate': `Bearer realm="${KEY}"`, 'x-oneapi-request-id': KEY },
        ),
      ),
    shows: 'after-401',
  },
  {
    name: 'as reasoning and as a tool call',
    async reply(call) {
      const called = { name: `do_${KEY}`, arguments: `{"key":"${KEY}"}` };
      const delta = {
        reasoning_content: `I think of ${KEY}`,
        content: 'after-thinking',
        tool_calls: [{ index: 0, id: `call_${KEY}`, type: 'function', function: called }],
      };
      await call.frame(JSON.stringify({ choices: [{ index: 0, delta }] }));
      await call.finish();
    },
    shows: 'after-thinking',
  },
];

test('keeps the key out of everything except the field it was typed in', async ({
  app,
  host,
  home,
  gateway,
}) => {
  const frames = recordFrames(app);
  await app.reload();
  await addConnection(app, { name: 'Canary', baseUrl: gateway.url, key: KEY, keep: /session/ });
  // Enter it once to test the connection and once to save it.
  expect(frames.sent.filter((frame) => frame.includes('Zq7+Xw93'))).toHaveLength(2);

  await openPanel(app, 'Chat');
  await chooseModel(app, 'steady-model');
  for (const { name, isInPieces = false, reply, shows } of repeats) {
    await test.step(`a reply that repeats it ${name}`, async () => {
      const received = frames.received.length;
      await sendMessage(app, `Repeat it ${name}`);
      const call = await gateway.nextCall();
      expect(call.request).toContain(`Bearer ${KEY}`);
      await reply(call);
      await expect(answers(app).last()).toContainText(shows);
      await expect(sendButton(app)).toBeVisible();
      await expectNoKeyInPage(KEY, app);
      if (isInPieces) frames.received.splice(received);
      await readInspector(app);
    });
  }

  await test.step('completion', async () => {
    await openPanel(app, 'Completion');
    await chooseModel(app, 'steady-model');
    await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Repeat');
    await runButton(app).click();
    const call = await gateway.nextCall();
    const received = frames.received.length;
    await call.say(`Before ${KEY.slice(0, 9)}`);
    await call.say(`${KEY.slice(9)} after-text`);
    await call.finish();
    await expect(app.getByRole('region', { name: 'Result' })).toContainText('after-text');
    await expect(runButton(app)).toBeVisible();
    await expectNoKeyInPage(KEY, app);
    // The key arrived in chunks, which may reach the page until the answer ends.
    frames.received.splice(received);
  });

  await test.step('connection test and model list', async () => {
    await openPanel(app, 'Settings');
    gateway.answerList(modelList(['steady-model', `model-${KEY}`]));
    const row = app.getByRole('listitem', { name: 'Canary' });
    await row.getByRole('button', { name: 'Test' }).click();
    await expect(row).toContainText('2 models');
    gateway.answerList(
      jsonReply('401 Unauthorized', { error: { message: `No: ${KEY}` } }, { 'x-request-id': KEY }),
    );
    await row.getByRole('button', { name: 'Test' }).click();
    await expect(row.getByRole('alert')).toContainText('No:');
    await expectNoKeyInPage(KEY, app);
    await row.getByRole('button', { name: 'Edit Canary' }).click();
    await expect(app.getByRole('dialog')).toContainText('Key ending in stUv');
    await expectNoKeyInPage(KEY, app);
    await app.keyboard.press('Escape');
  });

  await app.reload();
  await expect(app.getByRole('listitem', { name: 'Canary' })).toBeVisible();
  await expectNoKeyInPage(KEY, app);
  expect(frames.received.length).toBeGreaterThan(30);
  expectNoKey(KEY, 'the messages of the main process', frames.received.join('\n'));
  expect(frames.sent.filter((frame) => frame.includes('Zq7+Xw93'))).toHaveLength(2);
  expect(filesWithKey(KEY, home)).toEqual([]);
  expect(await host.stop()).toBe(0);
  expect(filesWithKey(KEY, home)).toEqual([]);
  expectNoKey(KEY, 'the output', host.output());
});

test('stores a file key only in keys.json, readable only by its owner', async ({
  app,
  host,
  home,
  gateway,
}) => {
  await addConnection(app, { name: 'Kept', baseUrl: gateway.url, key: KEY, keep: /file/ });
  await openPanel(app, 'Chat');
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Hello');
  await (await gateway.nextCall()).finish();
  await expect(sendButton(app)).toBeVisible();
  await host.stop();
  expect(filesWithKey(KEY, home)).toEqual(['keys.json']);
  expect(statSync(join(home, 'keys.json')).mode & 0o777).toBe(0o600);

  const restarted = await startBrowserHostProcess({ home });
  try {
    await openAddress(app, restarted.address);
    await chooseModel(app, 'steady-model');
    await sendMessage(app, 'Hello again');
    const call = await gateway.nextCall();
    expect(call.request).toContain(`Bearer ${KEY}`);
    await call.finish();

    await openPanel(app, 'Settings');
    await app.getByRole('button', { name: 'Delete Kept' }).click();
    await app.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(app.getByRole('listitem', { name: 'Kept' })).toHaveCount(0);
    // The list updates before the file is written.
    await expect.poll(() => filesWithKey(KEY, home)).toEqual([]);
  } finally {
    await restarted.stop();
  }
});

/** Opens every tab of the newest run so that the page loads and renders its content. */
async function readInspector(app: Page): Promise<void> {
  await answers(app).last().hover();
  await actOn(answers(app).last(), 'Inspect');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  for (const tab of ['Request', 'Response', 'Events', 'Timing', 'Code']) {
    await inspector.getByRole('tab', { name: tab }).click();
    await expect(inspector.getByRole('tabpanel', { name: tab })).not.toBeEmpty();
    await expectNoKeyInPage(KEY, app);
  }
  await expect(inspector.getByRole('tabpanel', { name: 'Code' })).toContainText(
    '$GATEHOUSE_API_KEY',
  );
}
