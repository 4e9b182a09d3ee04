/** Runs each panel once in one app. `every-panel.rest.spec.ts` visits their other states and sizes. */
import { expect } from '@playwright/test';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { panelNames, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.describe.configure({ timeout: 240_000 });
test.use({ demoSpeed: 20 });

test('gets a result in each panel, without axe violations or errors in the console', async ({
  app,
}) => {
  const logged: string[] = [];
  app.on('pageerror', ({ message }) => logged.push(message));
  app.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  for (const panel of panelNames) {
    await test.step(panel, async () => {
      await showResult(app, panel);
      await expectNothing(app, panel);
    });
  }
  await test.step('Audio that only the page can decode', async () => {
    await openPanel(app, 'Speech');
    await app.getByRole('combobox', { name: 'Format' }).selectOption('opus');
    await showResult(app, 'Speech');
    await openPanel(app, 'Library');
    await expect(app.getByRole('list', { name: 'Media' }).getByText(/Speech · /)).toHaveCount(2);
  });
  await test.step('Settings', async () => {
    await openPanel(app, 'Settings');
    await expectNothing(app, 'Settings');
  });
  expect(logged).toEqual([]);
});
