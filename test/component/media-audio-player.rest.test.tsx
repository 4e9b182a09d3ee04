import { afterEach, describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { useActivities } from '../../renderer/lib/panel-activity.ts';
import { AudioPlayer } from '../../renderer/media/players/audio-player.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { storedTone, textFile } from './media-fixtures.ts';
import { main } from './panel-fake-main.ts';
import { soundOf } from './waveform-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

afterEach(() => {
  location.hash = '';
});

describe('the audio player', () => {
  it('reports bytes that aren’t audio', async () => {
    const media = await uploadMedia(textFile('voice.wav', 'audio/wav'));
    main.media.set(media.id, media);
    const screen = await render(<AudioPlayer media={media} title="Answer" />);
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/can’t be played/);
  });

  it('keeps playing while its panel is hidden', async () => {
    const media = await storedTone(60);
    const player = <AudioPlayer media={media} title="Speech" playsOnFrom="speech" />;
    const screen = await render(player);
    const sound = soundOf(screen.container);
    await screen.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => sound.currentTime).toBeGreaterThan(0);
    await screen.rerender(<p>Another panel</p>);
    const left = sound.currentTime;
    expect(sound.paused).toBe(false);
    expect(useActivities.getState().speech?.description).toBe('Playing');
    await expect.poll(() => sound.currentTime).toBeGreaterThan(left);
    await screen.rerender(player);
    expect(soundOf(screen.container)).toBe(sound);
    expect(useActivities.getState().speech).toBeUndefined();
    await screen.getByRole('button', { name: 'Pause' }).click();
    expect(sound.paused).toBe(true);
    await screen.unmount();
    expect(sound.hasAttribute('src')).toBe(false);
  });
});
