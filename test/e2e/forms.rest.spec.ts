import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app.ts';
import {
  addInComposer,
  chooseModel,
  messageBox,
  openAddress,
  openTab,
} from './fixtures/chat-page.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true });
const suffix = (page: Page) => page.getByRole('textbox', { name: 'Suffix', exact: true });
const temperature = (page: Page) =>
  page.getByRole('spinbutton', { name: 'Temperature', exact: true });
const model = (page: Page) => page.getByRole('combobox', { name: 'Model' });
const attachments = (page: Page) => page.getByRole('list', { name: 'Attachments' });

test('restores all unsaved input after a restart on another port', async ({
  app,
  home,
  host,
  startHost,
}) => {
  await messageBox(app).fill('A message for later');
  await app
    .getByLabel('Attach files')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') });
  await expect(attachments(app)).toContainText('notes.txt');
  await addInComposer(app, 'Role and name…');
  await app.getByRole('combobox', { name: 'Role' }).selectOption('developer');
  await app.keyboard.press('Escape');
  await app.getByRole('textbox', { name: 'System message' }).fill('Be brief.');
  await openPanel(app, 'Completion');
  await chooseModel(app, 'demo-story');
  await prompt(app).fill('It was a dark');
  await temperature(app).fill('0.35');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(app.getByRole('region', { name: 'Result' })).toContainText('It was a dark');
  await app.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await prompt(app).fill('It was a dark and stormy');
  await prompt(app).blur();
  await openPanel(app, 'Console');
  await app.getByRole('button', { name: 'Save request' }).click();
  await app.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
  await app.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(app.getByRole('button', { name: /^Mine/ })).toBeVisible();
  await host.stop();

  const other = await startHost({ home });
  await openAddress(app, other.address);
  await expect(messageBox(app)).toHaveValue('A message for later');
  await expect(attachments(app)).toContainText('notes.txt');
  await app.getByRole('button', { name: 'role developer' }).click();
  await expect(app.getByRole('combobox', { name: 'Role' })).toHaveValue('developer');
  await app.keyboard.press('Escape');
  await expect(app.getByRole('textbox', { name: 'System message' })).toHaveValue('Be brief.');
  await openPanel(app, 'Completion');
  await expect(prompt(app)).toHaveValue('It was a dark and stormy');
  await expect(temperature(app)).toHaveValue('0.35');
  await expect(model(app)).toHaveValue('demo-story');
  await expect(app.getByRole('region', { name: 'Result' })).toContainText('It was a dark');
  await openPanel(app, 'Console');
  await expect(app.getByRole('button', { name: /^Mine/ })).toBeVisible();
});

test('syncs fields between two pages, and keeps text typed just before a reload', async ({
  app,
  host,
}) => {
  await openPanel(app, 'Completion');
  const other = await openTab(app, await host.freshAddress());
  await openPanel(other, 'Completion');
  const typing = prompt(app).pressSequentially('Once upon a time', { delay: 40 });
  await suffix(other).fill('The end.');
  await temperature(other).fill('0.2');
  await typing;
  for (const page of [app, other]) {
    await expect(prompt(page)).toHaveValue('Once upon a time');
    await expect(suffix(page)).toHaveValue('The end.');
    await expect(temperature(page)).toHaveValue('0.2');
  }
  await prompt(other).fill('Twice upon a time');
  for (const page of [app, other]) await expect(prompt(page)).toHaveValue('Twice upon a time');
  await other.getByRole('button', { name: 'Reset Temperature' }).click();
  await expect(temperature(app)).toHaveValue('');

  await openPanel(app, 'Chat');
  await openPanel(other, 'Chat');
  await messageBox(app).fill('Typed here');
  await expect(messageBox(other)).toHaveValue('Typed here');
  await other.close();

  await openPanel(app, 'Rerank');
  const documents = 'A document of a line. '.repeat(20_000);
  const box = app.getByRole('textbox', { name: 'Documents' });
  await box.fill(documents);
  await app.reload();
  await expect.poll(async () => (await box.inputValue()).length).toBe(documents.length);
});
