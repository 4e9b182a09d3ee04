import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { reply, startWireServer } from '../fixtures/wire-server.ts';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { type GatewayCall, jsonReply } from './fixtures/scripted-gateway.ts';
import { addConnection, openPanel } from './fixtures/settings-page.ts';

interface Fault {
  name: string;
  /** How the gateway misbehaves. */
  play(call: GatewayCall): Promise<void> | void;
  says: RegExp;
  nextStep: RegExp;
  /** Text that arrived before the fault and must stay. */
  keeps?: string;
}

const faults: Fault[] = [
  {
    name: '401',
    play: (call) =>
      call.reply(jsonReply('401 Unauthorized', { error: { message: 'Invalid token', code: '' } })),
    says: /rejected the API key: Invalid token/,
    nextStep: /Check this connection’s API key/,
  },
  {
    name: '403',
    play: (call) =>
      call.reply(jsonReply('403 Forbidden', { error: { message: 'Quota is used up' } })),
    says: /denied this request: Quota is used up/,
    nextStep: /quota/,
  },
  {
    name: '404',
    play: (call) =>
      call.reply(
        jsonReply('404 Not Found', {
          error: { message: 'No such model', type: 'x', param: 'model', code: 'model_not_found' },
        }),
      ),
    says: /Not found: No such model/,
    nextStep: /model ID/,
  },
  {
    name: '400',
    play: (call) =>
      call.reply(
        jsonReply('400 Bad Request', { error: { message: 'seed is not allowed', param: 'seed' } }),
      ),
    says: /seed is not allowed/,
    nextStep: /Fix the request/,
  },
  {
    name: '500 with HTML',
    play: (call) =>
      call.reply(
        reply(
          '500 Internal Server Error',
          { 'Content-Type': 'text/html' },
          '<html><body><h1 id="intruder">Oops</h1></body></html>',
        ),
      ),
    says: /status 500; it returned a web page/,
    nextStep: /Retry in a moment/,
  },
  {
    name: '501',
    play: (call) =>
      call.reply(
        jsonReply('501 Not Implemented', {
          error: { message: 'API not implemented', code: 'api_not_implemented' },
        }),
      ),
    says: /doesn’t support this endpoint/,
    nextStep: /another gateway/,
  },
  {
    name: 'HTML with status 200',
    play: (call) =>
      call.reply(reply('200 OK', { 'Content-Type': 'text/html' }, '<!doctype html><p>Welcome')),
    says: /returned a web page, not an API response/,
    nextStep: /base URL/,
  },
  {
    name: 'text with status 200',
    play: (call) => call.reply(reply('200 OK', { 'Content-Type': 'text/plain' }, 'Hello there')),
    says: /isn’t a valid JSON object/,
    nextStep: /Retry/,
  },
  {
    name: 'an error with status 200',
    play: (call) =>
      call.reply(jsonReply('200 OK', { error: { message: 'Upstream is busy', code: 'busy' } })),
    says: /reported an error: Upstream is busy/,
    nextStep: /Check the request/,
  },
  {
    name: 'an error inside the stream',
    async play(call) {
      await call.say('The first half');
      await call.frame(JSON.stringify({ error: { message: 'Ran out of luck' } }));
    },
    says: /Ran out of luck/,
    nextStep: /./,
    keeps: 'The first half',
  },
  {
    name: 'a cut stream',
    async play(call) {
      await call.say('The second half');
      call.cut();
    },
    says: /connection was lost before the response was complete/,
    nextStep: /Retry/,
    keeps: 'The second half',
  },
  {
    name: 'a closed connection without an answer',
    play: (call) => call.cut(),
    says: /closed the connection without responding\. The request was sent and may be billed/,
    nextStep: /gateway usage/,
  },
];

