import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';

import { TranscriptionPanel } from '../../renderer/features/transcription/transcription-panel.tsx';
import { chooseAudio } from '../../renderer/features/transcription/transcription-store.ts';
import { MediaView } from '../../renderer/media/players/media-view.tsx';
import type { MediaKind } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';

const kinds: [Exclude<MediaKind, 'file'>, string][] = [
  ['audio', 'audio/mpeg'],
  ['video', 'video/mp4'],
  ['image', 'image/png'],
];

it.each(kinds)('reports that %s was deleted, and offers no action for it', async (kind, type) => {
  main.media.clear();
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
  resetPanels();
  location.hash = '#/transcription';
  const media = medium({
    id: 'abcdefghijklmnopqrstuv',
    kind: 'audio',
    type: 'audio/mpeg',
    name: 'talk.mp3',
  });
  main.media.set(media.id, media);
  chooseAudio('deleted-sound');
  const view = runView('transcription', { id: 'talk-run', status: 'succeeded', finishedAt: 1 });
  show(view, { file: `media:${media.id}` });
  const screen = await render(
    <PanelPage>
      <TranscriptionPanel />
    </PanelPage>,
  );
  await expect.element(screen.getByText('This is the transcript of “talk.mp3”.')).toBeVisible();
});
