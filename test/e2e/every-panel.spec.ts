/** Runs each panel once in one app. `every-panel.rest.spec.ts` visits their other states and sizes. */
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import { panelNames, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

test.describe.configure({ timeout: 240_000 });
test.use({ demoSpeed: 20 });

test('gets a result in each panel, without axe violations', async ({ app }) => {
  for (const panel of panelNames) {
    await test.step(panel, async () => {
      await showResult(app, panel);
      await expectNothing(app, panel);
    });
  }
  await test.step('Settings', async () => {
    await openPanel(app, 'Settings');
    await expectNothing(app, 'Settings');
  });
});
