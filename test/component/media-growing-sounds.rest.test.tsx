import { describe, expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { AudioPlayer } from '../../renderer/media/players/audio-player.tsx';
import { startMediaUpload } from '../../renderer/media/uploads/upload-recording.ts';
import { getMediaUrl } from '../../shared/media.ts';
import { createWavHeader } from '../../shared/wav.ts';
import { medium } from '../fixtures/medium.ts';
import { RATE, tone } from './media-fixtures.ts';
import { expectDrawn, soundOf } from './waveform-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

describe('the audio player', () => {
  it('plays growing audio from its first bytes and grows the waveform', async () => {
    const upload = await startMediaUpload({ name: 'speech.wav', type: 'audio/wav' });
    await upload.write(createWavHeader({ sampleRate: RATE, channels: 1 }, null).buffer);
    // Chromium starts playback after about 200 kB of WAV.
    await upload.write(tone(20).buffer);
    const growing = medium({ id: upload.id, kind: 'audio', type: 'audio/wav', complete: false });
    const screen = await render(<AudioPlayer media={growing} title="Speech" autoPlay />);
    const sound = soundOf(screen.container);
    await expect.poll(() => sound.currentTime).toBeGreaterThan(0.2);
    await expectDrawn(screen.container);
    await expect.element(screen.getByText(/\/ 0:(19|20)…$/)).toBeVisible();
    await upload.write(tone(20).buffer);
    await expect.element(screen.getByText(/\/ 0:(39|40)…$/)).toBeVisible();
    const whole = await upload.finish();
    await screen.rerender(<AudioPlayer media={whole} title="Speech" autoPlay />);
    await expectDrawn(screen.container);
    expect(sound.paused).toBe(false);
    const slider = screen.getByRole('slider', { name: 'Position in Speech' });
    slider.element().focus();
    await userEvent.keyboard('{PageUp}{PageUp}{PageUp}{PageUp}{PageUp}');
    await expect.poll(() => sound.currentTime).toBeGreaterThan(19);
    await expect.poll(() => sound.paused).toBe(false);
  });

  it('plays raw samples as they arrive', async () => {
    const upload = await startMediaUpload({ name: 'speech.pcm', type: 'audio/pcm' });
    await upload.write(tone(20).buffer);
    const growing = medium({ id: upload.id, kind: 'audio', type: 'audio/pcm', complete: false });
    const pcm = { sampleRate: RATE, channels: 1 };
    const screen = await render(<AudioPlayer media={growing} title="Speech" pcm={pcm} autoPlay />);
    const sound = soundOf(screen.container);
    await expect.poll(() => sound.currentTime).toBeGreaterThan(0.2);
    const whole = await upload.finish();
    await screen.rerender(<AudioPlayer media={whole} title="Speech" pcm={pcm} autoPlay />);
    await expect.element(screen.getByRole('button', { name: 'Download as WAV' })).toBeVisible();
    expect(sound.paused).toBe(false);
    const slider = screen.getByRole('slider', { name: 'Position in Speech' });
    const length = () => Number(slider.element().getAttribute('aria-valuemax'));
    await expect.poll(length).toBeCloseTo(20, 1);
    slider.element().focus();
    // The duration covers only the received samples until the browser has the whole file.
    const lengthAtEnd = async () => {
      await userEvent.keyboard('{End}');
      return sound.duration;
    };
    await expect.poll(lengthAtEnd).toBeCloseTo(20, 1);
  });
});

// Chromium requests an open-ended range if it seeks before it has read a large file completely.
it('keeps playing growing audio past the length that it had at the last seek', async () => {
  const format = { sampleRate: 48_000, channels: 2 };
  const upload = await startMediaUpload({ name: 'silence.wav', type: 'audio/wav' });
  await upload.write(createWavHeader(format, null).buffer);
  const sliceSeconds = 20;
  const slice = new ArrayBuffer(4 * format.sampleRate * sliceSeconds);
  for (let count = 0; count < 4; count += 1) await upload.write(slice);
  const writtenSeconds = 4 * sliceSeconds;
  const sound = document.createElement('audio');
  onTestFinished(() => sound.removeAttribute('src'));
  sound.muted = true;
  sound.src = getMediaUrl(upload.id);
  await sound.play();
  const playFrom = async (seconds: number) => {
    sound.currentTime = seconds;
    await expect.poll(() => sound.currentTime).toBeGreaterThan(seconds);
  };
  sound.playbackRate = 4;
  await playFrom(writtenSeconds - 2);
  await playFrom(1);
  await playFrom(writtenSeconds - 2);
  await upload.write(slice);
  await expect.poll(() => sound.currentTime).toBeGreaterThan(writtenSeconds + 1);
  expect([sound.ended, sound.duration]).toEqual([false, Number.POSITIVE_INFINITY]);
  await playFrom(writtenSeconds + sliceSeconds - 2);
  await upload.finish();
  await expect.poll(() => sound.ended).toBe(true);
  expect(sound.duration).toBeCloseTo(writtenSeconds + sliceSeconds, 0);
});
