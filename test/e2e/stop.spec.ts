import { expect } from '@playwright/test';
import { type DemoEvent, type DemoGateway, startDemoGateway } from '../../electron/demo/server.ts';
import { test as base } from './fixtures/app.ts';
import {
  answers,
  chooseModel,
  messageBox,
  runButton,
  sendMessage,
  stopButton,
} from './fixtures/chat-page.ts';

interface Watched extends DemoGateway {
  events: DemoEvent[];
  /** Resolves with the event. */
  happened(kind: DemoEvent['kind']): Promise<DemoEvent>;
}

const CHAT = '/v1/chat/completions';

const test = base.extend<{ gateway: Watched }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  gateway: async ({}, use) => {
    const gateway = await startWatchedGateway();
    await use(gateway);
    await gateway.close();
  },
  hostEnvironment: async ({ gateway }, use) => {
    await use({ GATEHOUSE_BASE_URL: gateway.baseUrl, GATEHOUSE_API_KEY: 'sk-stop' });
  },
});

async function startWatchedGateway(): Promise<Watched> {
  const events: DemoEvent[] = [];
  const waiting = new Set<() => void>();
  const gateway = await startDemoGateway({
    port: 0,
    key: 'sk-stop',
    onEvent(event) {
      if (event.path !== CHAT) return;
      events.push(event);
      for (const look of waiting) look();
    },
  });
  return {
    ...gateway,
    events,
    happened: (kind) =>
      new Promise((resolve) => {
        const look = () => {
          const event = events.find((candidate) => candidate.kind === kind);
          if (event === undefined) return;
          waiting.delete(look);
          resolve(event);
        };
        waiting.add(look);
        look();
      }),
  };
}

for (const how of ['the Stop button', 'Escape'] as const) {
  test(`${how} closes the upstream socket and keeps the partial answer`, async ({
    app,
    gateway,
  }) => {
    await chooseModel(app, 'demo-story');
    await sendMessage(app, 'Tell me a story');
    const answer = answers(app);
    await expect(answer).toContainText('The Gatehouse at Saltmere');

    if (how === 'Escape') await app.keyboard.press('Escape');
    else await stopButton(app).click();

    // In the middle of the story, which takes ten seconds more.
    await gateway.happened('closed-by-client');

    await expect(answer).toContainText('Stopped. Partial answer kept.');
    await expect(answer).toContainText('The Gatehouse at Saltmere');
    await expect(answer.getByRole('alert')).toHaveCount(0);
    await expect(runButton(app)).toBeVisible();
    await expect(app.getByText('Run stopped.')).toBeAttached();

    await app.getByRole('button', { name: 'Inspect', exact: true }).last().click();
    await expect(app.getByRole('listbox', { name: 'Runs' })).toContainText(/cancelled|stopped/i);

    await app.reload();
    await expect(answers(app)).toContainText('Stopped. Partial answer kept.');
    expect(gateway.events.filter(({ kind }) => kind === 'open')).toHaveLength(1);
  });
}

test("a double click on Run sends once and doesn't stop it", async ({ app, gateway }) => {
  await chooseModel(app, 'demo-echo');
  await messageBox(app).fill('Only once');
  await runButton(app).dblclick();

  await expect(answers(app)).toContainText('Only once');
  await gateway.happened('finished');
  await expect(runButton(app)).toBeVisible();
  await expect(answers(app)).toHaveCount(1);
  await expect(answers(app)).not.toContainText('Stopped');
  expect(gateway.events.map(({ kind }) => kind)).toEqual(['open', 'finished']);
});
