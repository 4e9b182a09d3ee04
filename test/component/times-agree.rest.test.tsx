import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';

import { AnswerBody } from '../../renderer/features/chat/log/answer/answer-body.tsx';
import { HistoryPanel } from '../../renderer/features/history/history-panel.tsx';
import { useHistory } from '../../renderer/features/history/history-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { Timings } from '../../shared/run.ts';
import { timingTooltips } from '../../shared/run-times.ts';
import { runView } from '../fixtures/run-view.ts';
import { makeMessage } from './chat-fake-state.ts';
import { everyPanel, openPanel } from './every-panel.tsx';
import { answerCalls } from './page-api.ts';
import { api } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels, show } from './panel-fixtures.tsx';

/** Sent 100 ms after the start, first output 400 ms later, last byte after 4.2 s. */
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

beforeEach(() => {
  answerCalls(api);
  resetPanels();
  useHistory.setState({ shownId: null });
});

function endedRun(operation: OperationName) {
  const createdAt = 1_800_000_000_000;
  const usage = { prompt_tokens: 3, completion_tokens: 190 };
  return runView(operation, {
    id: `${operation}-run`,
    status: 'succeeded',
    createdAt,
    timings,
    startedAt: createdAt + 100,
    finishedAt: createdAt + 4600,
    figures: { model: 'demo-story', usage, finishReasons: [], noResult: null },
  });
}

/** Returns the texts that have this tooltip, without spaces. */
function getTimes(tooltip: string, within: Element): string[] {
  return [...within.querySelectorAll<HTMLElement>('[data-tooltip]')]
    .filter(({ dataset }) => dataset.tooltip?.endsWith(tooltip))
    .map(({ textContent }) => textContent.replace(/\s+/g, ''));
}

async function openHistory() {
  const screen = await render(
    <PanelPage>
      <HistoryPanel />
    </PanelPage>,
  );
  const record = screen.getByRole('article', { name: 'Run' });
  await expect.element(record).toBeVisible();
  return { record, rows: screen.getByRole('listbox', { name: 'Runs' }).getByRole('option') };
}

it('shows the same total time in each panel, in History and in its rows', async () => {
  for (const panel of everyPanel) {
    show(endedRun(panel), { prompt: 'Once', input: 'Once', query: 'Once' });
    const { screen, result } = await openPanel(panel);
    await expect.element(result).toBeVisible();
    await expect
      .poll(() => getTimes(timingTooltips.total, result.element()), { message: panel })
      .toEqual(['Totaltime4.20s']);
    await screen.unmount();
  }
  const { record, rows } = await openHistory();
  await expect.poll(() => rows.elements().length).toBe(everyPanel.length);
  for (const row of rows.elements()) {
    expect(getTimes(timingTooltips.total, row)).toEqual(['4.20s']);
  }
  await expect
    .poll(() => getTimes(timingTooltips.total, record.element()))
    .toEqual(['Totaltime4.20s']);
});

it('shows equal metrics for an answer in Chat and in History', async () => {
  const run = endedRun('chat');
  layDown(run);
  const figures = (within: Element) =>
    [timingTooltips.firstOutput, timingTooltips.speed, timingTooltips.total].flatMap((tooltip) =>
      getTimes(tooltip, within),
    );
  const shown = ['Firsttoken400ms', 'Speed50.0tokens/s', 'Totaltime4.20s'];
  const message = makeMessage({ role: 'assistant', content: 'To the sea.', run, choiceIndex: 0 });
  const { container } = await render(
    <QueryClientProvider client={queryClient}>
      <AnswerBody message={message} run={run} onRetry={undefined} onContinue={null} />
    </QueryClientProvider>,
  );
  await expect.poll(() => figures(container)).toEqual(shown);
  const { record } = await openHistory();
  await expect.poll(() => figures(record.element())).toEqual(shown);
});
