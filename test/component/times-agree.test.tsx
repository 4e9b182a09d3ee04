import { beforeEach, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { useHistory } from '../../renderer/features/history/history-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Timings } from '../../shared/run.ts';
import { timingTooltips } from '../../shared/run-times.ts';
import { runView } from '../fixtures/run-view.ts';
import { makeMessage } from './chat-fake-main.ts';
import { main } from './shell-fake-main.ts';
import { resetShellWithModels } from './shell-fixtures.ts';

/** Sent 100 ms after it was started, first output 400 ms after that, the last byte after 4.2 s. */
const timings: Timings = {
  startedAtMs: 100,
  dnsMs: null,
  connectMs: 1,
  tlsMs: null,
  reusedSocket: false,
  sentAtMs: 102,
  headAtMs: 300,
  firstDeltaAtMs: 500,
  endAtMs: 4300,
  deltaCount: 100,
  gaps: null,
  sentBytes: 1,
  receivedBytes: 1,
};

beforeEach(async () => {
  await resetShellWithModels();
  useHistory.setState({ shownId: null });
});

function hasRun(operation: OperationName, completionTokens = 190) {
  const createdAt = 1_800_000_000_000;
  const usage = { prompt_tokens: 3, completion_tokens: completionTokens };
  main.runs = [
    runView(operation, {
      id: 'run-1',
      status: 'succeeded',
      createdAt,
      startedAt: createdAt + 100,
      finishedAt: createdAt + 4600,
      timings,
      figures: { model: 'demo-story', usage, finishReasons: [], noResult: null },
    }),
  ];
  main.recorded = { prompt: 'Once', input: 'Once', query: 'Once' };
}

/** The texts with this tooltip. */
function toldBy(words: string, within: Element): string[] {
  return [...within.querySelectorAll<HTMLElement>('[data-tooltip]')]
    .filter(({ dataset }) => dataset.tooltip?.endsWith(words))
    .map(({ textContent }) => textContent);
}

const panels = [
  'completion',
  'image',
  'video',
  'rerank',
  'speech',
  'transcription',
  'console',
] as const;

it.each(panels)(
  'shows the same total of %s in the panel, in History and in its rows',
  async (panel) => {
    hasRun(panel);
    panelForms[panel].change({ runId: 'run-1' });
    location.hash = `#/${panel}`;
    const screen = await render(<App />);
    const result = screen.getByRole('region', { name: 'Result' });
    await expect.element(result).toBeVisible();
    await expect
      .poll(() =>
        toldBy(timingTooltips.total, result.element()).map((text) => text.replace(/\s/g, '')),
      )
      .toEqual(['Totaltime4.20s']);

    location.hash = '#/history';
    const row = screen.getByRole('listbox', { name: 'Runs' }).getByRole('option');
    await expect.element(row).toBeVisible();
    expect(toldBy(timingTooltips.total, row.element())).toEqual(['4.20 s']);
    const record = screen.getByRole('article', { name: 'Run' });
    await expect
      .poll(() => toldBy(timingTooltips.total, record.element()))
      .toEqual(['Total time4.20 s']);
  },
);

it('shows the same figures of an answer in Chat and in History', async () => {
  hasRun('chat');
  const [run] = main.runs;
  if (run === undefined) throw new Error('There is one.');
  const question = makeMessage({ id: 'question', content: 'Where do rivers go?' });
  const answer = makeMessage({
    ...{ id: 'answer', parentId: 'question', role: 'assistant', content: 'To the sea.' },
    ...{ run, choiceIndex: 0 },
  });
  main.conversations = [
    {
      ...{ id: 'rivers', title: 'About rivers', titled: false, createdAt: 0, updatedAt: 0 },
      ...{ messageCount: 2, lastRunStatus: 'succeeded', match: null, turns: [], systemMessage: '' },
      ...{ pinned: false, archived: false, folder: null },
      ...{ options: defaultConversationOptions, activeLeafId: 'answer' },
      ...{ complete: true, revision: 'epoch:0' },
      messages: [question, answer],
    },
  ];
  const figures = (within: Element) =>
    [timingTooltips.firstOutput, timingTooltips.speed, timingTooltips.total].flatMap((words) =>
      toldBy(words, within),
    );
  const shown = ['First token400 ms', 'Speed50.0 tokens/s', 'Total time4.20 s'];
  location.hash = '#/chat/rivers';
  const screen = await render(<App />);
  const said = screen.getByRole('article', { name: 'assistant' });
  await expect.element(said).toBeVisible();
  await expect.poll(() => figures(said.element())).toEqual(shown);

  location.hash = '#/history';
  const record = screen.getByRole('article', { name: 'Run' });
  await expect.element(record).toBeVisible();
  await expect.poll(() => figures(record.element())).toEqual(shown);
});

it('shows first output and speed, and no speed for few tokens', async () => {
  hasRun('completion');
  location.hash = '#/history';
  const screen = await render(<App />);
  const record = screen.getByRole('article', { name: 'Run' });
  await expect.element(record).toBeVisible();
  expect(toldBy(timingTooltips.firstOutput, record.element())).toEqual(['First token400 ms']);
  expect(toldBy(timingTooltips.speed, record.element())).toEqual(['Speed50.0 tokens/s']);
  await screen.unmount();

  useLiveRuns.setState({ views: {}, problems: {}, dataAt: {} });
  queryClient.clear();
  hasRun('completion', 49);
  const again = await render(<App />);
  await expect.element(again.getByRole('article', { name: 'Run' })).toBeVisible();
  expect(toldBy(timingTooltips.speed, document.body)).toEqual([]);
});
