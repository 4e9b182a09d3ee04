import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { AudioPlayer, type AudioPlayerHandle } from '../../renderer/media/players/audio-player.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { startMediaUpload } from '../../renderer/media/uploads/upload-recording.ts';
import { mediaUrl } from '../../shared/media-reference.ts';
import { wavHeader } from '../../shared/wav.ts';
import { medium } from '../fixtures/medium.ts';
import { RATE, storedTone, textFile, tone } from './media-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

function soundOf(container: Element): HTMLAudioElement {
  const sound = container.querySelector('audio');
  if (sound === null) throw new Error('There is no audio element.');
  return sound;
}

function waveformOf(container: Element): ShadowRoot | null {
  const hosts = [...container.querySelectorAll('*')];
  return hosts.find(({ shadowRoot }) => shadowRoot !== null)?.shadowRoot ?? null;
}

describe('the audio player', () => {
  it('plays and pauses a stored sound and shows its time', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(30)} title="Answer" />);
    const player = screen.getByRole('group', { name: 'Answer' });
    await player.getByRole('button', { name: 'Play' }).click();
    await expect.element(player.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect.poll(() => soundOf(screen.container).currentTime).toBeGreaterThan(0.2);
    await player.getByRole('button', { name: 'Pause' }).click();
    expect(soundOf(screen.container).paused).toBe(true);
    await expect.element(player.getByText(/\/ 0:30$/)).toBeVisible();
  });

  it('is moved by keys and by clicks on the waveform', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(30)} title="Answer" />);
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expect.poll(() => waveformOf(screen.container)).not.toBeNull();
    await expect.poll(() => soundOf(screen.container).readyState).toBeGreaterThan(0);
    await slider.click({ position: { x: 1, y: 20 } });
    await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}');
    expect(soundOf(screen.container).currentTime).toBeCloseTo(3, 1);
    await userEvent.keyboard('{End}');
    await expect.element(slider).toHaveAttribute('aria-valuetext', '0:30 of 0:30');
    const { width } = slider.element().getBoundingClientRect();
    await slider.click({ position: { x: width / 2, y: 20 } });
    await expect.poll(() => soundOf(screen.container).currentTime).toBeCloseTo(15, 0);
  });

  it('draws ready peaks without inline styles, which the page may not have', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(2)} title="Answer" />);
    await expect.poll(() => waveformOf(screen.container)?.querySelector('canvas')).toBeTruthy();
    const root = waveformOf(screen.container);
    expect(root?.querySelector('style')).toBeNull();
    expect(root?.adoptedStyleSheets).toHaveLength(1);
    const canvas = root?.querySelector('canvas');
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
    expect(pixels?.some((value) => value !== 0)).toBe(true);
  });

  it('takes speed and loop', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(2)} title="Answer" />);
    await screen.getByRole('combobox', { name: 'Speed' }).selectOptions('1.5×');
    await screen.getByRole('button', { name: 'Loop' }).click();
    const sound = soundOf(screen.container);
    expect(sound.playbackRate).toBe(1.5);
    expect(sound.loop).toBe(true);
    await expect
      .element(screen.getByRole('button', { name: 'Loop' }))
      .toHaveAttribute('aria-pressed', 'true');
  });

  it('plays a stretch from its handle, tells the time meanwhile and stops at its end', async () => {
    const media = await storedTone(30);
    const handle: { current: AudioPlayerHandle | null } = { current: null };
    const onTimeUpdate = vi.fn();
    const screen = await render(
      <AudioPlayer
        media={media}
        title="Answer"
        onTimeUpdate={onTimeUpdate}
        ref={(player) => {
          handle.current = player;
        }}
      />,
    );
    const sound = soundOf(screen.container);
    await expect.poll(() => sound.readyState).toBeGreaterThan(0);
    handle.current?.playFrom(10, 10.4);
    await expect.poll(() => sound.currentTime).toBeGreaterThanOrEqual(10.4);
    await expect.poll(() => sound.paused).toBe(true);
    expect(sound.currentTime).toBeLessThan(11);
    expect(onTimeUpdate.mock.lastCall?.[0]).toBeCloseTo(sound.currentTime, 5);
  });

  it('plays a growing sound from its first bytes, and has its waveform once it is whole', async () => {
    const upload = await startMediaUpload({ name: 'speech.wav', type: 'audio/wav' });
    await upload.write(wavHeader({ sampleRate: RATE, channels: 1 }, null).buffer);
    // Chromium begins once it has some 200 kB of WAV; of compressed formats 32 kB are enough.
    await upload.write(tone(20).buffer);
    const growing = medium({ id: upload.id, kind: 'audio', type: 'audio/wav', complete: false });
    const screen = await render(<AudioPlayer media={growing} title="Speech" autoPlay />);
    const sound = soundOf(screen.container);
    await expect.poll(() => sound.currentTime, { timeout: 5000 }).toBeGreaterThan(0.2);
    expect(waveformOf(screen.container)).toBeNull();
    await upload.write(tone(20).buffer);
    const whole = await upload.finish();
    await screen.rerender(<AudioPlayer media={whole} title="Speech" autoPlay />);
    await expect.poll(() => waveformOf(screen.container)).not.toBeNull();
    expect(sound.paused).toBe(false);
    const slider = screen.getByRole('slider', { name: 'Position in Speech' });
    slider.element().focus();
    await userEvent.keyboard('{PageUp}{PageUp}{PageUp}{PageUp}{PageUp}');
    await expect.poll(() => sound.currentTime).toBeGreaterThan(19);
    await expect.poll(() => sound.paused).toBe(false);
  });

  it('plays raw samples at the rate it is told', async () => {
    const file = new File([tone(2)], 'speech.pcm', { type: 'audio/pcm' });
    const media = await uploadMedia(file);
    const pcm = { sampleRate: RATE / 2, channels: 1 };
    const screen = await render(<AudioPlayer media={media} title="Speech" pcm={pcm} />);
    await expect.poll(() => soundOf(screen.container).duration).toBeCloseTo(4, 1);
    await expect.poll(() => waveformOf(screen.container)).not.toBeNull();
    await expect.element(screen.getByRole('button', { name: 'Download as WAV' })).toBeVisible();
  });

  it('fetches raw samples once, also when their rate is changed', async () => {
    const media = await uploadMedia(new File([tone(2)], 'speech.pcm', { type: 'audio/pcm' }));
    const fetched = vi.spyOn(window, 'fetch');
    const player = (sampleRate: number) => (
      <AudioPlayer media={media} title="Speech" pcm={{ sampleRate, channels: 1 }} />
    );
    const screen = await render(player(RATE));
    await expect.poll(() => waveformOf(screen.container)).not.toBeNull();
    await screen.rerender(player(RATE / 2));
    await expect.poll(() => soundOf(screen.container).duration).toBeCloseTo(4, 1);
    await expect.element(screen.getByText(/\/ 0:04$/)).toBeVisible();
    expect(fetched.mock.calls.map(([url]) => url)).toEqual([mediaUrl(media.id)]);
    fetched.mockRestore();
  });

  it('says so where the bytes are no sound', async () => {
    const media = await uploadMedia(textFile('voice.wav', 'audio/wav'));
    const screen = await render(<AudioPlayer media={media} title="Answer" />);
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/cannot be played here/);
  });

  it('lets go of the file when it is taken away', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(30)} title="Answer" />);
    const sound = soundOf(screen.container);
    await screen.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => sound.currentTime).toBeGreaterThan(0);
    await screen.unmount();
    expect(sound.paused).toBe(true);
    expect(sound.hasAttribute('src')).toBe(false);
  });

  it('stops the one that played when another starts', async () => {
    const media = await storedTone(30);
    const screen = await render(
      <>
        <AudioPlayer media={media} title="First" />
        <AudioPlayer media={media} title="Second" />
      </>,
    );
    const first = screen.getByRole('group', { name: 'First' });
    const second = screen.getByRole('group', { name: 'Second' });
    await first.getByRole('button', { name: 'Play' }).click();
    await expect.element(first.getByRole('button', { name: 'Pause' })).toBeVisible();
    await second.getByRole('button', { name: 'Play' }).click();
    await expect.element(second.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect.element(first.getByRole('button', { name: 'Play' })).toBeVisible();
  });
});
