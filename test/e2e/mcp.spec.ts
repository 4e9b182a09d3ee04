import { expect } from '@playwright/test';
import { hostilePath } from '../fixtures/mcp-server.ts';
import { test } from './fixtures/app.ts';
import { openPanel } from './fixtures/settings-page.ts';

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
