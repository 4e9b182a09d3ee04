import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';

import { AnswerOutcome } from '../../renderer/features/chat/log/answer/answer-body.tsx';
import { CompletionResult } from '../../renderer/features/completion/completion-result.tsx';
import { ImageResult } from '../../renderer/features/image/image-result.tsx';
import { Ranking } from '../../renderer/features/rerank/rerank-result.tsx';
import { SpeechResult } from '../../renderer/features/speech/speech-result.tsx';
import { TranscriptionResult } from '../../renderer/features/transcription/transcription-result.tsx';
import { ShownTask } from '../../renderer/features/video/task.tsx';
import type { RunView } from '../../shared/run-view.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';
import { layDown, PanelPage, resetPanels } from './panel-fixtures.tsx';

beforeEach(resetPanels);

const id = 'run-1';
const nothing = vi.fn();
const ended = { status: 'succeeded', finishedAt: Date.now() } as const;

function withoutResult(view: RunView, noResult: string): RunView {
  const figures = { model: null, usage: null, finishReasons: [], noResult };
  return { ...view, figures };
}

const amber = () => colorOf('--warning');

/** Resolves a color role to its computed color. */
function colorOf(role: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${role})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const reasons = {
  completion: 'The token limit was reached before any text.',
  image: 'The gateway blocked the prompt: safety.',
  video: 'The task completed without a video.',
  rerank: 'The response ranks no documents.',
  speech: 'The audio is empty.',
  transcription: 'No speech was found in the audio.',
} as const;

it.each<[keyof typeof reasons, ReactNode]>([
  [
    'completion',
    <CompletionResult
      key="completion"
      runId={id}
      prompt=""
      onContinue={nothing}
      onRetry={nothing}
    />,
  ],
  ['image', <ImageResult key="image" runId={id} onRetry={nothing} onContinue={nothing} />],
  ['video', <ShownTask key="video" runId={id} onRemix={() => undefined} onDeleted={nothing} />],
  ['rerank', <Ranking key="rerank" runId={id} onRetry={nothing} />],
  ['speech', <SpeechResult key="speech" runId={id} autoPlay={false} onRetry={nothing} />],
  [
    'transcription',
    <TranscriptionResult
      key="transcription"
      runId={id}
      chosenId={null}
      hasChosen={false}
      onRetry={nothing}
    />,
  ],
])('marks a run of %s without a result in amber, with its reason', async (operation, result) => {
  const task = { taskId: 't-1', status: 'completed', word: 'completed' } as const;
  const view = runView(operation, { ...ended, ...(operation === 'video' && { state: task }) });
  layDown(withoutResult(view, reasons[operation]));
  const screen = await render(<PanelPage>{result}</PanelPage>);
  const region = screen.getByRole('region', { name: 'Result' });
  const mark = region.getByText('No result', { exact: true });
  await expect.element(mark).toBeVisible();
  expect(getComputedStyle(mark.element()).color).toBe(amber());
  await expect
    .element(region.getByRole('alert'))
    .toMatchTextContent(
      `${operation === 'rerank' ? 'No results.' : 'No result.'} ${reasons[operation]}`,
    );
  expect(region.getByText('Succeeded').elements()).toEqual([]);
});

it('marks a run without a result in amber in a conversation', async () => {
  const figures = { model: null, usage: null, finishReasons: [], noResult: reasons.completion };
  const run = runSummary({ ...ended, operation: 'chat', figures });
  const answer = {
    content: '',
    body: '',
    reasoning: '',
    refusal: '',
    toolCalls: [],
    audio: null,
    commentaryLength: 0,
    isTagged: false,
    isEncrypted: false,
    sources: [],
  };
  const screen = await render(
    <PanelPage>
      <AnswerOutcome run={run} answer={answer} onRetry={nothing} />
    </PanelPage>,
  );
  const notice = screen.getByRole('alert');
  await expect.element(notice).toMatchTextContent(`No result. ${reasons.completion}`);
  await expect.element(notice.getByRole('button', { name: 'Retry' })).toBeVisible();
  const icon = notice.element().querySelector('svg');
  expect(icon === null ? null : getComputedStyle(icon).color).toBe(amber());
  const colors = [notice.element(), ...notice.element().querySelectorAll('*')].flatMap((part) => {
    const { color, borderTopColor, backgroundColor } = getComputedStyle(part);
    return [color, borderTopColor, backgroundColor];
  });
  for (const role of ['--success', '--danger']) expect(colors).not.toContain(colorOf(role));
});
