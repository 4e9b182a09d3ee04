import { expect } from '@playwright/test';
import { everythingArguments } from '../fixtures/mcp-server.ts';
import { test } from './fixtures/app.ts';
import { addInComposer, chooseModel, sendButton } from './fixtures/chat-page.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.use({ demoSpeed: 20 });

const example = everythingArguments('stdio');

test('adds an MCP server, and lets a model call its tool after approval', async ({ app }) => {
  await openPanel(app, 'Settings');
  await app.getByRole('link', { name: 'MCP servers' }).click();
  await app.getByRole('button', { name: 'Add server' }).click();
  const dialog = app.getByRole('dialog', { name: 'Add MCP server' });
  await dialog.getByRole('textbox', { name: 'Command' }).fill(process.execPath);
  await dialog.getByRole('textbox', { name: 'Arguments' }).fill(example.join('\n'));
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('everything');
  await dialog.getByRole('button', { name: 'Add variable' }).click();
  await dialog.getByRole('textbox', { name: 'Name of variable 1' }).fill('EVERYTHING_TOKEN');
  await dialog.getByLabel('Value of variable 1', { exact: true }).fill('token-for-the-server-1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = app.getByRole('listitem', { name: 'everything', exact: true });
  await expect(row).toContainText('Connected', { timeout: 30_000 });
  await row.getByText('Tools', { exact: true }).click();
  await expect(row.getByRole('list', { name: 'Tools of everything' })).toContainText('get-sum');

  await openPanel(app, 'Chat');
  await chooseModel(app, 'demo-tools');
  await addInComposer(app, 'Tools…');
  await app.getByRole('button', { name: 'Turn all on' }).click();
  await expect(app.getByText(/^(\d+) of \1 on$/)).toBeVisible();
  await app.getByRole('button', { name: 'Turn all off' }).click();
  await app.getByRole('switch', { name: 'Use get-sum' }).click();
  await app.getByRole('button', { name: 'Done' }).click();
  await addInComposer(app, 'From MCP server…');
  const insert = app.getByRole('dialog', { name: 'Add from MCP server' });
  await insert.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(insert).toBeHidden();
  const message = app.getByRole('textbox', { name: 'Message', exact: true });
  await expect(message).toHaveValue(/simple prompt/);
  await message.fill('How much is it?');
  await app.getByRole('button', { name: 'This conversation' }).click();
  await app.getByRole('button', { name: 'Show next request' }).click();
  const inspector = app.getByRole('region', { name: 'Inspector', exact: true });
  await expect(inspector).toContainText('everything__get-sum');
  await expect(inspector).not.toContainText('token-for-the-server-1');
  await sendButton(app).click();
  const log = app.getByRole('log', { name: 'Conversation' });
  await app.getByRole('button', { name: 'Allow once' }).click({ timeout: 30_000 });
  const step = log.getByRole('button', { name: /get-sum\(.*→.*sum/ });
  await step.click({ timeout: 30_000 });
  await expect(log.getByRole('article', { name: 'tool' })).toContainText('sum');
  await expect(log.getByRole('article', { name: 'assistant' })).toHaveCount(2);
});
