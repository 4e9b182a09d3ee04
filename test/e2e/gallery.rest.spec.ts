import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { everythingArguments } from '../fixtures/mcp-server.ts';
import { test } from './fixtures/app.ts';
import { expectNothing } from './fixtures/axe.ts';
import {
  answers,
  chooseModel,
  messageBox,
  runButton,
  sendMessage,
  stopButton,
} from './fixtures/chat-page.ts';
import { addModel, chooseModels, startCheck } from './fixtures/check-page.ts';
import { comparison, openColumns, startComparing } from './fixtures/compared.ts';
import { result, showResult } from './fixtures/panel-results.ts';
import { openPanel } from './fixtures/settings-page.ts';

/** `all`, or a regular expression of the pictures' names. `1` is for screenshot.rest.spec.ts. */
const drawn = process.env.GATEHOUSE_SCREENSHOTS ?? '';
const draws = !['', '1'].includes(drawn);
const drawnNames = new RegExp(drawn === 'all' ? '' : drawn);
// A drawing resizes the window, which removes the button that a dialog returns the focus to.
test.use({ demoSpeed: 20, holdsFocus: !draws });

const FOLDER = '.test/gallery';
/** The smallest is last, because it closes the parameters and the dialogs that they opened. */
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1360, height: 860 },
  { width: 960, height: 600 },
];
const THEMES = ['light', 'dark'] as const;

type State = [name: string, reach: (app: Page) => Promise<void>];

