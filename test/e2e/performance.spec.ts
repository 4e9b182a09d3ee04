import { expect } from '@playwright/test';
import { startDemoGateway } from '../../electron/demo/server.ts';
import { test as base } from './fixtures/app.ts';
import { answers, chooseModel, messageBox, runButton } from './fixtures/chat-page.ts';
import { traceTasks } from './fixtures/main-thread.ts';

const LONGEST_TASK_MS = 100;
const KEY = 'sk-performance';

const test = base.extend<{ gateway: { baseUrl: string; finished: Promise<void> } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  gateway: async ({}, use) => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const gateway = await startDemoGateway({
      port: 0,
      key: KEY,
      onEvent: ({ kind, path }) => {
        if (kind === 'finished' && path.endsWith('/chat/completions')) finish();
      },
    });
    await use({ baseUrl: gateway.baseUrl, finished });
    await gateway.close();
  },
  hostEnvironment: async ({ gateway }, use) => {
    await use({ GATEHOUSE_BASE_URL: gateway.baseUrl, GATEHOUSE_API_KEY: KEY });
  },
});

// What records or looks into the page while it is measured would be measured too.
test.use({ trace: 'off' });

test('no long task over 100 ms while demo-story-fast streams 100 kB into the page', async ({
  app,
  host,
  gateway,
}, testInfo) => {
  expect(host.pid).toBeGreaterThan(0);
  await chooseModel(app, 'demo-story-fast');
  await messageBox(app).fill('Tell me all of it');
  await expect(runButton(app)).toBeEnabled();
  const times = await traceTasks(app, async () => {
    await messageBox(app).press('ControlOrMeta+Enter');
    await gateway.finished;
    await app.waitForFunction(() => document.body.textContent?.includes('Run finished.'));
  });

  const figures = `${times.count} tasks; the longest ${times.longestMs.toFixed(0)} ms by the clock, ${times.longestBusyMs.toFixed(0)} ms at work`;
  testInfo.annotations.push({ type: 'main thread', description: figures });
  console.log(figures);
  expect(times.count).toBeGreaterThan(100);
  expect(times.longestBusyMs).toBeLessThan(LONGEST_TASK_MS);

  // All of it is there, though only what is near the view is drawn.
  await app.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await answers(app).getByRole('button', { name: 'Copy', exact: true }).first().click();
  await expect
    .poll(() => app.evaluate(async () => (await navigator.clipboard.readText()).length))
    .toBeGreaterThan(95_000);
});
