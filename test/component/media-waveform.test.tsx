import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { wavBlob } from '../../renderer/media/peaks/use-audio-source.ts';
import { AudioPlayer } from '../../renderer/media/players/audio-player.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { RATE, storedTone, tone } from './media-fixtures.ts';
import { expectDrawn, soundOf, tallestBar } from './waveform-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

/** Where the part of the waveform that is in view begins, as a share of the whole. */
function drawnFrom(container: Element): number {
  const scroller = container.querySelector('[role="slider"]')?.parentElement?.parentElement;
  return scroller ? scroller.scrollLeft / scroller.scrollWidth : 0;
}

/** As the browser draws it: red, green and blue. */
function colorOf(color: string): string {
  const probe = document.createElement('span');
  probe.style.backgroundColor = color;
  document.body.append(probe);
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  context.fillStyle = getComputedStyle(probe).backgroundColor;
  probe.remove();
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data.slice(0, 3).join(' ');
}

async function pictureOf(element: Element): Promise<OffscreenCanvasRenderingContext2D> {
  const base64 = await page.screenshot({ element, save: false });
  const picture = await createImageBitmap(
    await (await fetch(`data:image/png;base64,${base64}`)).blob(),
  );
  const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  context.drawImage(picture, 0, 0);
  return context;
}

/** Its pixels from left to right and from top to bottom, each as red, green and blue. */
function colorsOf({ data }: ImageData): string[] {
  return Array.from({ length: data.length / 4 }, (_, at) =>
    data.slice(at * 4, at * 4 + 3).join(' '),
  );
}

/** Where lines are seen in a stretch of silence, away from the outline in its middle; each a pixel wide. */
async function linesOf(element: Element): Promise<number[]> {
  const context = await pictureOf(element);
  // Without the round corners.
  const colors = colorsOf(context.getImageData(5, 6, context.canvas.width - 10, 1));
  const plain = colors[0];
  return colors.flatMap((color, x) => (color === plain ? [] : [x + 5]));
}

describe('the waveform', () => {
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
    const sought = new Promise<number>((resolve) => {
      sound.addEventListener('seeking', () => resolve(sound.currentTime), { once: true });
    });
    await slider.click({ position: { x: width / 3, y: 20 } });
    expect(await sought).toBeCloseTo(10, 1);
    expect(sound.paused).toBe(false);
  });

  it('draws that time over the waveform', async () => {
    const screen = await render(<AudioPlayer media={await storedTone(30)} title="Answer" />);
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expectDrawn(screen.container);
    const { width } = slider.element().getBoundingClientRect();
    await slider.hover({ position: { x: width / 4, y: 20 } });
    const label = slider.getByText(/^0:07/);
    await expect.element(label).toBeVisible();
    const context = await pictureOf(label.element());
    // Just inside its left edge, beside its round corners.
    const edge = context.getImageData(1, 5, 2, context.canvas.height - 10);
    expect([...new Set(colorsOf(edge))]).toEqual([colorOf('var(--raised)')]);
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

  it('draws where segments begin, but no two lines nearer than eight pixels', async () => {
    await page.viewport(1360, 860);
    const silence = wavBlob(new Uint8Array(30 * RATE * 2), { sampleRate: RATE, channels: 1 });
    const media = await uploadMedia(new File([silence], 'silence.wav', { type: 'audio/wav' }));
    const regions = [0, 2, 2.1, 4, 25].map((start) => ({ start, end: start + 0.1 }));
    const screen = await render(<AudioPlayer media={media} title="Answer" regions={regions} />);
    const slider = screen.getByRole('slider', { name: 'Position in Answer' });
    await expect.element(slider).toHaveAttribute('aria-valuemax', '30');
    const { width } = slider.element().getBoundingClientRect();
    const drawn = () => linesOf(slider.element());
    const at = (starts: number[], span: number) =>
      starts.map((start) => Math.round((start / span) * width));
    // A tenth of a second is half as wide as the least distance.
    expect(width / 300).toBeLessThan(8);
    await expect.poll(drawn).toEqual(at([2, 4, 25], 30));
    // As far as it goes: ten seconds are in view.
    await screen.getByRole('button', { name: 'Zoom in' }).click();
    await screen.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(drawn).toEqual(at([2, 2.1, 4], 10));
  });
});
