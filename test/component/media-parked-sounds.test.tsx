import { afterEach, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';

import { chooseAudio } from '../../renderer/features/transcription/transcription-store.ts';
import { useActivities } from '../../renderer/lib/panel-activity.ts';
import { AudioPlayer } from '../../renderer/media/players/audio-player.tsx';
import type { Media } from '../../shared/media.ts';
import { storedTone } from './media-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import './panel-fake-main.ts';

afterEach(() => {
  location.hash = '';
});

interface SpeechProps {
  media: Media;
  /** Whether it is the result or one of the earlier takes. */
  place: 'result' | 'take' | 'none';
}

/** A sound goes from the result to the takes when another run is shown, as in Speech. */
function Speech({ media, place }: SpeechProps) {
  return (
    <>
      {place === 'result' && <AudioPlayer media={media} title="Result" playsOnFrom="speech" />}
      {place === 'take' && (
        <ul>
          <li>
            <AudioPlayer compact media={media} title="Take" playsOnFrom="speech" />
          </li>
        </ul>
      )}
    </>
  );
}

async function playing(place: SpeechProps['place']) {
  location.hash = '#/speech';
  const media = await storedTone(30);
  const screen = await render(<Speech media={media} place={place} />);
  const sound = screen.container.querySelector('audio');
  await screen.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => sound?.currentTime).toBeGreaterThan(0.1);
  return { screen, media, sound };
}

it('stops audio when its player is removed from the current panel', async () => {
  const { screen, media, sound } = await playing('result');
  await screen.rerender(<Speech media={media} place="none" />);
  await expect.poll(() => sound?.paused).toBe(true);
  expect(sound?.hasAttribute('src')).toBe(false);
  expect(document.querySelector('audio')).toBeNull();
  expect(useActivities.getState().speech).toBeUndefined();
});

it('stops audio of a hidden panel when other audio replaces it', async () => {
  location.hash = '#/transcription';
  const media = await storedTone(30);
  chooseAudio(media.id);
  const screen = await render(
    <AudioPlayer media={media} title="Speech" playsOnFrom="transcription" />,
  );
  const sound = screen.container.querySelector('audio');
  await screen.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => sound?.currentTime).toBeGreaterThan(0.1);
  location.hash = '#/speech';
  await screen.rerender(<p>Another panel</p>);
  expect(useActivities.getState().transcription?.description).toBe('Playing');
  expect(sound?.paused).toBe(false);
  chooseAudio('another');
  expect(sound?.paused).toBe(true);
  expect(useActivities.getState().transcription).toBeUndefined();
});
