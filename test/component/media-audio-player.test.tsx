import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useActivities } from '../../renderer/lib/panel-activity.ts';
import { MediaTile } from '../../renderer/media/library/media-tile.tsx';
import { wavBlob } from '../../renderer/media/peaks/use-audio-source.ts';
import { AudioPlayer, type AudioPlayerHandle } from '../../renderer/media/players/audio-player.tsx';
import { MediaFacts } from '../../renderer/media/players/media-facts.tsx';
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

/** Height of the tallest bar in a stretch of the waveform, as a share of the whole height; 0 for a plain line. */
function tallestBar(container: Element, from = 0, to = 1): number {
  const canvas = waveformOf(container)?.querySelector('canvas');
  const context = canvas?.getContext('2d');
  if (!canvas || !context || canvas.width === 0 || canvas.height === 0) return 0;
  const left = Math.floor(from * canvas.width);
  const width = Math.max(1, Math.floor((to - from) * canvas.width));
  const { data } = context.getImageData(left, 0, width, canvas.height);
  let tallest = 0;
  for (let x = 0; x < width; x += 1) {
    let filled = 0;
    for (let y = 0; y < canvas.height; y += 1) {
      if ((data[(y * width + x) * 4 + 3] ?? 0) > 0) filled += 1;
    }
    tallest = Math.max(tallest, filled / canvas.height);
  }
  return tallest;
}

/** Where the part of the waveform that is in view begins, as a share of the whole. */
function drawnFrom(container: Element): number {
  const scroller = waveformOf(container)?.querySelector('.scroll');
  return scroller ? scroller.scrollLeft / scroller.scrollWidth : 0;
}

/** Peaks have come: more is drawn than the line without them. What draws is loaded first. */
async function expectDrawn(container: Element): Promise<void> {
  await expect.poll(() => tallestBar(container), { timeout: 15_000 }).toBeGreaterThan(0.2);
}

/** As the browser draws it: red, green and blue. */
function colourOf(colour: string): string {
  const probe = document.createElement('span');
  probe.style.backgroundColor = colour;
  document.body.append(probe);
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  context.fillStyle = getComputedStyle(probe).backgroundColor;
  probe.remove();
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data.slice(0, 3).join(' ');
}

