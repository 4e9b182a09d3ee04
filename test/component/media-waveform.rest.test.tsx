import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { createWavBlob } from '../../renderer/media/peaks/use-audio-source.ts';
import { AudioPlayer } from '../../renderer/media/players/audio-player.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { RATE, storedTone, tone } from './media-fixtures.ts';
import { expectDrawn, soundOf, tallestBar, waveformOf } from './waveform-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

/** Returns where the visible part of the waveform starts, as a fraction of the whole. */
function drawnFrom(container: Element): number {
  const scroller = waveformOf(container)?.querySelector('.scroll');
  return scroller ? scroller.scrollLeft / scroller.scrollWidth : 0;
}

describe('the waveform', () => {
  it('shows the time under the pointer, and seeks there while playing or paused', async () => {
    const regions = [
      { start: 0, end: 9 },
      { start: 9, end: 20 },
    ];
    const media = await storedTone(20);
    const screen = await render(<AudioPlayer media={media} title="Answer" regions={regions} />);
    const sound = soundOf(screen.container);
    // Playback must outlast the test on a busy machine.
    sound.loop = true;
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expectDrawn(screen.container);
    await expect.poll(() => sound.readyState).toBeGreaterThan(0);
    const { width } = slider.element().getBoundingClientRect();
    await slider.hover({ position: { x: width / 4, y: 20 } });
    await expect.element(slider.getByText(/^0:0[45]/)).toBeVisible();
    await slider.click({ position: { x: width / 2, y: 20 } });
    expect(sound.currentTime).toBeCloseTo(10, 1);
    expect(sound.paused).toBe(true);
    await screen.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => sound.currentTime).toBeGreaterThan(10.1);
    const sought = new Promise<number>((resolve) => {
      sound.addEventListener('seeking', () => resolve(sound.currentTime), { once: true });
    });
    await slider.click({ position: { x: width / 4, y: 20 } });
    expect(await sought).toBeCloseTo(5, 1);
    expect(sound.paused).toBe(false);

    // The content security policy forbids inline styles.
    const root = waveformOf(screen.container);
    expect(root?.querySelector('style')).toBeNull();
    expect(root?.querySelector('audio')).toBeNull();
    expect(root?.adoptedStyleSheets).toHaveLength(1);
  });

  it('fills its height even for quiet audio', async () => {
    const quiet = tone(1).map((byte) => byte);
    const samples = new Int16Array(quiet.buffer);
    for (const [at, sample] of samples.entries()) samples[at] = sample / 8;
    const wav = createWavBlob(quiet, { sampleRate: RATE, channels: 1 });
    const media = await uploadMedia(new File([wav], 'quiet.wav', { type: 'audio/wav' }));
    const screen = await render(<AudioPlayer media={media} title="Answer" />);
    await expect.poll(() => tallestBar(screen.container)).toBeGreaterThan(0.8);
  });

  it('zooms into long audio around the position and follows it', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(120)} title="Answer" />);
    const sound = soundOf(screen.container);
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expect.poll(() => sound.readyState).toBeGreaterThan(0);
    slider.element().focus();
    await userEvent.keyboard('{End}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}');
    await screen.getByRole('button', { name: 'Zoom in' }).click();
    await screen.getByRole('button', { name: 'Zoom in' }).click();
    // The waveform shows 30 seconds around 1:40, so its left edge is at 1:25.
    await expect.poll(() => sound.currentTime).toBeCloseTo(100, 0);
    await slider.click({ position: { x: 1, y: 20 } });
    await expect.poll(() => sound.currentTime).toBeCloseTo(85, 0);
    await expect.poll(() => drawnFrom(screen.container)).toBeCloseTo(85 / 120, 2);
    slider.element().focus();
    await userEvent.keyboard('{Home}');
    const { width } = slider.element().getBoundingClientRect();
    await slider.click({ position: { x: width / 2, y: 20 } });
    await expect.poll(() => sound.currentTime).toBeLessThan(31);
    await userEvent.keyboard('--');
    await expect.element(screen.getByRole('button', { name: 'Zoom out' })).toBeDisabled();
  });
});
