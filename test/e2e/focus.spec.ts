import { expect, type Locator, type Page } from '@playwright/test';
import { answers, chooseModel, messageBox, sendMessage, stopButton } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { expectFocusHeld } from './fixtures/hold-focus.ts';
import { jsonReply, type ScriptedGateway } from './fixtures/scripted-gateway.ts';

test('keeps the focus where the chat continues after Retry, an edit and a deletion', async ({
  app,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'First question');
  const refused = await gateway.nextCall();
  await refused.reply(
    jsonReply('500 Internal Server Error', { error: { message: 'Out of order' } }),
  );
  const retry = app.getByRole('alert').getByRole('button', { name: 'Retry' });
  await pressOn(app, retry);
  const again = await gateway.nextCall();
  await again.say('First answer');
  await expect(stopButton(app)).toBeVisible();
  await expect(messageBox(app)).toBeFocused();
  await again.finish();
  await expect(answers(app)).toContainText('First answer');

  const question = app.getByRole('article', { name: 'user', exact: true });
  const edit = question.getByRole('button', { name: 'Edit' });
  await pressOn(app, edit);
  await expect(question.getByRole('textbox', { name: 'Edit message' })).toBeFocused();
  await app.keyboard.press('Escape');
  await expect(edit).toBeFocused();

  await pressOn(app, answers(app).getByRole('button', { name: 'Delete' }));
  await expect(answers(app)).not.toContainText('First answer');
  const undo = app.getByRole('main').getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  await app.keyboard.press('Enter');
  await expect(answers(app)).toContainText('First answer');
  await expectFocusHeld(app, 'after Undo');

  // Sending the edit shows the other version of the message.
  await pressOn(app, edit);
  await app.keyboard.type(', again');
  await app.keyboard.press('Tab');
  await app.keyboard.press('Tab');
  await app.keyboard.press('Enter');
  await expect(question).toContainText('First question, again');
  await expect(question).toContainText('2/2');
  await pressOn(app, question.getByRole('button', { name: 'Delete' }));
  await expect(question).not.toContainText('again');
  await expect(undo).toBeFocused();
});

test('focuses the message and keeps the scroll position after a reload', async ({
  app,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  const long = Array.from({ length: 90 }, (_, line) => `Line ${line + 1}.`).join('\n\n');
  await answer(app, gateway, 'A long one', long);
  const log = app.getByRole('log', { name: 'Conversation' });
  await expect(answers(app)).toContainText('Line 90.');
  await log.hover();
  await app.mouse.wheel(0, -600);
  await expect(app.getByRole('button', { name: 'Jump to end' })).toBeVisible();
  // The offset isn't compared: heights above are estimates until they have been rendered.
  const firstLine = () =>
    log.evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      const lines = [...element.querySelectorAll('p')];
      return lines.find((line) => line.getBoundingClientRect().top >= top)?.textContent ?? '';
    });
  let before = '';
  await expect
    .poll(async () => {
      const last = before;
      before = await firstLine();
      return before !== '' && before === last;
    })
    .toBe(true);
  // The position is saved once scrolling has ended.
  await app.waitForFunction(() => {
    const kept = localStorage.getItem('gatehouse:chat') ?? '{}';
    return Object.keys(JSON.parse(kept).state?.places ?? {}).length > 0;
  });
  await app.reload();
  await expect(messageBox(app)).toBeFocused();
  await expect(app.getByRole('button', { name: 'Jump to end' })).toBeVisible();
  await expect.poll(firstLine).toBe(before);
});

async function answer(
  app: Page,
  gateway: ScriptedGateway,
  question: string,
  text = `An answer to ${question}`,
): Promise<void> {
  await sendMessage(app, question);
  const call = await gateway.nextCall();
  await call.say(text);
  await call.finish();
  await expect(answers(app)).toContainText(text.split('\n', 1)[0] ?? '');
}

async function pressOn(app: Page, target: Locator): Promise<void> {
  await expect(target).toBeAttached();
  await target.focus();
  await app.keyboard.press('Enter');
}