/** The states of each panel, each reached from the previous one. */
const panelStates: Record<string, State[]> = {
  Chat: [
    ['chat-empty', (app) => openPanel(app, 'Chat')],
    [
      'chat-parameters',
      async (app) => {
        await app.getByRole('button', { name: 'More', exact: true }).click();
        await app.getByRole('button', { name: 'This conversation' }).click();
      },
    ],
    ['presets', (app) => app.getByRole('button', { name: 'Presets', exact: true }).click()],
    [
      'chat-tool',
      async (app) => {
        await app.keyboard.press('Escape');
        await app.getByRole('button', { name: /^Call a tool/ }).click();
        await expect(answers(app).last()).toContainText('get_weather');
      },
    ],
    [
      'chat-result',
      async (app) => {
        await app.getByRole('button', { name: 'New conversation' }).click();
        await showResult(app, 'Chat');
      },
    ],
    [
      'chat-error',
      async (app) => {
        await app.getByRole('button', { name: 'New conversation' }).click();
        await chooseModel(app, 'demo-broken');
        await sendMessage(app, 'Break, please.');
        await expect(app.getByRole('alert').first()).toBeVisible();
      },
    ],
    [
      'chat-inspector',
      async (app) => {
        await app.keyboard.press('ControlOrMeta+j');
        await expect(app.getByRole('region', { name: 'Inspector' })).toContainText('HTTP 404');
      },
    ],
    ...['Request', 'Events', 'Timing', 'Code'].map(
      (tab): State => [
        `inspector-${tab.toLowerCase()}`,
        async (app) => {
          await app.getByRole('option', { name: /Tell me a story/ }).click();
          await app.getByRole('tab', { name: tab, exact: true }).click();
        },
      ],
    ),
    [
      'command-palette',
      async (app) => {
        await app.keyboard.press('ControlOrMeta+j');
        await messageBox(app).press('ControlOrMeta+k');
        await expect(app.getByRole('dialog')).toBeVisible();
      },
    ],
    [
      'chat-compare',
      async (app) => {
        await app.keyboard.press('Escape');
        await app.getByRole('button', { name: 'New conversation' }).click();
        await openColumns(app, ['demo-story', 'demo-story-brief', 'demo-echo']);
        await sendMessage(app, 'Who keeps the gate?');
        await expectDone(app, 3);
      },
    ],
    [
      'chat-compare-metrics',
      async (app) => {
        await comparison(app).getByText('Metrics', { exact: true }).click();
        await expect(comparison(app).getByRole('table', { name: 'Metrics' })).toBeVisible();
      },
    ],
  ],
  Completion: [
    ['completion-empty', (app) => openPanel(app, 'Completion')],
    ['completion-result', (app) => showResult(app, 'Completion')],
    ['completion-compare', (app) => comparePanel(app, 'Completion', 'demo-story-brief')],
  ],
  Image: [
    ['image-empty', (app) => openPanel(app, 'Image')],
    ['image-result', (app) => showResult(app, 'Image')],
    [
      'image-viewer',
      async (app) => {
        await result(app).getByRole('button', { name: 'Open image' }).first().click();
        await expect(app.getByRole('dialog')).toBeVisible();
      },
    ],
    [
      'image-compare',
      async (app) => {
        await app.keyboard.press('Escape');
        await comparePanel(app, 'Image', 'demo-image');
      },
    ],
  ],
  Video: [
    ['video-empty', (app) => openPanel(app, 'Video')],
    ['video-result', (app) => showResult(app, 'Video')],
    ['video-json', (app) => app.getByText('JSON', { exact: true }).click()],
    ['video-code', (app) => app.getByText('Code', { exact: true }).click()],
  ],
  Rerank: [
    ['rerank-empty', (app) => openPanel(app, 'Rerank')],
    ['rerank-result', (app) => showResult(app, 'Rerank')],
    ['rerank-table', (app) => result(app).getByText('Table', { exact: true }).click()],
    ['rerank-labels', (app) => result(app).getByText('Labels', { exact: true }).click()],
    ['rerank-compare', (app) => comparePanel(app, 'Rerank', 'demo-rerank')],
  ],
  Embeddings: [
    ['embeddings-empty', (app) => openPanel(app, 'Embeddings')],
    ['embeddings-result', (app) => showResult(app, 'Embeddings')],
    ['embeddings-list', (app) => result(app).getByText('List', { exact: true }).click()],
    [
      'embeddings-similarity',
      (app) => result(app).getByText('Similarity', { exact: true }).click(),
    ],
    ['embeddings-neighbors', (app) => result(app).getByText('Neighbors', { exact: true }).click()],
    ['embeddings-compare', (app) => comparePanel(app, 'Embeddings', 'demo-embed')],
  ],
  Speech: [
    ['speech-empty', (app) => openPanel(app, 'Speech')],
    ['speech-result', (app) => showResult(app, 'Speech')],
    ['speech-compare', (app) => comparePanel(app, 'Speech', 'demo-speech')],
  ],
  Transcription: [
    ['transcription-empty', (app) => openPanel(app, 'Transcription')],
    ['transcription-result', (app) => showResults(app, ['Speech', 'Transcription'])],
    [
      'transcription-segments',
      (app) =>
        result(app)
          .getByRole('tab', { name: /^Segments/ })
          .click(),
    ],
    ['transcription-compare', (app) => comparePanel(app, 'Transcription', 'demo-transcribe')],
  ],
  Console: [
    ['console-empty', (app) => openPanel(app, 'Console')],
    ['console-result', (app) => showResult(app, 'Console')],
  ],
  Check: [
    ['check-empty', (app) => openPanel(app, 'Check')],
    ['check-question', (app) => app.keyboard.press('ControlOrMeta+Enter')],
    [
      'check-probe',
      async (app) => {
        await app.getByRole('button', { name: 'Cancel' }).click();
        await chooseModels(app, ['demo-obeys', 'demo-lies']);
        await startCheck(app);
        await app.getByRole('button', { name: 'Seed twice, demo-lies' }).click();
      },
    ],
    [
      'check-matrix',
      async (app) => {
        await result(app).getByRole('button', { name: 'Close result' }).click();
        await addModel(app, 'demo-ignores');
        await startCheck(app);
      },
    ],
    [
      'check-differences',
      async (app) => {
        await app.getByRole('radio', { name: 'Differ', exact: true }).check();
      },
    ],
    [
      'check-load',
      async (app) => {
        await app.getByRole('tab', { name: 'Load' }).click();
        await app.getByRole('textbox', { name: 'Stages' }).fill('1 2 4 8');
        await startCheck(app);
      },
    ],
  ],
  History: [
    ['history-empty', (app) => openPanel(app, 'History')],
    [
      'history-result',
      (app) =>
        showResults(app, ['Chat', 'Completion', 'Completion', 'Rerank', 'Speech', 'History']),
    ],
    [
      'history-differences',
      async (app) => {
        const runs = app.getByRole('option', { name: /The lighthouse keeper/ });
        await runs.first().click();
        await app.getByRole('button', { name: 'Compare with…' }).click();
        await runs.last().click();
        await app.getByRole('button', { name: /^Compare with \d/ }).click();
      },
    ],
  ],
  Library: [
    ['library-empty', (app) => openPanel(app, 'Library')],
    ['library-result', (app) => showResults(app, ['Image', 'Speech', 'Library'])],
    [
      'library-selection',
      async (app) => {
        const marks = app.getByRole('list', { name: 'Media' }).getByRole('checkbox');
        await marks.first().click();
        await marks.last().click();
      },
    ],
  ],
  Settings: [
    ['settings', (app) => openPanel(app, 'Settings')],
    ...['General', 'Timeouts', 'Prices', 'Data', 'Shortcuts', 'About'].map(
      (section): State => [
        `settings-${section.toLowerCase()}`,
        (app) => app.getByRole('link', { name: section, exact: true }).click(),
      ],
    ),
    [
      'connection-dialog',
      async (app) => {
        await app.getByRole('link', { name: 'Connections', exact: true }).click();
        await app.getByRole('button', { name: 'Add connection' }).click();
        await expect(app.getByRole('dialog')).toBeVisible();
      },
    ],
  ],
};

