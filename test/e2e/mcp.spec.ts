import { expect } from '@playwright/test';
import { everythingArguments, hostilePath } from '../fixtures/mcp-server.ts';
import { test } from './fixtures/app.ts';
import { openPanel } from './fixtures/settings-page.ts';

test('tries a tool, answers its question, and shows the messages of the call', async ({ app }) => {
  await openPanel(app, 'Settings');
  await app.getByRole('link', { name: 'MCP servers' }).click();
  await app.getByRole('button', { name: 'Import mcp.json' }).click();
  const importing = app.getByRole('dialog', { name: 'Import MCP servers' });
  const command = { command: process.execPath, args: everythingArguments('stdio') };
  const file = { mcpServers: { everything: command } };
  await importing.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(file));
  await importing.getByRole('button', { name: 'Add 1 server' }).click();
  const row = app.getByRole('listitem', { name: 'everything', exact: true });
  await row.getByRole('button', { name: 'Connect' }).click();
  await expect(row).toContainText('Connected', { timeout: 30_000 });
  await row.getByText('Tools', { exact: true }).click();
  const tool = row
    .getByRole('listitem')
    .filter({ has: app.getByText('trigger-elicitation-request', { exact: true }) });
  await tool.getByText('Try', { exact: true }).click();
  await tool.getByRole('button', { name: 'Call tool' }).click();
  await expect(app.getByText('everything (trigger-elicitation-request) asks you')).toBeVisible();
  await app.getByRole('button', { name: 'Answer', exact: true }).click();
  const question = app.getByRole('dialog', { name: 'everything asks you' });
  await question.getByRole('textbox', { name: 'String', exact: true }).fill('Ada');
  await question.getByRole('button', { name: 'Send' }).click();
  await expect(question).toBeHidden();
  await expect(tool.getByRole('region', { name: /^Result of/ })).toContainText('Name: Ada');

  await tool.getByRole('button', { name: 'Messages' }).click();
  const messages = app.getByRole('dialog', { name: 'Messages of this call of everything' });
  await expect(messages.getByText('4 messages')).toBeVisible();
  await messages.getByRole('button', { name: 'Received elicitation/create' }).click();
  await expect(messages).toContainText('Your full, legal name');
});

test('shows markup from an MCP server as text', async ({ app }) => {
  await openPanel(app, 'Settings');
  await app.getByRole('link', { name: 'MCP servers' }).click();
  await app.getByRole('button', { name: 'Import mcp.json' }).click();
  const dialog = app.getByRole('dialog', { name: 'Import MCP servers' });
  const args = ['--experimental-strip-types', hostilePath, 'markup', 'schemas'];
  const file = { mcpServers: { '<b>bold</b>': { command: process.execPath, args } } };
  await dialog.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(file));
  await dialog.getByRole('button', { name: 'Add 1 server' }).click();
  const row = app.getByRole('listitem', { name: '<b>bold</b>', exact: true });
  await row.getByRole('button', { name: 'Connect' }).click();
  await row.getByText('Tools', { exact: true }).click();
  await expect(row).toContainText('<img src=x onerror=alert(1)>');
  await expect(row).toContainText('Its name has control characters.');
  await expect(row).toContainText('Its schema is longer than 256 KiB');
  await expect(row.locator('img, b, script')).toHaveCount(0);
});
