import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { chooseAudio } from '../../renderer/features/transcription/transcription-store.ts';
import { useActivities } from '../../renderer/lib/panel-activity.ts';
import { AudioPlayer, type AudioPlayerHandle } from '../../renderer/media/players/audio-player.tsx';
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
  it('plays and pauses stored audio, and seeks with the keyboard and the handle', async () => {
    const handle: { current: AudioPlayerHandle | null } = { current: null };
    const onTimeUpdate = vi.fn();
    const screen = await render(
      <AudioPlayer
        media={await storedTone(20)}
        title="Answer"
        onTimeUpdate={onTimeUpdate}
        ref={(player) => {
          handle.current = player;
        }}
      />,
    );
    const player = screen.getByRole('group', { name: 'Answer' });
    const sound = soundOf(screen.container);
    await player.getByRole('button', { name: 'Play' }).click();
    await expect.element(player.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect.poll(() => sound.currentTime).toBeGreaterThan(0.1);
    await player.getByRole('button', { name: 'Pause' }).click();
    expect(sound.paused).toBe(true);
    await expect.element(player.getByText(/\/ 0:20\.0$/)).toBeVisible();

    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    slider.element().focus();
    await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}{ArrowLeft}');
    expect(sound.currentTime).toBeCloseTo(5, 1);
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
    expect(sound.currentTime).toBeCloseTo(6, 1);
    await userEvent.keyboard('{End}');
    await expect.element(slider).toHaveAttribute('aria-valuetext', '0:20.0 of 0:20.0');
    await userEvent.keyboard('{Home} ');
    await expect.poll(() => sound.currentTime).toBeGreaterThan(0.1);
    expect(sound.paused).toBe(false);
    await userEvent.keyboard(' ');
    await expect.poll(() => sound.paused).toBe(true);

    handle.current?.playFrom(10);
    await expect.poll(() => onTimeUpdate.mock.lastCall?.[0]).toBeGreaterThan(10);
    expect(sound.paused).toBe(false);
  });

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

  it('stops in a hidden panel when other audio starts', async () => {
    location.hash = '#/transcription';
    const media = await storedTone(60);
    chooseAudio(media.id);
    const screen = await render(
      <AudioPlayer media={media} title="Speech" playsOnFrom="transcription" />,
    );
    const sound = soundOf(screen.container);
    await screen.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => sound.currentTime).toBeGreaterThan(0);
    location.hash = '#/speech';
    await screen.rerender(<p>Another panel</p>);
    expect(useActivities.getState().transcription?.description).toBe('Playing');
    expect(sound.paused).toBe(false);
    chooseAudio('another');
    expect(sound.paused).toBe(true);
    expect(useActivities.getState().transcription).toBeUndefined();
  });
});
