/** Opens the image panel on a run. */
import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { ImagePanel } from '../../renderer/features/image/image-panel.tsx';
import { useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import type { JsonObject } from '../../shared/json.ts';
import { emptyImageState, type ImageState } from '../../shared/operations/image/state.ts';
import { operations } from '../../shared/operations/operations.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';

export const mediaId = 'Ab3_-Ab3_-Ab3_-Ab3_-Ab';

export const picture = medium({
  id: mediaId,
  kind: 'image',
  type: 'image/png',
  declaredType: 'image/png',
  name: 'image.png',
  sizeBytes: 1000,
  width: 1024,
  height: 1024,
});

export const answer: Partial<ImageState> = {
  candidates: [
    {
      role: 'model',
      parts: [
        { type: 'text', text: 'Hm', thought: true },
        { type: 'text', text: 'Here it is.', thought: false },
        { type: 'media', mediaId, mimeType: 'image/png' },
      ],
      finishReason: 'STOP',
      safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
    },
  ],
  media: [picture],
};

export function resetImagePanel(): void {
  location.hash = '#/image';
  resetPanels();
  for (const { id } of useUndo.getState().offers) withdrawOffer(id);
  main.media.set(mediaId, picture);
}

export async function openImagePanel({ width = 1300, height = 800 } = {}) {
  const screen = await render(
    <PanelPage width={width} height={height}>
      <ImagePanel />
    </PanelPage>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-model');
  return screen;
}

/** Shows a finished run of “A gate” at 16:9 with this state; `changes` override its request. */
export function came(state: Partial<ImageState>, changes: JsonObject = {}): void {
  const { figures, noResult } = operations.image;
  const whole = { ...emptyImageState, ...state };
  const view = runView('image', {
    figures: { ...figures(whole), noResult: noResult(whole, []) },
    preview: 'A gate',
    status: 'succeeded',
    media: state.media ?? [],
    state,
  });
  show(view, {
    contents: [{ role: 'user', parts: [{ text: 'A gate' }] }],
    generationConfig: { imageConfig: { aspectRatio: '16:9', imageSize: '2K' }, seed: 7 },
    ...changes,
  });
}
