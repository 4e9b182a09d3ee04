import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { messageBox, sendButton } from './fixtures/chat-page.ts';
import { openPanel } from './fixtures/settings-page.ts';

test('renders the first screen once, without layout shifts, and ignores damaged storage', async ({
  app,
}) => {
  await app.addInitScript(() => {
    const seen = { warned: false, shifts: 0 };
    Object.assign(window, { seen });
    // After these delays, the panel would render without the data of a slow main process.
    const startTimer = window.setTimeout;
    Reflect.set(window, 'setTimeout', (handler: () => void, ms = 0, ...given: unknown[]) =>
      ms === 300 || ms === 1000 ? 0 : startTimer(handler, ms, ...given),
    );
    new MutationObserver(() => {
      seen.warned ||= (document.body?.textContent ?? '').includes('Choose a model first.');
    }).observe(document, { childList: true, subtree: true, characterData: true });
    new PerformanceObserver((list) => {
      seen.shifts += list.getEntries().length;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await app.reload();
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-story');
  await expect(app.getByRole('button', { name: 'Connect your gateway' })).toBeVisible();
  expect(await app.evaluate(() => Reflect.get(window, 'seen'))).toEqual({
    warned: false,
    shifts: 0,
  });

  await openPanel(app, 'Completion');
  await app.getByRole('spinbutton', { name: 'Temperature', exact: true }).fill('0.5');
  await openPanel(app, 'Chat');
  await messageBox(app).fill('Keep');
  await app.keyboard.press('ControlOrMeta+J');
  await messageBox(app).blur();
  const names = await app.evaluate(() => Object.keys(localStorage));
  expect(names.length).toBeGreaterThan(0);
  for (const damage of [
    '{',
    '{"state":{"drafts":5,"models":[],"places":1,"selectedId":7,"inspectorHeight":"tall","panel":"no"},"version":0}',
  ]) {
    await test.step(damage, async () => {
      await app.evaluate((text) => {
        for (const name of Object.keys(localStorage)) localStorage.setItem(name, text);
      }, damage);
      await app.reload();
      await expect(messageBox(app)).toBeVisible();
      await expect(app.getByRole('alert')).toHaveCount(0);
      await openPanel(app, 'Completion');
      await expect(app.getByRole('textbox', { name: 'Prompt', exact: true })).toBeVisible();
      await openPanel(app, 'Chat');
    });
  }
});

test.describe('with an invalid base URL in the environment', () => {
  test.use({
    hostEnvironment: {
      GATEHOUSE_BASE_URL: 'gateway.example.com',
      GATEHOUSE_API_KEY: 'sk-unused-1',
    },
  });

  test('shows a notice and offers Demo', async ({ app }) => {
    await expect(app.getByText('GATEHOUSE_BASE_URL isn’t a valid URL')).toBeVisible();
    const picker = app.getByRole('combobox', { name: 'Connection' });
    await expect(picker.locator('option:checked')).toHaveText('Demo');
    await messageBox(app).fill('Hello');
    await expect(sendButton(app)).toBeEnabled();
  });
});
