import { expect, type Page } from '@playwright/test';
import { test as base } from '../e2e/fixtures/app.ts';
import { chooseModel, runButton } from '../e2e/fixtures/chat-page.ts';
import { openPanel } from '../e2e/fixtures/settings-page.ts';
import { expectAtMost } from './figures.ts';
import { traceTasks } from './main-thread.ts';
import { type QuickGateway, startQuickGateway } from './quick-gateway.ts';

const LONGEST_TASK_MS = 50;

const test = base.extend<{ gateway: QuickGateway }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  gateway: async ({}, use) => {
    const gateway = await startQuickGateway();
    await use(gateway);
    await gateway.close();
  },
  hostEnvironment: async ({ gateway }, use) => {
    await use({ GATEHOUSE_BASE_URL: gateway.url, GATEHOUSE_API_KEY: 'sk-bench-0123456789abcdef' });
  },
});

interface ComparedPanel {
  panel: string;
  /** What the variants differ in, with the values of it. */
  field: string;
  list: string;
  write: (app: Page) => Promise<void>;
}

const panels: readonly ComparedPanel[] = [
  {
    panel: 'Speech',
    field: 'Speed',
    list: '0.75, 1, 1.25, 1.5',
    write: (app) => app.getByRole('textbox', { name: 'Text', exact: true }).fill('Good morning.'),
  },
];

for (const { panel, field, list, write } of panels) {
  test(`${panel}: 200 cells queued and running keep the page free of tasks over 50 ms`, async ({
    app,
  }, testInfo) => {
    await openPanel(app, panel);
    await chooseModel(app, 'quick-model');
    await write(app);
    await app.getByRole('button', { name: 'Compare', exact: true }).click();
    await app.getByRole('button', { name: 'Fill from a list' }).click();
    const fill = app.getByRole('dialog', { name: 'Fill variants from a list' });
    await fill.getByRole('combobox', { name: 'Models' }).selectOption('Same model as the form');
    await fill.getByRole('combobox', { name: 'Field', exact: true }).selectOption(field);
    await fill.getByRole('textbox', { name: 'Values for field' }).fill(list);
    await fill.getByRole('button', { name: 'Replace variants' }).click();
    await app.getByRole('spinbutton', { name: 'Repeats' }).fill('50');
    await expect(app.getByText('200 requests', { exact: true })).toBeVisible();
    await runButton(app).click();
    const send = app.getByRole('button', { name: 'Send 200 requests' });
    await expect(send).toBeVisible();
    const { longestMs } = await traceTasks(app, async () => {
      await send.click();
      // A look for it that costs the page nothing.
      await app.waitForFunction(
        () =>
          document
            .querySelector('[aria-label="Comparison"] > header')
            ?.textContent?.includes('200 of 200 requests done'),
        undefined,
        { timeout: 60_000, polling: 100 },
      );
    });
    await expect(app.getByRole('tablist', { name: 'Variants' })).toHaveCount(0);
    expectAtMost(testInfo, 'longest task', longestMs, LONGEST_TASK_MS);
  });
}
