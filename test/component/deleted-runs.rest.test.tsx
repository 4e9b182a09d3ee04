import { beforeEach, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';

import { chooseAudio } from '../../renderer/features/transcription/transcription-store.ts';
import { announceChange } from '../../renderer/lib/change-listeners.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { MediaView } from '../../renderer/media/players/media-view.tsx';
import type { MediaKind } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { openPanel, type Panel } from './every-panel.tsx';
import { main } from './panel-fake-main.ts';
import { resetPanels, show } from './panel-fixtures.tsx';

beforeEach(() => {
  useLinkState.setState('open', true);
  resetPanels();
});

/** Stores a run and shows it in its panel. */
function showRun(operation: Panel) {
  const view = runView(operation, { id: `${operation}-run`, status: 'succeeded', finishedAt: 1 });
  show(view, { method: 'GET', path: '/v1/models', headers: [], body: null });
  return view;
}

it.each<[Panel, string]>([
  ['completion', 'Write the beginning; the model continues it'],
  ['image', 'Describe an image, or attach one to edit'],
  ['video', 'Describe a scene to generate a video'],
  ['rerank', 'Find the best match'],
  ['speech', 'Turn text into speech'],
  ['transcription', 'Turn speech into text'],
  ['console', 'Send any request'],
])('removes the result of %s if its run is deleted elsewhere, until Undo', async (panel, empty) => {
  const view = showRun(panel);
  const { screen, button } = await openPanel(panel);
  // Inspect is visible only with a result.
  await expect.element(button('Inspect')).toBeVisible();
  main.runs = [];
  announceChange({ topic: 'runs', id: view.id });
  await expect.element(button('Inspect')).not.toBeInTheDocument();
  await expect.element(screen.getByText(empty)).toBeVisible();
  expect(screen.getByRole('alert').query()).toBeNull();
  main.runs = [view];
  announceChange({ topic: 'runs', id: view.id });
  await expect.element(button('Inspect')).toBeVisible();
});

it.each<[Exclude<MediaKind, 'file'>, string]>([
  ['audio', 'audio/mpeg'],
  ['video', 'video/mp4'],
  ['image', 'image/png'],
])('reports that %s was deleted, without offering actions', async (kind, type) => {
  const media = medium({ id: `deleted-${kind}`, kind, type });
  const screen = await render(<MediaView media={media} title="Result" />);
  const words = `This ${kind} was deleted from the library.`;
  await expect.element(screen.getByText(words)).toBeVisible();
  for (const name of ['Download', 'Send to', 'Use this frame']) {
    expect(screen.getByRole('button', { name }).query()).toBeNull();
  }
  expect(screen.getByRole('alert').query()).toBeNull();
});

it('shows a transcript without a warning if its audio was deleted', async () => {
  const id = 'abcdefghijklmnopqrstuv';
  main.media.set(id, medium({ id, kind: 'audio', type: 'audio/mpeg', name: 'talk.mp3' }));
  chooseAudio('deleted-sound');
  const view = runView('transcription', {
    id: 'talk-run',
    status: 'succeeded',
    finishedAt: 1,
    state: { raw: 'Hello', text: 'Hello' },
  });
  show(view, { file: `media:${id}` });
  const { screen } = await openPanel('transcription');
  await expect.element(screen.getByText('This is the transcript of “talk.mp3”.')).toBeVisible();
});
