import { expect } from '@playwright/test';
import { startBrowserHostProcess } from './fixtures/browser-host-process.ts';
import { answers, chooseModel, sendButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

test('keeps an answer after SIGKILL, marks it as interrupted, and resends nothing', async ({
  app,
  home,
  host,
  hostEnvironment,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Count');
  const call = await gateway.nextCall();
  await call.say('one two ');
  await expect(answers(app)).toContainText('one two');
  // By then, the text has been on disk for a while.
  await expect(answers(app)).toContainText(/no data for \d+ s/);
  await host.kill();
  await call.closedAt;

  const port = new URL(app.url()).port;
  const restarted = await startBrowserHostProcess({
    home,
    environment: hostEnvironment,
    args: ['--port', port],
  });
  try {
    // The page's session ended with the process, so the page must explain what to do.
    await expect(app.getByRole('alert')).toContainText('Gatehouse restarted');
    const url = app.getByRole('textbox', { name: 'New URL' });
    await url.fill('not a URL');
    await url.press('Enter');
    await expect(app.getByText('Paste the whole URL')).toBeVisible();
    await url.fill(restarted.address);
    await url.press('Enter');
    await app.waitForURL((address) => address.search === '');
    const answer = answers(app);
    await expect(answer.getByRole('alert')).toContainText('Gatehouse closed during this response.');
    await expect(answer.getByText('one two', { exact: true })).toBeVisible();
    await expect(sendButton(app)).toBeVisible();
    expect(gateway.calls).toHaveLength(1);

    // Retry sends the request again, because the user asked for it.
    await answer.getByRole('button', { name: 'Retry' }).first().click();
    const again = await gateway.nextCall();
    await again.say('whole');
    await again.finish();
    await expect(answers(app).getByText('whole', { exact: true })).toBeVisible();
  } finally {
    await restarted.stop();
  }
});
