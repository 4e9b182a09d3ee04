import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { answers, chooseModel, messageBox, sendButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import type { ScriptedGateway } from './fixtures/scripted-gateway.ts';

const list = (app: Page) => app.getByRole('navigation', { name: 'Conversations' });
const row = (app: Page, name: string) => list(app).getByRole('button', { name, exact: true });

/** Opens the menu of a row with the keyboard, and selects items by name. */
async function choose(app: Page, name: string, ...items: string[]): Promise<void> {
  await row(app, name).focus();
  await app.keyboard.press('Shift+F10');
  for (const item of items) await app.getByRole('menuitem', { name: item, exact: true }).click();
}

test('finds, organizes, exports, deletes and imports conversations with their settings', async ({
  app,
  gateway,
}) => {
  const temperature = app.getByRole('spinbutton', { name: 'Temperature', exact: true });
  const model = app.getByRole('combobox', { name: 'Model' });
  await chooseModel(app, 'steady-model');
  await temperature.fill('0.3');
  await exchange(app, gateway, 'About lighthouses', 'A lamp on a rock');
  await app.getByRole('button', { name: 'New conversation' }).click();
  await expect(temperature).toHaveValue('');
  await chooseModel(app, 'quick-model');
  await exchange(app, gateway, 'About rivers', 'Water that walks');
  const titles = list(app).getByRole('button', { name: /^About/ });
  await expect(titles).toHaveText([/About rivers/, /About lighthouses/]);

  const search = list(app).getByRole('searchbox', { name: 'Search conversations' });
  await search.fill('lamp');
  await expect(titles).toHaveText([/About lighthouses/]);
  await titles.click();
  await expect(answers(app)).toContainText('A lamp on a rock');
  await expect(model).toHaveValue('steady-model');
  await expect(temperature).toHaveValue('0.3');
  await search.fill('');

  await choose(app, 'About lighthouses', 'Move to folder', 'New folder…');
  await app.getByRole('textbox', { name: 'Folder name' }).fill('Sea');
  await app.keyboard.press('Enter');
  await expect(list(app).getByRole('button', { name: 'Sea 1' })).toBeVisible();
  const downloading = app.waitForEvent('download');
  await choose(app, 'About lighthouses', 'Export', 'JSON (complete, with media)');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^about-lighthouses-.*\.json$/);
  const file = await readFile(await download.path());
  await choose(app, 'About lighthouses', 'Delete');
  await expect(row(app, 'About lighthouses')).toBeHidden();
  await app.reload();
  // The user can still undo a deletion made right before the reload.
  await list(app).getByRole('button', { name: 'Undo' }).click();
  await expect(row(app, 'About lighthouses')).toBeVisible();
  await choose(app, 'About lighthouses', 'Delete');
  await expect(row(app, 'About lighthouses')).toBeHidden();

  const chooser = app.getByLabel('Conversations to import');
  const mimeType = 'application/json';
  await chooser.setInputFiles({ name: 'bad.json', mimeType, buffer: Buffer.from('{}') });
  await expect(list(app).getByRole('alert')).toContainText(
    'Gatehouse doesn’t know the format of this file.',
  );
  await chooser.setInputFiles({ name: 'sea.json', mimeType, buffer: file });
  await expect(list(app).getByText('1 conversation imported')).toBeVisible();
  await expect(row(app, 'About lighthouses')).toHaveAttribute('aria-current', 'true');
  await expect(list(app).getByRole('button', { name: 'Sea 1' })).toBeVisible();
  await expect(answers(app).first()).toContainText('A lamp on a rock');
  await exchange(app, gateway, 'And by day?', 'A white tower');
});

test('keeps branches across a reload, and sends only the visible one', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  await exchange(app, gateway, 'First question', 'First answer');
  await answers(app).hover();
  await answers(app).getByRole('button', { name: 'Retry' }).click();
  const again = await gateway.nextCall();
  expect(again.body.messages).toEqual([{ role: 'user', content: 'First question' }]);
  await again.say('Second answer');
  await again.finish();
  await expect(answers(app).getByText('Second answer', { exact: true })).toBeVisible();
  await expect(answers(app)).toHaveCount(1);
  await expect(answers(app)).toContainText('2/2');
  await answers(app).getByRole('button', { name: 'Previous version' }).click();
  await expect(answers(app).getByText('First answer', { exact: true })).toBeVisible();

  const question = app
    .getByRole('log', { name: 'Conversation' })
    .getByRole('article', { name: 'user' });
  await question.hover();
  await question.getByRole('button', { name: 'Edit' }).click();
  await question.getByRole('textbox', { name: 'Edit message' }).fill('Better question');
  await question.getByRole('button', { name: 'Save and run' }).click();
  const edited = await gateway.nextCall();
  expect(edited.body.messages).toEqual([{ role: 'user', content: 'Better question' }]);
  await edited.say('Third answer');
  await edited.finish();
  await expect(answers(app).getByText('Third answer', { exact: true })).toBeVisible();
  await question.getByRole('button', { name: 'Previous version' }).click();
  await expect(question).toContainText('First question');
  await expect(answers(app).getByText(/First answer|Second answer/)).toBeVisible();
  await app.reload();
  await expect(question).toContainText('First question');

  await sendMessage(app, 'And then?');
  const next = await gateway.nextCall();
  const sent = JSON.stringify(next.body.messages);
  expect(sent).toContain('First question');
  expect(sent).not.toContain('Better question');
  await next.finish();
});

test('shows the actions of every message on a touch screen', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  await exchange(app, gateway, 'First question', 'First answer');
  await exchange(app, gateway, 'Second question', 'Second answer');
  const actions = answers(app)
    .first()
    .getByRole('button', { name: 'Copy', exact: true })
    .locator('..');
  await messageBox(app).hover();
  await expect(actions).toHaveCSS('opacity', '0');
  const session = await app.context().newCDPSession(app);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await expect(actions).toHaveCSS('opacity', '1');
});

async function exchange(
  app: Page,
  gateway: ScriptedGateway,
  question: string,
  answer: string,
): Promise<void> {
  await sendMessage(app, question);
  const call = await gateway.nextCall();
  await call.say(answer);
  await call.finish();
  await expect(answers(app).last()).toContainText(answer);
  await expect(sendButton(app)).toBeVisible();
}
