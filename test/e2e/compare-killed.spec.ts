import { expect, type Page } from '@playwright/test';
import { startBrowserHostProcess } from './fixtures/browser-host-process.ts';
import { chooseModel } from './fixtures/chat-page.ts';
import { startComparing } from './fixtures/compared.ts';
import { test } from './fixtures/gateway-app.ts';
import { jsonReply } from './fixtures/scripted-gateway.ts';

const answer = jsonReply('200 OK', {
  choices: [{ index: 0, text: 'Through the gate', finish_reason: 'stop' }],
});

/** The page finds the next process by its URL. */
async function follow(app: Page, address: string): Promise<void> {
  await expect(app.getByRole('alert')).toContainText('Gatehouse restarted');
  const url = app.getByRole('textbox', { name: 'New URL' });
  await url.fill(address);
  await url.press('Enter');
  await app.waitForURL((shown) => shown.search === '');
}

test('a comparison survives SIGKILL, sends nothing by itself, and resumes on request', async ({
  app,
  home,
  host,
  hostEnvironment,
  gateway,
}) => {
  await app.getByRole('link', { name: 'Completion', exact: true }).click();
  await chooseModel(app, 'steady-model');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Over the river');
  await startComparing(app, 'steady-model');
  await app.keyboard.press('Escape');
  await app.getByRole('spinbutton', { name: 'Repeats' }).fill('3');
  await app.getByRole('button', { name: 'Run', exact: true }).click();
  const first = await gateway.nextCall();
  await first.reply(answer);
  // The finished request made room for a fourth.
  for (let call = 1; call < 4; call += 1) await gateway.nextCall();
  const comparison = app.getByRole('region', { name: 'Comparison' });
  await expect(comparison.getByText('1 of 6 requests done')).toBeVisible();
  await host.kill();

  const port = new URL(app.url()).port;
  const restarted = await startBrowserHostProcess({
    home,
    environment: hostEnvironment,
    args: ['--port', port],
  });
  try {
    await follow(app, restarted.address);
    await app.getByRole('link', { name: 'History' }).click();
    const entry = app.getByRole('listbox', { name: 'Runs' }).getByRole('option');
    await expect(entry).toHaveCount(1);
    await expect(entry).toContainText('Not finished');
    await expect(entry).toContainText('1 of 6 requests');
    await entry.press('Enter');
    await expect(app.getByRole('heading', { name: 'Completion' })).toBeVisible();
    await expect(app.getByText('Gatehouse closed before sending 2 requests.')).toBeVisible();
    await expect(comparison.getByText('Not sent yet', { exact: true })).toHaveCount(2);
    await expect(comparison.getByText('Through the gate')).toBeVisible();
    await app.reload();
    await expect(app.getByText('Gatehouse closed before sending 2 requests.')).toBeVisible();
    await expect(comparison.getByText('Not sent yet', { exact: true })).toHaveCount(2);
    expect(gateway.calls).toHaveLength(4);

    await app.getByRole('button', { name: 'Send now' }).click();
    for (let call = 4; call < 6; call += 1) await (await gateway.nextCall()).reply(answer);
    await expect(comparison.getByText('6 of 6 requests done · 3 failed')).toBeVisible();
    await app.getByRole('button', { name: 'Retry failed' }).click();
    for (let call = 6; call < 9; call += 1) await (await gateway.nextCall()).reply(answer);
    await expect(comparison.getByText('6 of 6 requests done', { exact: true })).toBeVisible();
    expect(gateway.calls).toHaveLength(9);
  } finally {
    await restarted.stop();
  }
});