/** MCP servers, built-in tools and formats, each reached from the previous one. */
const connectedStates: State[] = [
  [
    'mcp-add',
    async (app) => {
      await openPanel(app, 'Settings');
      await app.getByRole('link', { name: 'MCP servers' }).click();
      await app.getByRole('button', { name: 'Add server' }).click();
      const dialog = app.getByRole('dialog', { name: 'Add MCP server' });
      await dialog.getByRole('button', { name: 'Add variable' }).click();
    },
  ],
  [
    'mcp-import',
    async (app) => {
      await app.getByRole('button', { name: 'Cancel' }).click();
      await app.getByRole('button', { name: 'Discard' }).click();
      await app.getByRole('button', { name: 'Import mcp.json' }).click();
      const command = { command: process.execPath, args: everythingArguments('stdio') };
      const file = JSON.stringify({ mcpServers: { everything: command } });
      await app.getByRole('textbox', { name: 'Configuration' }).fill(file);
      await expect(app.getByRole('button', { name: 'Add 1 server' })).toBeEnabled();
    },
  ],
  [
    'mcp-list',
    async (app) => {
      await app.getByRole('button', { name: 'Add 1 server' }).click();
      const row = serverRow(app);
      await row.getByRole('button', { name: 'Connect' }).click();
      await expect(row).toContainText('Connected', { timeout: 30_000 });
      await row.getByText('Tools', { exact: true }).click();
      await expect(row.getByRole('list', { name: 'Tools of everything' })).toBeVisible();
    },
  ],
  [
    'mcp-try',
    async (app) => {
      const tool = toolRow(app, 'get-structured-content');
      await tool.getByText('Try', { exact: true }).click();
      await tool.getByRole('combobox').first().selectOption('Chicago');
      await tool.getByRole('button', { name: 'Call tool' }).click();
      await expect(tool.getByRole('region', { name: /^Result of/ })).toContainText('temperature');
    },
  ],
  [
    'mcp-progress',
    async (app) => {
      const tool = toolRow(app, 'trigger-long-running-operation');
      await tool.getByText('Try', { exact: true }).click();
      await tool.getByRole('spinbutton', { name: 'duration' }).fill('500');
      await tool.getByRole('spinbutton', { name: 'steps' }).fill('1000');
      await tool.getByRole('button', { name: 'Call tool' }).click();
      await expect(tool.getByRole('progressbar')).toBeVisible();
    },
  ],
  [
    'mcp-question',
    async (app) => {
      await toolRow(app, 'trigger-long-running-operation')
        .getByRole('button', { name: 'Stop', exact: true })
        .click();
      const tool = toolRow(app, 'trigger-elicitation-request');
      await tool.getByText('Try', { exact: true }).click();
      await tool.getByRole('button', { name: 'Call tool' }).click();
      await expect(app.getByRole('button', { name: 'Answer', exact: true })).toBeVisible();
    },
  ],
  [
    'mcp-elicitation',
    async (app) => {
      await app.getByRole('button', { name: 'Answer', exact: true }).click();
      await expect(app.getByRole('dialog', { name: 'everything asks you' })).toBeVisible();
    },
  ],
  [
    'mcp-choices',
    (app) => app.getByText('Titled Multiple Select Enum', { exact: true }).scrollIntoViewIfNeeded(),
  ],
  [
    'mcp-messages',
    async (app) => {
      const question = app.getByRole('dialog', { name: 'everything asks you' });
      await question.getByRole('button', { name: 'Decline' }).click();
      await expect(question).toBeHidden();
      await app.getByRole('button', { name: 'Messages of everything' }).click();
      const messages = app.getByRole('dialog', { name: /^Messages of everything/ });
      await messages
        .getByRole('button', { name: /elicitation\/create/ })
        .first()
        .click();
    },
  ],
  [
    'connection-formats',
    async (app) => {
      await app.keyboard.press('Escape');
      await app.getByRole('link', { name: 'Connections', exact: true }).click();
      await app.getByRole('button', { name: 'Add connection' }).click();
      const dialog = app.getByRole('dialog', { name: 'Add connection' });
      await dialog.getByRole('combobox', { name: 'Preset' }).fill('xAI');
      await app.keyboard.press('Enter');
      await dialog.getByText('Advanced', { exact: true }).click();
      await dialog.getByRole('button', { name: 'Add format' }).click();
      const header = dialog.getByRole('textbox', { name: 'Key header of format 2' });
      await header.fill('x-api-key');
      await header.scrollIntoViewIfNeeded();
    },
  ],
  [
    'built-in-tools',
    async (app) => {
      await app.keyboard.press('Escape');
      await app.getByRole('button', { name: 'Discard' }).click();
      await openPanel(app, 'Chat');
      await chooseModel(app, 'demo-echo');
      await app.getByRole('button', { name: 'More', exact: true }).click();
      await app
        .getByRole('combobox', { name: 'Format', exact: true })
        .first()
        .selectOption('Responses');
      await app.getByRole('button', { name: 'This conversation' }).click();
      await app.getByRole('button', { name: 'Tools', exact: true }).click();
      for (const tool of ['Web search', 'File search']) {
        await app.getByRole('switch', { name: tool }).click();
      }
      await app.getByRole('switch', { name: 'Web search' }).scrollIntoViewIfNeeded();
    },
  ],
  [
    'token-count',
    async (app) => {
      await app.getByRole('button', { name: 'Done' }).click();
      await messageBox(app).fill('Which of the two gates is open today?');
      await app.getByRole('button', { name: /^Context/ }).click();
      await expect(app.getByRole('button', { name: 'Count tokens' })).toBeVisible();
    },
  ],
];

