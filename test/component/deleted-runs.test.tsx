import type { ComponentType } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';

import { CompletionPanel } from '../../renderer/features/completion/completion-panel.tsx';
import { ConsolePanel } from '../../renderer/features/console/console-panel.tsx';
import { ImagePanel } from '../../renderer/features/image/image-panel.tsx';
import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { SpeechPanel } from '../../renderer/features/speech/speech-panel.tsx';
import { TranscriptionPanel } from '../../renderer/features/transcription/transcription-panel.tsx';
import { VideoPanel } from '../../renderer/features/video/video-panel.tsx';
import { announceChange } from '../../renderer/lib/change-listeners.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { appError } from '../../shared/errors.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { runView } from '../fixtures/run-view.ts';
import { api, main, refusal } from './panel-fake-main.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';

const panels: [Exclude<OperationName, 'chat'>, ComponentType, string][] = [
  ['completion', CompletionPanel, 'Write the beginning; the model continues it'],
  ['image', ImagePanel, 'Describe an image, or attach one to edit'],
  ['video', VideoPanel, 'Describe a scene to generate a video'],
  ['rerank', RerankPanel, 'Find the best match'],
  ['speech', SpeechPanel, 'Turn text into speech'],
  ['transcription', TranscriptionPanel, 'Turn speech into text'],
  ['console', ConsolePanel, 'Send any request'],
];

beforeEach(() => {
  useLinkState.setState('open', true);
  resetPanels();
});

type Panel = (typeof panels)[number][0];

/** The run that its panel shows. */
function showRun(operation: Panel) {
  const view = runView(operation, { id: `${operation}-run`, status: 'succeeded', finishedAt: 1 });
  show(view, { method: 'GET', path: '/v1/models', headers: [], body: null });
  return view;
}

/** As a reload leaves it: nothing is known of its run yet. */
function forgetRuns(): void {
  useLiveRuns.setState({ views: {}, problems: {}, dataAt: {} });
}

async function open(operation: Panel, PanelUnderTest: ComponentType) {
  location.hash = `#/${operation}`;
  const screen = await render(
    <PanelPage>
      <PanelUnderTest />
    </PanelPage>,
  );
  // Only a result can be inspected.
  return { screen, result: screen.getByRole('button', { name: 'Inspect' }) };
}

it.each(panels)(
  '%s: removes a result if its run is deleted elsewhere, and shows it again after Undo',
  async (...one) => {
    const [operation, PanelUnderTest, empty] = one;
    const view = showRun(operation);
    const { screen, result } = await open(operation, PanelUnderTest);
    await expect.element(result).toBeVisible();
    main.runs = [];
    announceChange({ topic: 'runs', id: view.id });
    await expect.element(result).not.toBeInTheDocument();
    await expect.element(screen.getByText(empty)).toBeVisible();
    expect(screen.getByRole('alert').query()).toBeNull();
    main.runs = [view];
    announceChange({ topic: 'runs', id: view.id });
    await expect.element(result).toBeVisible();
  },
);

it('is empty after a reload if its run was deleted', async () => {
  showRun('rerank');
  main.runs = [];
  forgetRuns();
  const { screen, result } = await open('rerank', RerankPanel);
  await expect.element(result).not.toBeInTheDocument();
  await expect.element(screen.getByText('Find the best match')).toBeVisible();
  expect(screen.getByRole('alert').query()).toBeNull();
});

it('loads a run again that couldn’t be read, and sends nothing', async () => {
  const error = appError('file', 'It cannot be read.', '');
  const watch = vi.spyOn(api.runs, 'watch').mockRejectedValue(refusal(error));
  showRun('console');
  forgetRuns();
  const { screen, result } = await open('console', ConsolePanel);
  const alert = screen.getByText('It cannot be read.');
  await expect.element(alert).toBeVisible();
  watch.mockRestore();
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.element(result).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
  expect(main.started).toEqual([]);
});