/** All colors that are seen just inside its left edge, beside its round corners. */
async function edgeColours(element: Element): Promise<string[]> {
  const base64 = await page.screenshot({ element, save: false });
  const picture = await createImageBitmap(
    await (await fetch(`data:image/png;base64,${base64}`)).blob(),
  );
  const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(1, 5, 2, picture.height - 10);
  const pixels = Array.from({ length: data.length / 4 }, (_, at) =>
    data.slice(at * 4, at * 4 + 3).join(' '),
  );
  return [...new Set(pixels)];
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
    await expect.element(player.getByText(/\/ 0:30\.0$/)).toBeVisible();
  });

  it('goes exactly where its waveform is clicked, and keeps playing or standing', async () => {
    const regions = [
      { start: 0, end: 9 },
      { start: 9, end: 30 },
    ];
    const media = await storedTone(30);
    const screen = await render(<AudioPlayer media={media} title="Answer" regions={regions} />);
    const sound = soundOf(screen.container);
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expectDrawn(screen.container);
    await expect.poll(() => sound.readyState).toBeGreaterThan(0);
    const { width } = slider.element().getBoundingClientRect();
    await slider.click({ position: { x: width / 2, y: 20 } });
    expect(sound.currentTime).toBeCloseTo(15, 1);
    expect(sound.paused).toBe(true);
    await screen.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => sound.currentTime).toBeGreaterThan(15.1);
    await slider.click({ position: { x: width / 3, y: 20 } });
    expect(sound.currentTime).toBeGreaterThanOrEqual(9.9);
    expect(sound.currentTime).toBeLessThan(10.5);
    expect(sound.paused).toBe(false);
  });

  it('steps five seconds by arrows, one with Shift, and plays and pauses by Space', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(30)} title="Answer" />);
    const sound = soundOf(screen.container);
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expect.poll(() => sound.readyState).toBeGreaterThan(0);
    slider.element().focus();
    await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}{ArrowLeft}');
    expect(sound.currentTime).toBeCloseTo(5, 1);
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
    expect(sound.currentTime).toBeCloseTo(6, 1);
    await userEvent.keyboard('{End}');
    await expect.element(slider).toHaveAttribute('aria-valuetext', '0:30.0 of 0:30.0');
    await userEvent.keyboard('{Home} ');
    await expect.poll(() => sound.currentTime).toBeGreaterThan(0.1);
    expect(sound.paused).toBe(false);
    await userEvent.keyboard(' ');
    await expect.poll(() => sound.paused).toBe(true);
  });

  it('says the time under the pointer', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(30)} title="Answer" />);
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expect.element(slider).toHaveAttribute('aria-valuetext', '0:00 of 0:30.0');
    const { width } = slider.element().getBoundingClientRect();
    await slider.hover({ position: { x: width / 4, y: 20 } });
    await expect.element(slider).toMatchTextContent(/^0:07\.[45]$/);
  });

  it('draws that time over the waveform', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(30)} title="Answer" />);
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expectDrawn(screen.container);
    const { width } = slider.element().getBoundingClientRect();
    await slider.hover({ position: { x: width / 4, y: 20 } });
    const label = slider.getByText(/^0:07/);
    await expect.element(label).toBeVisible();
    expect(await edgeColours(label.element())).toEqual([colourOf('var(--raised)')]);
  });

  it('marks no place in a sound before it was played', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(30)} title="Answer" />);
    await expectDrawn(screen.container);
    const cursor = waveformOf(screen.container)?.querySelector('.cursor');
    const isMarked = () => cursor?.checkVisibility({ visibilityProperty: true });
    expect(isMarked()).toBe(false);
    screen.getByRole('slider', { name: 'Position in Answer' }).element().focus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(isMarked).toBe(true);
    await userEvent.keyboard('{Home}');
    await expect.poll(isMarked).toBe(false);
  });

  it.each([
    [3.4, '0:03.4'],
    [235.7, '3:56'],
  ])('says of %d s in each place that they are %s', async (seconds, words) => {
    const media = await storedTone(seconds);
    const item = { ...media, role: 'upload', run: null } as const;
    const screen = await render(
      <>
        <AudioPlayer media={media} title="Answer" />
        <MediaFacts media={media} />
        <MediaTile
          item={item}
          verb="Show"
          current={false}
          tabIndex={0}
          now={0}
          onChoose={vi.fn()}
        />
      </>,
    );
    await expect.element(screen.getByText(`0:00 / ${words}`)).toBeVisible();
    await expect
      .element(screen.getByRole('slider', { name: 'Position in Answer' }))
      .toHaveAttribute('aria-valuetext', `0:00 of ${words}`);
    await expect.element(screen.getByText(new RegExp(`^WAV · ${words} · `)).first()).toBeVisible();
    await expect.element(screen.getByText(words, { exact: true })).toBeVisible();
  });

  it('draws ready peaks without inline styles, which the page may not have', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(2)} title="Answer" />);
    await expectDrawn(screen.container);
    const root = waveformOf(screen.container);
    expect(root?.querySelector('style')).toBeNull();
    expect(root?.querySelector('audio')).toBeNull();
    expect(root?.adoptedStyleSheets).toHaveLength(1);
  });

  it('fills its height with a quiet sound as with a loud one', async () => {
    const quiet = tone(4).map((byte) => byte);
    const samples = new Int16Array(quiet.buffer);
    for (const [at, sample] of samples.entries()) samples[at] = sample / 8;
    const wav = wavBlob(quiet, { sampleRate: RATE, channels: 1 });
    const media = await uploadMedia(new File([wav], 'quiet.wav', { type: 'audio/wav' }));
    const screen = await render(<AudioPlayer media={media} title="Answer" />);
    await expect.poll(() => tallestBar(screen.container)).toBeGreaterThan(0.8);
  });

  it('zooms into a long sound about the place that is played, and follows it', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(120)} title="Answer" />);
    const sound = soundOf(screen.container);
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expect.poll(() => sound.readyState).toBeGreaterThan(0);
    slider.element().focus();
    await userEvent.keyboard('{End}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}');
    await screen.getByRole('button', { name: 'Zoom in' }).click();
    await screen.getByRole('button', { name: 'Zoom in' }).click();
    // 30 seconds about 1:40: a click at the left edge is 1:25.
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

  it('plays from a place by its handle, and shows the time meanwhile', async () => {
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
    handle.current?.playFrom(10);
    await expect.poll(() => sound.currentTime).toBeGreaterThan(10.2);
    expect(sound.paused).toBe(false);
    expect(onTimeUpdate.mock.lastCall?.[0]).toBeGreaterThan(10);
  });

  it('plays a growing sound from its first bytes, with a waveform that grows', async () => {
    const upload = await startMediaUpload({ name: 'speech.wav', type: 'audio/wav' });
    await upload.write(wavHeader({ sampleRate: RATE, channels: 1 }, null).buffer);
    // Chromium begins once it has some 200 kB of WAV; of compressed formats 32 kB are enough.
    await upload.write(tone(20).buffer);
    const growing = medium({ id: upload.id, kind: 'audio', type: 'audio/wav', complete: false });
    const screen = await render(<AudioPlayer media={growing} title="Speech" autoPlay />);
    const sound = soundOf(screen.container);
    await expect.poll(() => sound.currentTime, { timeout: 5000 }).toBeGreaterThan(0.2);
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

  it('plays raw samples while they arrive', async () => {
    const upload = await startMediaUpload({ name: 'speech.pcm', type: 'audio/pcm' });
    await upload.write(tone(20).buffer);
    const growing = medium({ id: upload.id, kind: 'audio', type: 'audio/pcm', complete: false });
    const pcm = { sampleRate: RATE, channels: 1 };
    const screen = await render(<AudioPlayer media={growing} title="Speech" pcm={pcm} autoPlay />);
    const sound = soundOf(screen.container);
    await expect.poll(() => sound.currentTime, { timeout: 5000 }).toBeGreaterThan(0.2);
    const whole = await upload.finish();
    await screen.rerender(<AudioPlayer media={whole} title="Speech" pcm={pcm} autoPlay />);
    await expect.element(screen.getByRole('button', { name: 'Download as WAV' })).toBeVisible();
    expect(sound.paused).toBe(false);
    const slider = screen.getByRole('slider', { name: 'Position in Speech' });
    slider.element().focus();
    await userEvent.keyboard('{End}');
    await expect.poll(() => sound.duration).toBeCloseTo(20, 1);
  });

  it('plays raw samples at the given rate', async () => {
    const file = new File([tone(2)], 'speech.pcm', { type: 'audio/pcm' });
    const media = await uploadMedia(file);
    const pcm = { sampleRate: RATE / 2, channels: 1 };
    const screen = await render(<AudioPlayer media={media} title="Speech" pcm={pcm} />);
    await expect.poll(() => soundOf(screen.container).duration).toBeCloseTo(4, 1);
    await expectDrawn(screen.container);
    await expect.element(screen.getByRole('button', { name: 'Download as WAV' })).toBeVisible();
  });

  it('fetches raw samples once, also when their rate is changed', async () => {
    const media = await uploadMedia(new File([tone(2)], 'speech.pcm', { type: 'audio/pcm' }));
    const fetched = vi.spyOn(window, 'fetch');
    const player = (sampleRate: number) => (
      <AudioPlayer media={media} title="Speech" pcm={{ sampleRate, channels: 1 }} />
    );
    const screen = await render(player(RATE));
    await expectDrawn(screen.container);
    await screen.rerender(player(RATE / 2));
    await expect.poll(() => soundOf(screen.container).duration).toBeCloseTo(4, 1);
    await expect.element(screen.getByText(/\/ 0:04\.0$/)).toBeVisible();
    expect(fetched.mock.calls.map(([url]) => url)).toEqual([mediaUrl(media.id)]);
    fetched.mockRestore();
  });

  it('says so where the bytes are no sound', async () => {
    const media = await uploadMedia(textFile('voice.wav', 'audio/wav'));
    const screen = await render(<AudioPlayer media={media} title="Answer" />);
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/cannot be played/);
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

  it('plays on while its panel is away, and is found there again', async () => {
    const media = await storedTone(30);
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
