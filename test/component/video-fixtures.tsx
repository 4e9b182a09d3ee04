/** Opens the video panel on a task. */
import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { VideoPanel } from '../../renderer/features/video/video-panel.tsx';
import { emptyVideoState, type VideoState } from '../../shared/operations/video/state.ts';
import { videoOperation } from '../../shared/operations/video/video.ts';
import type { RunSummary } from '../../shared/run.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';

export function resetVideoPanel(): void {
  location.hash = '#/video';
  resetPanels();
}

export async function openVideoPanel({ width = 1300, height = 800 } = {}) {
  const screen = await render(
    <PanelPage width={width} height={height}>
      <VideoPanel />
    </PanelPage>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-model');
  return screen;
}

/** Shows a task for “A boat” with this state, in the panel and in the list. */
export function showTask(
  state: Partial<VideoState>,
  more: Partial<RunSummary> & { format?: string } = {},
): void {
  const view = runView('video', {
    preview: 'A boat',
    phase: videoOperation.phase({ ...emptyVideoState, ...state }),
    media: state.media ?? [],
    state,
    ...more,
  });
  show(view, { prompt: 'A boat', width: 640 });
  const input = main.inputs.get(view.id);
  if (input !== undefined)
    main.inputs.set(view.id, { ...input, wireNames: { seed: 'random_seed' } });
}

export const accepted = { taskId: 't-1', status: 'queued', word: 'queued' } as const;