/** Runs several panels, of which later ones use the results of earlier ones. */
async function showResults(app: Page, panels: readonly string[]): Promise<void> {
  for (const panel of panels) await showResult(app, panel);
}

/** Compares a panel's model with another on the panel's input. */
async function comparePanel(app: Page, panel: string, model: string): Promise<void> {
  await openPanel(app, panel);
  await startComparing(app, model);
  await app.keyboard.press('Escape');
  await runButton(app).click();
  await expectDone(app, 2);
}

async function expectDone(app: Page, requests: number): Promise<void> {
  const words = `${requests} of ${requests} requests done`;
  await expect(comparison(app).getByText(words)).toBeVisible();
}

function serverRow(app: Page): Locator {
  return app.getByRole('listitem', { name: 'everything', exact: true });
}

function toolRow(app: Page, tool: string): Locator {
  return serverRow(app)
    .getByRole('listitem')
    .filter({ has: app.getByText(tool, { exact: true }) });
}

test('has no axe violations in MCP servers, built-in tools and formats', async ({ app }) => {
  test.setTimeout(600_000);
  for (const [name, reach] of connectedStates) {
    await reach(app);
    await expectNothing(app, name);
    await drawAll(app, name);
  }
});

test.describe('pictures', () => {
  test.skip(!draws, 'Only for people to look at: set GATEHOUSE_SCREENSHOTS=all.');
  test.describe.configure({ timeout: 900_000 });

  for (const [panel, states] of Object.entries(panelStates)) {
    test(`captures ${panel} in both themes and three sizes`, async ({ app }) => {
      for (const [name, reach] of states) {
        await reach(app);
        await drawAll(app, name);
      }
    });
  }

  test.describe('at the usual pace', () => {
    test.use({ demoSpeed: 1 });

    test('captures an answer that is streaming', async ({ app }) => {
      await chooseModel(app, 'demo-story-slow');
      await sendMessage(app, 'Tell me a long story.');
      await expect(answers(app).last()).toContainText(/\w{3}/);
      await drawAll(app, 'chat-streaming');
      await expect(stopButton(app)).toBeVisible();
    });
  });
});

async function drawAll(app: Page, name: string): Promise<void> {
  if (!draws || !drawnNames.test(name)) return;
  await app.mouse.move(0, 0);
  for (const size of SIZES) {
    await app.setViewportSize(size);
    for (const colorScheme of THEMES) {
      await app.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await app.evaluate(waitForLayout);
      await app.screenshot({
        path: join(FOLDER, `${name}-${size.width}-${colorScheme}.png`),
        animations: 'disabled',
        caret: 'hide',
      });
    }
  }
  await app.setViewportSize({ width: 1360, height: 860 });
}

/** Waits until three frames in a row have the same layout; a stream's layout never settles, and gets 60 frames. */
async function waitForLayout(): Promise<void> {
  await document.fonts.ready;
  let last = '';
  for (let frame = 0, same = 0; frame < 60 && same < 3; frame++) {
    await new Promise(requestAnimationFrame);
    const layout = [...document.body.querySelectorAll('*')]
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height].map(Math.round).join();
      })
      .join(' ');
    same = layout === last ? same + 1 : 0;
    last = layout;
  }
}
