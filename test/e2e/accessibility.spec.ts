import { expect } from '@playwright/test';
import { expectNothing } from './fixtures/axe.ts';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { jsonReply } from './fixtures/scripted-gateway.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.describe.configure({ timeout: 300_000 });

test('axe finds nothing in Settings, an answer, an error and the inspector', async ({
  app,
  gateway,
}) => {
  await openPanel(app, 'Settings');
  await expectNothing(app, 'settings: connections');
  for (const section of ['Timeouts', 'Prices', 'Data', 'Shortcuts', 'About', 'General']) {
    await app.getByRole('link', { name: section, exact: true }).click();
    await expectNothing(app, `settings: ${section}`);
  }
  for (const theme of ['Light', 'Dark']) {
    await app.getByText(theme, { exact: true }).click();
    await expect(app.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
    await expectNothing(app, `settings: ${theme} is chosen`);
  }
  await app.getByText('System', { exact: true }).click();
  await expect(app.locator('html')).not.toHaveAttribute('data-theme');

  await openPanel(app, 'Chat');
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Show me everything');
  const call = await gateway.nextCall();
  await call.say(
    '# Title\n\nText with `code` and a [link](https://example.com).\n\n- one\n- two\n\n',
  );
  await call.say('| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = "b"; // c\n```\n\n> Said\n');
  await expect(answers(app).getByRole('table')).toBeVisible();
  await expectNothing(app, 'chat: streaming');
  await call.finish();
  await expect(runButton(app)).toBeVisible();
  await sendMessage(app, 'And an error');
  await (await gateway.nextCall()).reply(
    jsonReply('429 Too Many Requests', { error: { message: 'Slow' } }, { 'Retry-After': '60' }),
  );
  await expect(answers(app).last().getByRole('alert')).toBeVisible();
  await expectNothing(app, 'chat: error');

  await app.keyboard.press('ControlOrMeta+J');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  for (const tab of ['Request', 'Response', 'Events', 'Timing', 'Code']) {
    await inspector.getByRole('tab', { name: tab }).click();
    await expect(inspector.getByRole('tabpanel')).not.toBeEmpty();
    await expectNothing(app, `inspector: ${tab}`);
  }
  await app.keyboard.press('ControlOrMeta+J');
  await app.keyboard.press('ControlOrMeta+K');
  await expect(app.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await expectNothing(app, 'palette');
});
