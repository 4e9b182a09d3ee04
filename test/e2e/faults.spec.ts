import { expect, type Locator, type Page } from '@playwright/test';
import { reply } from '../fixtures/wire-server.ts';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { type GatewayCall, jsonReply } from './fixtures/scripted-gateway.ts';

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
    nextStep: /Check the key of “Environment”/,
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
