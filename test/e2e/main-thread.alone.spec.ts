/** On the desktop, the services share the thread that moves the window, so no task of theirs may take long. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test as whole } from '@playwright/test';
import type { JsonObject } from '../../shared/json.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { always, jsonReply, type Script, startWireServer } from '../fixtures/wire-server.ts';
import { test as base } from './fixtures/app.ts';
import { startBrowserHostProcess } from './fixtures/browser-host-process.ts';
import { answers, sendMessage } from './fixtures/chat-page.ts';
import { panelNames, showResult } from './fixtures/panel-results.ts';
import { connectRpc } from './fixtures/rpc-client.ts';
import { openPanel } from './fixtures/settings-page.ts';

/**
 * A delay that is hardly noticed while typing or dragging: 50 ms on a machine that reads and writes
 * 2.6 MB of JSON text in 17 ms, and as much longer as this machine takes for that.
 */
const MAX_TURN_MS = 50 * Math.max(1, measureJsonMs() / 17);

/** Returns the CPU time that this machine takes to read and write 2.6 MB of JSON text. */
function measureJsonMs(): number {
  const things = Array.from({ length: 40_000 }, (_, id) => ({
    id,
    name: `thing number ${id}`,
    value: id / 7,
  }));
  const text = JSON.stringify(things);
  const times = Array.from({ length: 9 }, () => {
    const before = process.threadCpuUsage();
    JSON.stringify(JSON.parse(text));
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return times.toSorted((a, b) => a - b)[4] ?? 0;
}

interface TurnFixtures {
  /** Runs a step of the test, and fails if one turn of the main thread took too much CPU time. */
  step(name: string, work: () => Promise<void>): Promise<void>;
}

const test = base.extend<TurnFixtures>({
  async hostProcess({ home, hostKind, environment }, use, testInfo) {
    testInfo.skip(hostKind !== 'browser', 'Electron’s own tasks would count too.');
    const probe = new URL('./fixtures/log-long-turns.ts', import.meta.url);
    const host = await startBrowserHostProcess({
      home,
      environment: {
        ...environment,
        NODE_OPTIONS: `--import=${probe}`,
        TURNS_FILE: join(home, 'turns.txt'),
      },
    });
    await use(host);
    await host.stop();
  },

  async step({ home }, use) {
    const file = join(home, 'turns.txt');
    const readTurns = () =>
      existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];
    // Loading the code takes longer than what is noted.
    expect(readTurns()).not.toEqual([]);
    await use((name, work) =>
      whole.step(name, async () => {
        const before = readTurns().length;
        await work();
        const turns = readTurns().slice(before);
        const longest = Math.max(0, ...turns);
        whole.info().annotations.push({ type: name, description: `${longest} ms` });
        expect.soft(longest, `CPU time of the longest turn: ${name}`).toBeLessThan(MAX_TURN_MS);
      }),
    );
  },
});

test.describe.configure({ timeout: 300_000 });

test.describe('with the demo gateway', () => {
  test.use({ demoSpeed: 20 });

  test('never blocks the main thread in a panel, History or a backup', async ({ app, step }) => {
    for (const panel of panelNames) await step(panel, () => showResult(app, panel));
    await step('a second answer', async () => {
      await openPanel(app, 'Chat');
      await sendMessage(app, 'And what became of the keeper?');
      await expect(answers(app).last()).toContainText('Total');
    });
    await step('History', async () => {
      await openPanel(app, 'History');
      await app.getByRole('searchbox', { name: 'Search runs' }).fill('harbor');
      await expect(app.getByText('A harbor at dawn').first()).toBeVisible();
    });
    await step('a backup', () => backUp(app));
    await step('a reload', async () => {
      await app.reload();
      await expect(app.getByText('A harbor at dawn').first()).toBeVisible();
    });
  });
});

async function backUp(app: Page): Promise<void> {
  await openPanel(app, 'Settings');
  await app.getByRole('link', { name: 'Data', exact: true }).click();
  const download = app.waitForEvent('download');
  await app.getByRole('button', { name: 'Back up' }).click();
  await (await download).path();
  await openPanel(app, 'History');
}

const words = 'The “gate” stands open, and the keeper sleeps.\n';

const large: Record<string, [OperationName, JsonObject, () => unknown]> = {
  '20 MB of vectors': [
    'embeddings',
    {
      model: 'm',
      input: Array.from({ length: 1000 }, (_, at) => `input ${at}`),
      batch_size: 1000,
    },
    () => ({
      data: Array.from({ length: 1000 }, (_, index) => ({
        index,
        embedding: Array.from({ length: 1024 }, (_each, at) => Math.sin(index * 1024 + at)),
      })),
    }),
  ],
  '30 MB of images': [
    'image',
    { model: 'm', contents: [{ parts: [{ text: 'A gate' }] }] },
    () => ({
      candidates: [
        {
          content: {
            parts: Array.from({ length: 4 }, (_, at) => ({
              inlineData: {
                mimeType: 'image/png',
                data: Buffer.alloc(6_000_000, at + 1).toString('base64'),
              },
            })),
          },
        },
      ],
    }),
  ],
  '30 MB of JSON in the Console': [
    'console',
    { method: 'GET', path: '/v1/things', body: null },
    () =>
      Array.from({ length: 500_000 }, (_, id) => ({
        id,
        name: `thing number ${id}`,
        value: id / 7,
      })),
  ],
  '5,000 ranked documents': [
    'rerank',
    { model: 'm', query: 'gate', documents: Array.from({ length: 5_000 }, (_, at) => `d ${at}`) },
    () => ({
      results: Array.from({ length: 5_000 }, (_, index) => ({
        index,
        relevance_score: 1 / (index + 1),
        document: { text: `d ${index}` },
      })),
    }),
  ],
  '5,000 log probabilities': [
    'chat',
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }], logprobs: true },
    () => ({
      choices: [
        {
          message: { role: 'assistant', content: ' gate'.repeat(5_000) },
          logprobs: {
            content: Array.from({ length: 5_000 }, () => ({
              token: ' gate',
              logprob: -0.5,
              top_logprobs: [{ token: ' gate', logprob: -0.5 }],
            })),
          },
        },
      ],
    }),
  ],
  'an answer of 4 MB': [
    'chat',
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
    () => ({ choices: [{ message: { role: 'assistant', content: words.repeat(90_000) } }] }),
  ],
};

interface LargeGateway {
  url: string;
  /** Sets the body of all responses. */
  answer(body: unknown): void;
}

const testLarge = test.extend<{ gateway: LargeGateway }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used
  async gateway({}, use) {
    let script: Script = always(jsonReply({ data: [] }));
    const server = await startWireServer((exchange) => script(exchange));
    await use({
      url: server.url,
      answer: (body) => {
        script = always(jsonReply(body));
      },
    });
    await server.close();
  },
  hostEnvironment: async ({ gateway }, use) => {
    await use({ GATEHOUSE_BASE_URL: gateway.url, GATEHOUSE_API_KEY: 'sk-test-0123456789abcdef' });
  },
});

for (const [name, [operation, request, makeBody]] of Object.entries(large)) {
  testLarge(`never blocks the main thread for ${name}`, async ({ app, gateway, step }) => {
    const { api, close } = await connectRpc(app);
    gateway.answer(makeBody());
    await step(name, async () => {
      const input = { connectionId: 'environment', operation, request, extraBody: {} };
      const { runId } = await api.runs.start(input);
      for await (const _update of await api.runs.watch({ id: runId, after: null })) {
      }
    });
    close();
  });
}