test('each fault of a response shows its own error in place, with a next step', async ({
  app,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  const texts: string[] = [];
  for (const fault of faults) {
    await test.step(fault.name, async () => {
      const { answer, call } = await ask(app, () => gateway.nextCall(), fault.name);
      await fault.play(call);
      const alert = answer.getByRole('alert');
      await expect(alert).toContainText(fault.says);
      await expect(alert).toContainText(fault.nextStep);
      await expect(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
      if (fault.keeps) await expect(answer.getByText(fault.keeps, { exact: true })).toBeVisible();
      await expect(runButton(app)).toBeVisible();
      texts.push(await alert.innerText());
    });
  }
  expect(new Set(texts).size).toBe(faults.length);
  await expect(app.locator('#intruder')).toHaveCount(0);
  expect(gateway.calls).toHaveLength(faults.length);
});

test('429 with Retry-After counts down, and Retry sends once more', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  const { answer, call } = await ask(app, () => gateway.nextCall(), 'Quickly');
  await call.reply(
    jsonReply(
      '429 Too Many Requests',
      { error: { message: 'Slow down' } },
      { 'Retry-After': '60' },
    ),
  );
  const alert = answer.getByRole('alert');
  await expect(alert).toContainText('Rate limit reached: Slow down.');
  const timer = alert.getByRole('timer');
  await expect(timer).toContainText(/in [1-6]\d s/);
  const left = async () => Number(/in (\d+) s/.exec(await timer.innerText())?.[1]);
  const first = await left();
  expect(first).toBeLessThanOrEqual(60);
  await expect.poll(left).toBeLessThan(first);

  await alert.getByRole('button', { name: 'Retry' }).click();
  const again = await gateway.nextCall();
  await again.say('At last');
  await again.finish();
  await expect(answers(app).last().getByText('At last', { exact: true })).toBeVisible();
  expect(gateway.calls).toHaveLength(2);
});

test('each fault of an address shows its own error', async ({ app, gateway }) => {
  const certificate = (name: string) =>
    readFileSync(join('test/fixtures/wire', `self-signed-${name}.pem`), 'utf8');
  const secure = await startWireServer(() => undefined, {
    key: certificate('key'),
    cert: certificate('cert'),
  });
  const website = await startWebsite();
  const closed = await startWireServer(() => undefined);
  await closed.close();
  const cases: { name: string; baseUrl: string; says: RegExp; nextStep: RegExp }[] = [
    {
      name: 'Refused',
      baseUrl: closed.url,
      says: /127\.0\.0\.1:\d+ refused the connection/,
      nextStep: /base URL/,
    },
    {
      name: 'Self-signed',
      baseUrl: secure.url,
      says: /doesn’t trust 127\.0\.0\.1:\d+’s certificate/,
      nextStep: /NODE_EXTRA_CA_CERTS/,
    },
    {
      name: 'Not TLS',
      baseUrl: website.url.replace('http:', 'https:'),
      says: /doesn’t support TLS/,
      nextStep: /starts with http:\/\//,
    },
    {
      name: 'Not a gateway',
      baseUrl: `${website.url}/shop`,
      says: /Not found; it returned markup/,
      nextStep: /base URL/,
    },
    {
      name: 'No such host',
      baseUrl: 'http://gateway.invalid',
      says: /Can’t find gateway\.invalid/,
      nextStep: /base URL/,
    },
  ];
  const texts: string[] = [];
  try {
    for (const { name, baseUrl, says, nextStep } of cases) {
      await test.step(name, async () => {
        await addConnection(app, { name, baseUrl });
        await openPanel(app, 'Chat');
        await chooseModel(app, 'any-model');
        await sendMessage(app, name);
        const alert = answers(app).last().getByRole('alert');
        await expect(alert).toContainText(says);
        await expect(alert).toContainText(nextStep);
        await expect(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
        texts.push(await alert.innerText());
        await app.getByRole('button', { name: 'New conversation' }).click();
      });
    }
  } finally {
    await secure.close();
    website.close();
  }
  expect(new Set(texts).size).toBe(cases.length);
  expect(gateway.calls).toHaveLength(0);
});

test('rejects an invalid base URL at its field', async ({ app }) => {
  await openPanel(app, 'Settings');
  await app.getByRole('button', { name: 'Add connection' }).click();
  const dialog = app.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Typo');
  const address = dialog.getByRole('textbox', { name: 'Base URL' });
  for (const wrong of ['gateway.example.com', 'ftp://gateway.example.com', 'https://u:p@host']) {
    await address.fill(wrong);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(address).toHaveAccessibleDescription(/starts with http:\/\/ or https:\/\//);
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(app.getByRole('listitem', { name: 'Typo' })).toHaveCount(0);
});

/** A web server that is not a gateway. */
async function startWebsite(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing here</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Sends a message. Returns the answer and the call that the gateway received. */
async function ask(
  app: Page,
  nextCall: () => Promise<GatewayCall>,
  text: string,
): Promise<{ answer: Locator; call: GatewayCall }> {
  await sendMessage(app, text);
  const call = await nextCall();
  const log = app.getByRole('log', { name: 'Conversation' });
  await expect(log.getByRole('article', { name: 'user' }).last()).toContainText(text);
  return { answer: answers(app).last(), call };
}
